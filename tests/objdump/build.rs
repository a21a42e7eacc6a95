//! Builds the probe and the crate under it, in a package of its own with the profiles that are looked at.

use super::{Functions, functions};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How it is compiled. The last one leaves everything, the standard library too, in one object.
pub(crate) const PROFILES: [&str; 4] = ["dev", "release", "small", "fat"];

fn manifest(root: &Path) -> String {
    let (crate_, probe) = (root.display(), root.join("tests/probe/lib.rs"));
    format!(
        r#"[package]
name = "probe"
version = "0.0.0"
edition = "2024"
[workspace]
[lib]
crate-type = ["cdylib"]
path = {probe:?}
[dependencies]
fast_mem = {{ path = "{crate_}" }}
[profile.small]
inherits = "release"
opt-level = "s"
[profile.fat]
inherits = "release"
lto = "fat"
"#
    )
}

/// A package in cargo's folder for tests.
pub(crate) fn package() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe");
    fs::create_dir_all(&folder).expect("cargo's folder for tests can be written");
    fs::write(folder.join("Cargo.toml"), manifest(root)).expect("the package can be written");
    // The same versions as here, which are at hand already.
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("this package has a lock file");
    folder
}

/// The functions of the crate, and those of the probe, in a profile.
pub(crate) fn compile(package: &Path, profile: &str) -> [Functions; 2] {
    let object = package.join(format!("{profile}.o"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["rustc", "--lib", "--offline", "--message-format=json", "--profile", profile, "--"])
        // One unit, so that there is one object.
        .args(["-Ccodegen-units=1", &format!("--emit=obj={}", object.display())])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", package.join("target"))
        // Instrumented code is another subject.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{profile}: {}", String::from_utf8_lossy(&output.stderr));
    let probe = functions(&object);
    if profile == "fat" {
        return [functions(&object), probe];
    }
    [functions(&library(&output.stdout)), probe]
}

/// The file that cargo says it made of the crate.
fn library(messages: &[u8]) -> PathBuf {
    let text = String::from_utf8_lossy(messages);
    let artifacts = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let ours = artifacts.filter(|message| message["target"]["name"] == "fast_mem" && message["filenames"].is_array());
    let files = ours.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let mut names = files.filter_map(|file| file.as_str().map(PathBuf::from));
    names.find(|path| path.extension().is_some_and(|end| end == "rlib")).expect("cargo names the library that it built")
}
