//! Unmodified programs with `examples/preload.rs` in front of libc: every variant, the same output as without.

#![cfg(target_os = "linux")]

mod whole;

use std::path::PathBuf;
use std::process::{Command, Output};

/// What each program is given to do, as a shell does it; all of it is deterministic.
const PROGRAMS: [(&str, &str); 8] = [
    (
        "python3",
        "python3 -c 'import hashlib, json, zlib
d = bytearray(range(256)) * 4000; d[1000:] = d[:-1000]; d.extend(b\"x\" * 100000)
print(hashlib.sha256(zlib.decompress(zlib.compress(d))).hexdigest(), json.dumps({str(i): [i] * 50 for i in range(999)}))'",
    ),
    ("perl", "perl -e '$s = join \",\", map { $_ x 9 } 1..20000; $s =~ s/1(\\d)/$1$1/g; print reverse sort split /,/, $s'"),
    ("git", "git diff --no-index --stat --patch Cargo.toml src/lib.rs; git hash-object src/*.rs"),
    (
        "sqlite3",
        "sqlite3 :memory: 'create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
insert into t select i, hex(i * 77777) || printf(\"%.*c\", i % 300, \"x\") from n; create index u on t(b);
select sum(length(b)), min(b), max(b) from t; select b from t order by b desc limit 50; pragma integrity_check'",
    ),
    ("gcc", "gcc -x c -O2 -S -o - - <include/fast_mem.h"),
    ("tar", "tar -cf - src | sha256sum"),
    ("gzip", "cat src/*.rs src/*.rs | gzip -9 | tee /dev/stderr | gzip -d | sha256sum"),
    ("bash", "bash -c 'for i in {1..2000}; do s=$s,$i${s:0:99}; done; echo ${s//1/one} | sort | cksum'"),
];

fn library() -> PathBuf {
    whole::example("preload").join("libpreload.so")
}

fn shell(script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.current_dir(whole::root()).args(["-c", script]);
    shell
}

fn told(Output { status, stdout, stderr }: &Output) -> (Option<i32>, &[u8], &[u8]) {
    (status.code(), stdout, stderr)
}

#[test]
fn programs_do_the_same_with_every_variant() {
    let library = library();
    for (name, script) in PROGRAMS {
        if !shell(&format!("command -v {name} >/dev/null")).status().unwrap().success() {
            println!("not run: {name} (not installed)");
            continue;
        }
        let plain = shell(script).output().unwrap();
        assert!(plain.status.code().is_some_and(|code| code <= 1), "{name}: {plain:?}");
        let bound_at_start = shell(script).env("LD_PRELOAD", &library).env("LD_BIND_NOW", "1").output().unwrap();
        assert!(told(&bound_at_start) == told(&plain), "{name}: {bound_at_start:?}");
        for variant in whole::variants() {
            let mut preloaded = shell(script);
            let output = preloaded.env("LD_PRELOAD", &library).env("FAST_MEM_VARIANT", variant).output().unwrap();
            assert!(told(&output) == told(&plain), "{name} with {variant}: {output:?}");
        }
    }
}

/// A program of its own, without a shell, which would be preloaded too.
fn preloaded(program: &[&str]) -> Command {
    let mut command = Command::new(program[0]);
    command.current_dir(whole::root()).args(&program[1..]).env("LD_PRELOAD", library());
    command
}

#[test]
fn an_impossible_variant_is_reported_and_the_program_runs() {
    let output = whole::run(preloaded(&["gzip", "-c", "Cargo.toml"]).env("FAST_MEM_VARIANT", "fastest"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said.matches("fast_mem: FAST_MEM_VARIANT: \"fastest\" is no variant").count(), 1, "{said}");
}

#[test]
fn calls_bind_to_the_preloaded_library() {
    let mut perl = preloaded(&["perl", "-e", "print 1"]);
    let bindings = whole::run(perl.env("LD_DEBUG", "bindings").env("LD_BIND_NOW", "1")).stderr;
    let bindings = String::from_utf8_lossy(&bindings);
    for symbol in ["memcpy", "memset", "memmove", "__memcpy_chk"] {
        let bound = |line: &&str| line.contains("binding file ") && line.contains(&format!("normal symbol `{symbol}'"));
        let (ours, others): (Vec<&str>, Vec<&str>) =
            bindings.lines().filter(bound).partition(|line| line.contains("libpreload.so [0]: normal"));
        assert!(!ours.is_empty(), "{symbol}: no call binds to the library");
        assert!(others.is_empty(), "{symbol}: {others:#?}");
    }
}
