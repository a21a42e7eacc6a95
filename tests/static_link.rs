//! Static programs, at a fixed address and not: libc itself calls these functions before it can say what the environment is.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

mod whole;

use std::path::Path;

/// Calls from libc's own start must neither crash nor settle the choice.
fn runs_and_obeys(program: &Path, expected: &[u8]) {
    let plain = whole::reformatted(program, "");
    assert!(plain.stdout == expected && plain.stderr.is_empty(), "{}", program.display());
    for variant in whole::variants() {
        let output = whole::reformatted(program, variant);
        assert!(output.stdout == expected && output.stderr.is_empty(), "{} with {variant}", program.display());
    }
    let output = whole::reformatted(program, "fastest");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("fast_mem: FAST_MEM_VARIANT: \"fastest\" is no variant").count(), 1, "{said}");
    assert!(output.stdout == expected);
}

#[test]
fn static_programs_run_on_it() {
    let expected = whole::reformatted(&whole::consumer("3", "off", false), "").stdout;
    runs_and_obeys(&whole::consumer("3", "off", true), &expected);
    runs_and_obeys(&whole::static_consumer("static"), &expected);
    runs_and_obeys(&whole::static_consumer("pic"), &expected);
}
