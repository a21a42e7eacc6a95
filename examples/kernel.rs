//! fast_mem where nothing is: no operating system's library, no vector registers, no red zone.
//!
//! Built for `x86_64-unknown-none` with `--no-default-features --features symbols`, this is a kernel's situation in a
//! program that Linux can start: a static ELF entered at `_start`, which leaves by a system call. It checks
//! every variant and C's functions, says which ones were chosen, and exits with 0 if all is right.
//! `tests/programs.sh` builds it, looks for vector registers in its disassembly, and runs it.

#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
#[path = "kernel/freestanding.rs"]
mod freestanding;

#[cfg(not(target_os = "none"))]
fn main() {
    println!("build it with --target x86_64-unknown-none --no-default-features --features symbols");
}
