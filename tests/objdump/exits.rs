//! What a function owes before it is left: clean vector registers, and a fence behind streaming stores.

use super::{Functions, Instruction, Target};
use core::mem::replace;
use std::collections::BTreeMap;

/// An instruction after which another one must come before the function is left.
pub(crate) struct Duty {
    pub(crate) what: &'static str,
    owes: fn(&Instruction) -> bool,
    pays: fn(&Instruction) -> bool,
}

pub(crate) static CLEAN_REGISTERS: Duty = Duty {
    what: "clean upper halves of vector registers",
    owes: writes_wide_register,
    pays: |instruction| matches!(instruction.mnemonic(), "vzeroupper" | "vzeroall"),
};

pub(crate) static FENCE: Duty = Duty {
    what: "a fence behind streaming stores",
    owes: |instruction| instruction.mnemonic().trim_start_matches('v').starts_with("movnt"),
    pays: |instruction| matches!(instruction.mnemonic(), "sfence" | "mfence"),
};

/// Whether it writes to one of ymm0 to 15 or zmm0 to 15. The others have no SSE code that they could slow.
fn writes_wide_register(instruction: &Instruction) -> bool {
    let destination = instruction.text.rsplit_once(',').map_or("", |(_, last)| last.trim());
    let register = destination.strip_prefix("%ymm").or(destination.strip_prefix("%zmm"));
    let digits = register.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    digits.and_then(|digits| digits.parse().ok()).is_some_and(|number: u32| number < 16)
}

impl Duty {
    /// Whether a function has anything to do with it.
    pub(crate) fn concerns(&self, function: &[Instruction]) -> bool {
        function.iter().any(self.owes)
    }
}

/// Follows a duty along every path, into the functions that are called or jumped to as well: they may pay, or come back owing.
pub(crate) struct Ledger<'a> {
    duty: &'a Duty,
    functions: &'a Functions,
    /// Whether a function, entered owing or not, comes back owing. While it is not known: not.
    known: BTreeMap<(&'a str, bool), bool>,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(duty: &'a Duty, functions: &'a Functions) -> Self {
        Self { duty, functions, known: BTreeMap::new() }
    }

    /// Whether `name` is left owing on some path, when it is entered so or not.
    pub(crate) fn is_left_owing(&mut self, name: &str, owing: bool) -> bool {
        // What is elsewhere changes nothing.
        let Some((name, function)) = self.functions.get_key_value(name) else { return owing };
        if let Some(&known) = self.known.get(&(name, owing)) {
            return known;
        }
        self.known.insert((name, owing), false);
        let result = self.some_exit_owes(function, owing);
        self.known.insert((name, owing), result);
        result
    }

    fn some_exit_owes(&mut self, function: &'a [Instruction], owing: bool) -> bool {
        let places: BTreeMap<u64, usize> = function.iter().enumerate().map(|(i, insn)| (insn.address, i)).collect();
        let mut seen = vec![[false; 2]; function.len()];
        let mut open = vec![(0, owing)];
        while let Some((i, owing)) = open.pop() {
            let first_time = |_: &&Instruction| !replace(&mut seen[i][usize::from(owing)], true);
            let Some(insn) = function.get(i).filter(first_time) else { continue };
            let mut after = (owing || (self.duty.owes)(insn)) && !(self.duty.pays)(insn);
            let mut leaves = insn.is_return();
            match insn.target() {
                Some(Target::Inside(address)) => open.extend(places.get(&address).map(|&place| (place, after))),
                // Where a table leads is unknown here: to any place behind a jump.
                Some(Target::Table) => {
                    open.extend((1..function.len()).filter(|&i| function[i - 1].ends()).map(|i| (i, after)));
                }
                Some(Target::Symbol(symbol)) if insn.is_call() => after = self.is_left_owing(symbol, after),
                Some(Target::Symbol(symbol)) if self.is_left_owing(symbol, after) => return true,
                Some(Target::Computed) => leaves = true,
                _ => {}
            }
            if leaves && after {
                return true;
            }
            if !insn.ends() {
                open.push((i + 1, after));
            }
        }
        false
    }
}
