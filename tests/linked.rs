//! How call sites find the pointers that they call through: by their address in a file that holds them, by the offset table elsewhere.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

mod common;
mod whole;

use std::process::Command;

fn said_by(program: &str, arguments: &[&str]) -> String {
    let output = whole::run(Command::new(program).args(arguments));
    String::from_utf8(output.stdout).unwrap()
}

/// A slot of the offset table would be filled at the start of a program whose address is not fixed: there would be a relocation to the
/// address of the pointers.
#[test]
fn no_load_is_left_in_one_file() {
    if Command::new("readelf").arg("--version").output().is_err() {
        return common::not_run("what the linker makes of call sites", "there is no readelf: install binutils");
    }
    // This program is one that inlines call sites, with these.
    let mut buf = vec![1; 100];
    fast_mem::zero(&mut buf);
    assert_eq!(buf, [0; 100], "{:?}", fast_mem::selection());
    let program = std::env::current_exe().unwrap();
    let program = program.to_str().unwrap();
    let symbols = said_by("readelf", &["--symbols", "--wide", program]);
    let pointers = symbols.lines().find(|line| line.contains("TARGETS")).expect("the pointers have a symbol");
    let address = pointers.split_whitespace().nth(1).unwrap().trim_start_matches('0').to_owned();
    let relocations = said_by("readelf", &["--relocs", "--wide", program]);
    assert!(relocations.contains("R_X86_64_RELATIVE"), "the program is expected to run at any address");
    let slots: Vec<_> = relocations.lines().filter(|line| line.split_whitespace().last() == Some(&address)).collect();
    assert!(slots.is_empty(), "the offset table holds the address of the pointers: {slots:?}");
}

/// Where the pointers lie in another shared file, the table it is.
#[test]
fn rust_libraries_can_share_it() {
    let target = whole::folder("shared");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(whole::root().join("tests/shared")).args(["build", "--quiet", "--release"]);
    cargo.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", "-C prefer-dynamic").env_remove("CARGO_ENCODED_RUSTFLAGS");
    whole::run(&mut cargo);
    let standard = said_by("rustc", &["--print", "target-libdir"]);
    let release = target.join("release");
    let libraries = format!("{0}:{0}/deps:{1}", release.display(), standard.trim());
    let mut program = Command::new(release.join("program"));
    let output = whole::run(program.env("LD_LIBRARY_PATH", libraries).env("FAST_MEM_VARIANT", "sse2"));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "sse2");
}
