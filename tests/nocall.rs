//! What the variants compile to: no call of a memory routine, no direction flag, the exact string instructions, and on every
//! exit clean vector registers and a fence behind streaming stores. Shown by disassembly in every profile that people use.

mod common;
mod objdump;

use common::{Grid, not_run};
use objdump::build::{PROFILES, compile, package};
use objdump::exits::{CLEAN_REGISTERS, FENCE, Ledger};
use objdump::{Functions, Instruction, Target};
use std::collections::BTreeSet;

/// The only string instructions: redundant prefixes on them have hung CPUs.
const STRINGS: [&[u8]; 4] = [&[0xf3, 0xaa], &[0xf3, 0xa4], &[0xf3, 0x48, 0xab], &[0xf3, 0x48, 0xa5]];

fn is_memory_routine(symbol: &str) -> bool {
    let name = symbol.trim_start_matches('_');
    name.starts_with("mem") || matches!(name, "bcmp" | "bcopy" | "bzero") || symbol.contains("compiler_builtins")
}

/// A panic ends the routine: what it calls is no part of it.
fn is_panic(symbol: &str) -> bool {
    symbol.contains("panic") || symbol.contains("slice_index_fail") || symbol.contains("unwind")
}

/// Whether this is how a row sets, copies or fills.
fn is_routine(symbol: &str) -> bool {
    symbol.contains("fast_mem") && symbol.contains("Kernel")
}

/// The routines of the rows, and everything that they call.
fn of_variants(functions: &Functions) -> BTreeSet<&str> {
    let mut open: Vec<&str> = functions.keys().map(String::as_str).filter(|name| is_routine(name)).collect();
    assert!(open.len() >= fast_mem::variants().count(), "only {open:?} look like routines of variants");
    let mut all = BTreeSet::new();
    while let Some(name) = open.pop() {
        if all.insert(name) {
            let targets = functions[name].iter().filter_map(Instruction::target);
            open.extend(targets.filter_map(|target| match target {
                Target::Symbol(symbol) => functions.get_key_value(symbol).map(|(name, _)| name.as_str()),
                _ => None,
            }));
            open.retain(|name| !is_panic(name));
        }
    }
    all
}

fn expect_no_memory_call(profile: &str, name: &str, function: &[Instruction]) {
    for instruction in function {
        match instruction.target() {
            Some(Target::Symbol(symbol)) if is_memory_routine(symbol) => {
                panic!("{profile}: {name} leads to {symbol}: {}", instruction.text)
            }
            Some(Target::Computed) => panic!("{profile}: {name} leads somewhere unknown: {}", instruction.text),
            _ => {}
        }
    }
}

/// Returns the string instructions that occur.
fn expect_exact_strings(profile: &str, name: &str, function: &[Instruction]) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    for Instruction { text, bytes, .. } in function {
        assert!(text != "std", "{profile}: {name} sets the direction flag");
        if text.starts_with("rep") {
            assert!(STRINGS.contains(&bytes.as_slice()), "{profile}: {name}: {text} is {bytes:02x?}");
            found.insert(bytes.clone());
        }
    }
    found
}

fn look_at(profile: &str, functions: &Functions) {
    let variants = of_variants(functions);
    let mut strings = BTreeSet::new();
    for &name in &variants {
        expect_no_memory_call(profile, name, &functions[name]);
        strings.append(&mut expect_exact_strings(profile, name, &functions[name]));
    }
    assert_eq!(strings.len(), STRINGS.len(), "{profile}: not all string instructions were found: {strings:02x?}");
    for duty in [&CLEAN_REGISTERS, &FENCE] {
        let concerned = variants.iter().filter(|&&name| duty.concerns(&functions[name])).count();
        assert!(concerned >= 3, "{profile}: only {concerned} functions owe {}", duty.what);
        let mut ledger = Ledger::new(duty, functions);
        for name in variants.iter().filter(|name| is_routine(name)) {
            assert!(!ledger.is_left_owing(name, false), "{profile}: some exit of {name} owes {}", duty.what);
        }
    }
}

/// At most so many instructions, of which none calls: the ways that call sites have for a small length, each folded to
/// that length, and one jump for the rows that want to be called.
fn expect_in_place(profile: &str, probe: &Functions, name: &str, most: usize) {
    let function = &probe[name];
    let texts: Vec<_> = function.iter().map(|instruction| &instruction.text).collect();
    let leaves = function
        .iter()
        .filter(|instruction| matches!(instruction.target(), Some(Target::Symbol(_) | Target::Computed)));
    assert!(!function.iter().any(Instruction::is_call) && leaves.count() <= 1, "{profile}: {name}: {texts:#?}");
    assert!(function.len() <= most, "{profile}: {name} has more than {most} instructions: {texts:#?}");
}

/// Nothing but moves and the return: what the compiler makes of `[u8; N]::fill` and of an assignment, too.
fn expect_stores(profile: &str, probe: &Functions, name: &str, most: usize) {
    let texts: Vec<_> = probe[name].iter().map(|instruction| instruction.text.as_str()).collect();
    let stores = texts.iter().filter(|text| text.starts_with("mov") || text.starts_with("xor"));
    assert_eq!(stores.count() + 1, texts.len(), "{profile}: {name}: {texts:#?}");
    assert!(texts.len() <= most, "{profile}: {name} has more than {most} instructions: {texts:#?}");
}

#[test]
fn every_profile() {
    if Grid::get() == Grid::Thin {
        return not_run("the disassembly", "FAST_MEM_TEST_GRID is thin");
    }
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return not_run("the disassembly", "it reads that of x86-64 Linux");
    }
    if !objdump::exists() {
        return not_run("the disassembly", "there is no objdump: install binutils");
    }
    let package = package();
    for profile in PROFILES {
        let [functions, probe] = compile(&package, profile);
        look_at(profile, &functions);
        if profile != "dev" {
            expect_in_place(profile, &probe, "probe_set_slice_24", 24);
            expect_in_place(profile, &probe, "probe_copy_slice_16", 24);
            expect_in_place(profile, &probe, "probe_fill_8", 40);
            expect_in_place(profile, &probe, "probe_set_4096", 8);
            expect_stores(profile, &probe, "probe_set_24", 4);
            expect_stores(profile, &probe, "probe_copy_16", 3);
            expect_stores(profile, &probe, "probe_copy_to_48", 7);
        }
    }
}
