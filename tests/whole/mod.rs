//! Whole programs: how the tests build them, and what they run them with.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The package's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of this test's own, below cargo's.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs to the end.
///
/// # Panics
/// If it fails, with what it said.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    output
}

/// Builds an example in the profile that this test was built in, and returns the folder where it is.
pub(crate) fn example(name: &str) -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let profile = exe.parent().and_then(Path::parent).unwrap();
    let release: &[&str] = if profile.ends_with("release") { &["--release"] } else { &[] };
    let mut cargo = Command::new(env!("CARGO"));
    run(cargo.current_dir(root()).args(["build", "--quiet", "--example", name]).args(release));
    profile.join("examples")
}

/// Builds the program in `tests/consumer`, and returns it.
pub(crate) fn consumer(opt_level: &str, lto: &str, symbols: bool) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level).env("CARGO_PROFILE_RELEASE_LTO", lto);
    let folder = folder(&format!("consumer-{opt_level}-{lto}{}", if symbols { "-symbols" } else { "" }));
    build(&mut cargo, &folder, symbols);
    folder.join("release/reformat")
}

/// Builds it statically linked, without or with a fixed address.
pub(crate) fn static_consumer(relocation_model: &str) -> PathBuf {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let mut cargo = Command::new(env!("CARGO"));
    cargo.env("RUSTFLAGS", format!("-C target-feature=+crt-static -C relocation-model={relocation_model}"));
    let folder = folder(&format!("consumer-static-{relocation_model}"));
    build(cargo.env("CARGO_BUILD_TARGET", TARGET), &folder, true);
    folder.join(TARGET).join("release/reformat")
}

fn build(cargo: &mut Command, folder: &Path, symbols: bool) {
    cargo.current_dir(root().join("tests/consumer")).args(["build", "--quiet", "--release", "--bin", "reformat"]);
    run(cargo.env("CARGO_TARGET_DIR", folder).args(if symbols { &["--features", "symbols"][..] } else { &[] }));
}

/// What a program makes of a document that `reformat` understands, with `FAST_MEM_VARIANT` if that is not empty.
pub(crate) fn reformatted(program: &Path, variant: &str) -> Output {
    let mut child = Command::new(program);
    child.arg("3").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if !variant.is_empty() {
        child.env("FAST_MEM_VARIANT", variant);
    }
    let mut child = child.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let record = format!("{{\"text\": \"{}\", \"list\": [1, 2.5, null]}},", "lorem ipsum ".repeat(99));
    let writer = std::thread::spawn(move || input.write_all(format!("[{}0]", record.repeat(500)).as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{}: {output:?}", program.display());
    output
}

/// The variants that this machine can run.
pub(crate) fn variants() -> Vec<&'static str> {
    fast_mem::variants().filter(|variant| variant.is_supported()).map(fast_mem::Variant::name).collect()
}
