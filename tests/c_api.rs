//! `include/fast_mem.h` with a C and a C++ compiler, linked statically and dynamically; and that header and code agree.

#![cfg(target_os = "linux")]

mod whole;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the Rust staticlib needs, as `rustc --print native-static-libs` says.
const STATIC: [&str; 2] = ["-lgcc_s", "-lc"];

fn compile(compiler: &str, name: &str, library: &[&str]) -> PathBuf {
    let program = whole::folder("c_api").join(name);
    let mut gcc = Command::new(compiler);
    gcc.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2", "-I"]).arg(whole::root().join("include"));
    whole::run(gcc.arg("-o").arg(&program).arg(whole::root().join("tests/c_api.c")).args(library));
    program
}

fn works_with_every_variant(program: &Path, library: &Path) {
    let run = |variant| {
        let output = whole::run(Command::new(program).env("FAST_MEM_VARIANT", variant).env("LD_LIBRARY_PATH", library));
        String::from_utf8(output.stdout).unwrap()
    };
    for variant in whole::variants() {
        assert_eq!(run(variant), format!("0 {variant} {variant}\n"));
    }
    assert!(run("fastest").starts_with("-1 "), "an impossible wish is told");
}

#[test]
fn a_c_program_works_with_the_static_library() {
    let library = whole::example("fast_mem_c");
    let archive = library.join("libfast_mem_c.a");
    let program = compile("gcc", "static", &[&[archive.to_str().unwrap()], &STATIC[..]].concat());
    works_with_every_variant(&program, &library);
}

#[test]
fn a_c_and_a_cpp_program_work_with_the_dynamic_library() {
    let library = whole::example("fast_mem_c");
    let place = format!("-L{}", library.display());
    for (compiler, language) in [("gcc", "c"), ("g++", "c++")] {
        let program = compile(compiler, language, &["-x", "none", &place, "-lfast_mem_c"]);
        works_with_every_variant(&program, &library);
    }
}

#[test]
fn header_and_library_have_the_same_functions() {
    let library = whole::example("fast_mem_c").join("libfast_mem_c.so");
    let listed = whole::run(Command::new("nm").args(["-D", "--defined-only", "--format=just-symbols"]).arg(library));
    let exported: BTreeSet<String> = String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect();
    let header = std::fs::read_to_string(whole::root().join("include/fast_mem.h")).unwrap();
    let code: String = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code)).collect();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let declared = |name: &&str| name.starts_with("fm_");
    let declared: BTreeSet<String> = code.split(|c| !word(c)).filter(declared).map(str::to_owned).collect();
    assert!(!declared.is_empty());
    let ours = |name: &&String| name.starts_with("fm_");
    assert_eq!(exported.iter().filter(ours).cloned().collect::<BTreeSet<_>>(), declared);
}
