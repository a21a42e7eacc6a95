//! Names the conditions that modules and rows are gated on, each in one place.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let target = |key: &str| env::var(format!("CARGO_CFG_{key}")).unwrap_or_default();
    let has = |list: &str, word: &str| list.split(',').any(|entry| entry == word);

    // 32-bit pointers on x86-64 (x32) would need other address arithmetic in the assembly.
    // An interpreter knows no assembly.
    let miri = env::var("CARGO_CFG_MIRI").is_ok();
    let x86_64 = target("TARGET_ARCH") == "x86_64" && target("TARGET_POINTER_WIDTH") == "64" && !miri;
    // A soft-float target (a kernel) has no SSE2: its registers are the interrupted program's.
    let simd = x86_64 && has(&target("TARGET_FEATURE"), "sse2");
    // The AVX-512 intrinsics are stable from Rust 1.89; older compilers build the crate without that row.
    let avx512 = simd && minor_version().is_some_and(|minor| minor >= 89);
    // Interpreters and sanitizers check accesses that they see: the public functions hand theirs to core.
    let checked = miri || !target("SANITIZE").is_empty();
    // Where the environment can be read without a lock or an allocation, and a set-uid start told.
    let getenv = env::var("CARGO_FEATURE_ENV").is_ok() && has(&target("TARGET_FAMILY"), "unix");
    // The C library's names, which the checking tools above must keep for themselves.
    let symbols = env::var("CARGO_FEATURE_SYMBOLS").is_ok() && !checked;

    // Where linkers make a `lea` of a load from the offset table. A kernel's loader may not know that relocation.
    let elf = ["linux", "android", "freebsd", "netbsd", "openbsd", "dragonfly"].contains(&target("TARGET_OS").as_str());

    let conditions = [
        ("fast_mem_x86_64", x86_64),
        ("fast_mem_simd", simd),
        ("fast_mem_avx512", avx512),
        ("fast_mem_relaxed", x86_64 && elf),
        ("fast_mem_checked", checked),
        ("fast_mem_getenv", getenv),
        ("fast_mem_symbols", symbols),
        ("fast_mem_startup", symbols && getenv),
        ("fast_mem_fortified", symbols && env::var("CARGO_FEATURE_STD").is_ok()),
    ];
    for (name, holds) in conditions {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if holds {
            println!("cargo::rustc-cfg={name}");
        }
    }
}

/// The compiler's minor version: 89 of `rustc 1.89.0 (…)`.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split('.').nth(1)?.parse().ok()
}
