//! What this machine gets, against what its bed says it should.
//!
//! A bed that knows its machine names it: `FAST_MEM_EXPECT="nehalem nehalem"` (set, then copy). Everywhere else the
//! choice must be the one that the pure selection makes for this CPU.

use fast_mem::{Routine, Source, select};

fn chosen() -> [&'static str; 2] {
    let selection = fast_mem::selection();
    [selection.set.variant.name(), selection.copy.variant.name()]
}

fn expected() -> Vec<String> {
    match std::env::var("FAST_MEM_EXPECT") {
        Ok(names) => names.split_whitespace().map(str::to_owned).collect(),
        Err(_) => {
            let cpu = fast_mem::cpu();
            [Routine::Set, Routine::Copy].map(|routine| select(routine, &cpu, None).variant.name().to_owned()).into()
        }
    }
}

#[test]
fn the_choice_is_the_expected_one() {
    let overridden = std::env::var_os("FAST_MEM_VARIANT").is_some();
    assert!(!overridden, "FAST_MEM_VARIANT is set: nothing is chosen");
    if fast_mem::selection().set.source == Source::Feature {
        return println!("not run: the automatic choice: a feature forces a row");
    }
    let cpu = fast_mem::cpu();
    println!("cpu {} {:X}h {:X}h: {}", cpu.vendor(), cpu.family(), cpu.model(), cpu.features());
    println!("chosen {}", chosen().join(" "));
    assert_eq!(chosen().as_slice(), expected().as_slice(), "{cpu:?}");
}

/// A bed whose operating system does not save wide registers says which rows it may run at most:
/// `FAST_MEM_RUNNABLE="sse2 …"`. Everywhere: what is called supported runs, and what is not says so and touches nothing.
#[test]
fn supported_rows_run_and_others_refuse() {
    let mut buffer = [1; 200];
    let mut runnable = Vec::new();
    for variant in fast_mem::variants() {
        let set = variant.set(&mut buffer, 7);
        assert_eq!(set.is_ok(), variant.is_supported(), "{}", variant.name());
        assert_eq!(buffer, [if set.is_ok() { 7 } else { 1 }; 200], "{}", variant.name());
        runnable.extend(set.is_ok().then_some(variant.name()));
        buffer = [1; 200];
    }
    if let Ok(names) = std::env::var("FAST_MEM_RUNNABLE") {
        assert_eq!(runnable.join(" "), names);
    }
}
