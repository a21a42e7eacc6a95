//! Functions as objdump shows them, with what they call and jump to.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

pub(crate) mod build;
pub(crate) mod exits;

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
    /// Mnemonic, prefixes before it, and operands (AT&T: the destination comes last).
    pub(crate) text: String,
    /// The symbol that a relocation puts there.
    symbol: Option<String>,
    /// Whether it jumps by a table of distances.
    by_table: bool,
}

/// Where an instruction can lead besides the next one.
#[derive(Debug, PartialEq)]
pub(crate) enum Target<'a> {
    /// Inside the same function.
    Inside(u64),
    /// Another function.
    Symbol(&'a str),
    /// Somewhere in the same function, by a table.
    Table,
    /// An address that is not known before it runs.
    Computed,
}

/// Functions by their symbols.
pub(crate) type Functions = BTreeMap<String, Vec<Instruction>>;

impl Instruction {
    pub(crate) fn mnemonic(&self) -> &str {
        self.text.split_whitespace().find(|word| !matches!(*word, "notrack" | "bnd")).unwrap_or("")
    }

    pub(crate) fn is_return(&self) -> bool {
        self.mnemonic().starts_with("ret")
    }

    pub(crate) fn is_call(&self) -> bool {
        self.mnemonic().starts_with("call")
    }

    /// Whether the next instruction is not reached from here.
    pub(crate) fn ends(&self) -> bool {
        self.is_return() || matches!(self.mnemonic(), "jmp" | "ud2" | "hlt")
    }

    /// Where a call or a jump, conditional or not, leads.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        if !self.is_call() && !self.mnemonic().starts_with('j') {
            return None;
        }
        let operand = self.text.split_whitespace().last().unwrap_or("");
        match &self.symbol {
            Some(symbol) => Some(Target::Symbol(symbol)),
            None if self.by_table => Some(Target::Table),
            None if self.text.contains('*') => Some(Target::Computed),
            // `jne 1f <function+0x1f>`: the number comes before the name.
            None => {
                let number =
                    if operand.starts_with('<') { self.text.split_whitespace().rev().nth(1) } else { Some(operand) };
                Some(Target::Inside(u64::from_str_radix(number?, 16).ok()?))
            }
        }
    }
}

/// Whether there is an objdump to ask.
pub(crate) fn exists() -> bool {
    Command::new("objdump").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Every function in an object file or a library.
pub(crate) fn functions(file: &Path) -> Functions {
    let output = Command::new("objdump").args(["-d", "-r", "-w"]).arg(file).output().expect("objdump starts");
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("objdump prints ASCII");
    let mut functions = Functions::new();
    let mut name = None;
    for line in text.lines() {
        if let Some(header) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            name = Some(header.1.to_owned());
        } else if let (Some(name), Some(instruction)) = (&name, instruction(line)) {
            functions.entry(name.clone()).or_default().push(instruction);
        }
    }
    functions.values_mut().for_each(|function| name_computed_targets(function));
    functions
}

/// Without optimisation a call goes through a register: `mov 0x0(%rip),%rax` with the symbol, then `call *%rax`.
/// A `match` may become a jump over a distance that `movslq` has read.
fn name_computed_targets(function: &mut [Instruction]) {
    for i in 0..function.len() {
        let (before, rest) = function.split_at_mut(i);
        if let Some((_, register)) = rest[0].text.split_once('*').filter(|(_, operand)| operand.starts_with("%r")) {
            let load = before.iter().rfind(|instruction| instruction.text.ends_with(&format!(",{register}")));
            rest[0].symbol = load.and_then(|instruction| instruction.symbol.clone());
            rest[0].by_table = before.iter().rev().take(3).any(|instruction| instruction.mnemonic() == "movslq");
        }
    }
}

/// `  1f:\te8 00 00 00 00 \tcall   24 <f+0x24>\t20: R_X86_64_PLT32\tmemset-0x4`
fn instruction(line: &str) -> Option<Instruction> {
    let mut fields = line.split('\t');
    let address = u64::from_str_radix(fields.next()?.trim().strip_suffix(':')?, 16).ok()?;
    let bytes = fields.next()?.split_whitespace().map(|byte| u8::from_str_radix(byte, 16));
    let bytes = bytes.collect::<Result<_, _>>().ok()?;
    let text = fields.next().unwrap_or("");
    // Behind `#` stands what an address would be without the relocation.
    let text = text.split('#').next().unwrap_or("").trim().to_owned();
    let symbol = fields.nth(1).map(symbol);
    Some(Instruction { address, bytes, text, symbol, by_table: false })
}

/// The name in a relocation: without the section of a function that has its own, and without the distance.
fn symbol(relocation: &str) -> String {
    let name = relocation.trim();
    let name = name.strip_prefix(".text.unlikely.").or(name.strip_prefix(".text.")).unwrap_or(name);
    let end = name.rfind(['+', '-']).filter(|&at| name[at + 1..].starts_with("0x")).unwrap_or(name.len());
    name[..end].to_owned()
}
