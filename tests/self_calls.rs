//! No memory function reaches itself: what `memset`, `memcpy`, `memmove` and every variant call, in a real program's
//! disassembly, in every profile.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod whole;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What must not be reached.
const MEMORY: [&str; 7] = ["memset", "memcpy", "memmove", "mempcpy", "bzero", "bcopy", "explicit_bzero"];

/// Each function's name in the table of symbols, and which others it calls or jumps to.
type Calls = BTreeMap<String, BTreeSet<String>>;

fn calls(program: &Path) -> Calls {
    let output = whole::run(Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(program));
    let mut calls = Calls::new();
    let mut current = String::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let Some((before, name)) = line.trim_end_matches([':', '>']).rsplit_once('<') else { continue };
        let name = name.split(['+', '@']).next().unwrap_or(name);
        if line.ends_with(">:") {
            name.clone_into(&mut current);
            calls.entry(current.clone()).or_default();
        } else if before.contains("call") || before.contains("\tj") {
            calls.entry(current.clone()).or_default().insert(name.to_owned());
        }
    }
    calls
}

/// Rust's names for the symbols, without hashes.
fn readable(calls: &Calls) -> BTreeMap<String, String> {
    let mut filter = Command::new("c++filt").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let names: Vec<&String> = calls.keys().chain(calls.values().flatten()).collect();
    let mut input = filter.stdin.take().unwrap();
    let text: String = names.iter().map(|name| format!("{name}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = filter.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let plain = |name: &str| name.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect();
    let lines = String::from_utf8(output.stdout).unwrap();
    names.into_iter().cloned().zip(lines.lines().map(plain)).collect()
}

/// The exported functions, every variant's routines, and what runs before the pointers have left their resolvers.
fn starts_here(symbol: &str, name: &str) -> bool {
    let early = ["fast_mem::startup::", "fast_mem::dispatch::baseline", "fast_mem::dispatch::publish_baseline"];
    MEMORY.contains(&symbol)
        || name.contains(" as fast_mem::kernel::Kernel>::")
        || early.iter().any(|e| name.starts_with(e))
}

/// Panics end the program; what they call is not the routine's.
fn is_the_end(name: &str) -> bool {
    let ends =
        ["core::panicking::", "core::slice::index::", "core::option::", "core::result::", "_Unwind", "core::cell::"];
    ends.iter().any(|end| name.starts_with(end))
}

/// How many functions are reached.
#[track_caller]
fn reaches_none(program: &Path) -> usize {
    let calls = calls(program);
    let names = readable(&calls);
    let mut todo: Vec<&str> =
        calls.keys().filter(|symbol| starts_here(symbol, &names[*symbol])).map(String::as_str).collect();
    // Two names of one function (copy and move are the same) are one here.
    let exported = calls.contains_key("memset") && (calls.contains_key("memcpy") || calls.contains_key("memmove"));
    assert!(exported && todo.len() > 20, "{}: {todo:?} is not all of it", program.display());
    let mut seen: BTreeSet<&str> = todo.iter().copied().collect();
    while let Some(symbol) = todo.pop() {
        for callee in calls.get(symbol).into_iter().flatten().filter(|callee| *callee != symbol) {
            let from = &names[symbol];
            assert!(!MEMORY.contains(&callee.as_str()), "{}: {from} reaches {callee}", program.display());
            if !is_the_end(&names[callee]) && seen.insert(callee) {
                todo.push(callee);
            }
        }
    }
    seen.len()
}

fn profiles(profiles: &[(&str, &str)]) {
    let expected = whole::reformatted(&whole::consumer("3", "off", false), "").stdout;
    for (opt_level, lto) in profiles {
        let program = whole::consumer(opt_level, lto, true);
        println!("opt-level {opt_level}, lto {lto}: {} functions, none reaches one", reaches_none(&program));
        assert!(whole::reformatted(&program, "").stdout == expected, "opt-level {opt_level}, lto {lto}");
    }
}

/// The ends of the range: nothing optimised, and everything.
#[test]
fn no_memory_function_reaches_one() {
    profiles(&[("0", "off"), ("3", "off"), ("s", "thin"), ("3", "fat")]);
}

#[test]
#[ignore = "18 builds, some minutes: for tests/programs.sh"]
fn no_memory_function_reaches_one_in_any_profile() {
    for lto in ["off", "thin", "fat"] {
        profiles(&["0", "1", "2", "3", "s", "z"].map(|opt_level| (opt_level, lto)));
    }
}
