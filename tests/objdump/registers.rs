//! Whether a function leaves with dirty upper halves of vector registers.

use super::{Functions, Instruction, Target};
use core::mem::replace;
use std::collections::{BTreeMap, BTreeSet};

/// Whether it writes to one of ymm0 to 15 or zmm0 to 15. The others have no SSE code that they could slow.
fn dirties(instruction: &Instruction) -> bool {
    let destination = instruction.text.rsplit_once(',').map_or("", |(_, last)| last);
    let register = destination.trim().strip_prefix("%ymm").or(destination.trim().strip_prefix("%zmm"));
    let digits = register.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    digits.and_then(|digits| digits.parse().ok()).is_some_and(|number: u32| number < 16)
}

fn cleans(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), "vzeroupper" | "vzeroall")
}

/// Whether any instruction dirties at all.
pub(crate) fn uses_wide_registers(function: &[Instruction]) -> bool {
    function.iter().any(dirties)
}

/// An exit with dirty upper halves, on some path from a routine of a variant.
///
/// Follows every path, into the functions that it calls or jumps to as well: where both are the compiler's own, a vector may be
/// handed over in a register, and the other one cleans up.
pub(crate) fn dirty_exit(functions: &Functions, roots: &BTreeSet<&str>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<(&str, bool)> = roots.iter().map(|name| (*name, false)).collect();
    while let Some((name, dirty)) = open.pop() {
        if seen.insert((name, dirty)) {
            let (exits, handed_over) = dirty_exits(&functions[name], dirty);
            if let Some(exit) = exits.first() {
                return Some(format!("{name} at {:x}: {}", exit.address, exit.text));
            }
            for (at, symbol) in handed_over {
                match functions.get_key_value(symbol).filter(|(_, function)| uses_wide_registers(function)) {
                    Some((other, _)) => open.push((other, true)),
                    None => return Some(format!("{name} at {:x}: {}, to {symbol}", at.address, at.text)),
                }
            }
        }
    }
    None
}

type Exits<'a> = (Vec<&'a Instruction>, Vec<(&'a Instruction, &'a str)>);

/// The instructions that return or go nowhere known with dirty upper halves, and those that go on to another function so.
fn dirty_exits(function: &[Instruction], dirty: bool) -> Exits<'_> {
    let places: BTreeMap<u64, usize> = function.iter().enumerate().map(|(i, insn)| (insn.address, i)).collect();
    let mut seen = vec![[false; 2]; function.len()];
    let mut open = vec![(0, dirty)];
    let (mut exits, mut handed_over) = (Vec::new(), Vec::new());
    while let Some((i, dirty)) = open.pop() {
        let Some(insn) = function.get(i).filter(|_| !replace(&mut seen[i][usize::from(dirty)], true)) else { continue };
        let after = (dirty || dirties(insn)) && !cleans(insn);
        match insn.target() {
            Some(Target::Inside(address)) => open.extend(places.get(&address).map(|&place| (place, after))),
            Some(Target::Symbol(symbol)) if after => handed_over.push((insn, symbol)),
            Some(Target::Computed | Target::Table) if after => exits.push(insn),
            // Where a table leads is unknown here: to any place behind a jump.
            Some(Target::Table) => {
                open.extend((1..function.len()).filter(|&i| function[i - 1].ends()).map(|i| (i, after)))
            }
            None if insn.is_return() && after => exits.push(insn),
            _ => {}
        }
        if !insn.ends() {
            // What was handed over came back clean.
            open.push((i + 1, after && !insn.is_call()));
        }
    }
    (exits, handed_over)
}
