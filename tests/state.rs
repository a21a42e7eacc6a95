//! What a call leaves behind in the CPU: nothing.
//!
//! A harness in assembly puts known values where a callee must keep them, calls, and looks at once: callee-saved
//! registers, the stack pointer, the direction flag, the rounding modes and exceptions of SSE and x87, and (by XGETBV
//! with ECX = 1) whether an upper half of a vector register is in use. Each row in a process of its own, chosen by the
//! environment, so that nothing lies between the harness and the row but a jump.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(debug_assertions)))]

mod common;

use common::{each_variant, in_child, not_run};
use core::arch::{global_asm, x86_64::__cpuid_count};
use std::ffi::OsStr;

/// What is found after a call.
#[derive(Debug, Default)]
#[repr(C)]
struct Left {
    /// rbx, rbp, r12 to r15.
    saved: [u64; 6],
    stack_moved: u64,
    flags: u64,
    in_use: u64,
    mxcsr: u32,
    x87_control: u16,
    x87_status: u16,
}

unsafe extern "C" {
    /// Calls `f(a, b, c)` and looks; XGETBV only where `xgetbv` is not 0.
    fn fast_mem_test_observe(f: *const (), a: *mut u8, b: usize, c: usize, left: *mut Left, xgetbv: usize);
}

global_asm!(
    ".globl fast_mem_test_observe",
    "fast_mem_test_observe:",
    "push rbx",
    "push rbp",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "push r9",
    "push r8",
    "push 0x1f80",
    // Ten quadwords with the return address: the stack is aligned as a callee expects.
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "push 0x5f80",
    "ldmxcsr dword ptr [rsp]",
    "pop rcx",
    "push 0x0e7f",
    "fninit",
    "fldcw word ptr [rsp]",
    "pop rcx",
    "mov rbx, 0x0101010101010101",
    "mov rbp, 0x0202020202020202",
    "mov r12, 0x0303030303030303",
    "mov r13, 0x0404040404040404",
    "mov r14, 0x0505050505050505",
    "mov r15, 0x0606060606060606",
    "mov [rip + {stack}], rsp",
    "call rax",
    "mov r10, rsp",
    "mov rsp, [rip + {stack}]",
    "sub r10, rsp",
    "pushfq",
    "pop r11",
    "cld",
    "mov r8, [rsp + 8]",
    "mov [r8], rbx",
    "mov [r8 + 8], rbp",
    "mov [r8 + 16], r12",
    "mov [r8 + 24], r13",
    "mov [r8 + 32], r14",
    "mov [r8 + 40], r15",
    "mov [r8 + 48], r10",
    "mov [r8 + 56], r11",
    "stmxcsr dword ptr [r8 + 72]",
    "fnstcw word ptr [r8 + 76]",
    "fnstsw word ptr [r8 + 78]",
    "ldmxcsr dword ptr [rsp]",
    "fninit",
    "cmp qword ptr [rsp + 16], 0",
    "je 2f",
    "mov ecx, 1",
    "xgetbv",
    "mov [r8 + 64], eax",
    "2:",
    "add rsp, 24",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbp",
    "pop rbx",
    "ret",
    stack = sym STACK,
);

static STACK: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0);

extern "C" fn set(dst: *mut u8, byte: usize, n: usize) {
    // SAFETY: only called with the buffer of `observe_all`, which is longer than any n there.
    unsafe { fast_mem::raw::write_bytes(dst, byte as u8, n) }
}

extern "C" fn fill(dst: *mut u8, value: usize, n: usize) {
    // SAFETY: the same buffer, whose start is aligned.
    let words = unsafe { core::slice::from_raw_parts_mut(dst.cast::<u64>(), n / 8) };
    fast_mem::fill(words, value as u64);
}

extern "C" fn copy(dst: *mut u8, distance: usize, n: usize) {
    // SAFETY: both ranges lie in the same buffer.
    unsafe { fast_mem::raw::copy(dst.wrapping_add(distance).cast_const(), dst, n) }
}

extern "C" fn back(dst: *mut u8, distance: usize, n: usize) {
    // SAFETY: both ranges lie in the same buffer.
    unsafe { fast_mem::raw::copy(dst.cast_const(), dst.wrapping_add(distance), n) }
}

/// XINUSE's bits for the upper halves of ymm0 to ymm15 and of zmm0 to zmm15.
const UPPER: u64 = 1 << 2 | 1 << 6;

fn has_xgetbv_1() -> bool {
    let osxsave = __cpuid_count(1, 0).ecx & 1 << 27 != 0;
    osxsave && __cpuid_count(0, 0).eax >= 0xd && __cpuid_count(0xd, 1).eax & 1 << 2 != 0
}

fn observe(f: *const (), dst: *mut u8, b: usize, c: usize) -> Left {
    let mut left = Left::default();
    // SAFETY: `f` is one of the four above, called as it wants; the harness keeps what this function relies on.
    unsafe { fast_mem_test_observe(f, dst, b, c, &raw mut left, usize::from(has_xgetbv_1())) };
    left
}

fn check(left: &Left, case: &str) {
    let kept = core::array::from_fn(|i| (i as u64 + 1) * 0x0101_0101_0101_0101);
    assert_eq!(left.saved, kept, "{case}: a callee-saved register changed");
    assert_eq!(left.stack_moved, 0, "{case}: the stack pointer moved");
    assert_eq!(left.flags & 1 << 10, 0, "{case}: the direction flag is set");
    assert_eq!(left.mxcsr, 0x5f80, "{case}: mxcsr changed");
    assert_eq!((left.x87_control, left.x87_status), (0x0e7f, 0), "{case}: x87 changed");
    assert_eq!(left.in_use & UPPER, 0, "{case}: an upper half is in use: {:#x}", left.in_use);
}

fn observe_all() -> usize {
    let mut words = vec![0u64; 5 << 10];
    let dst = words.as_mut_ptr().cast::<u8>();
    let mut cases = 0;
    for n in (0..300).chain([511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 3072, 4096, 8192, 16 << 10]) {
        for (name, f, b) in [
            ("set", set as *const (), 7),
            ("zero", set as *const (), 0),
            ("fill", fill as *const (), 0x0102_0304),
            ("copy", copy as *const (), 20 << 10),
            ("copy at a bad distance", back as *const (), (20 << 10) + 1),
            ("move up", copy as *const (), 33),
            ("move down", back as *const (), 33),
        ] {
            check(&observe(f, dst, b, n), &format!("{name} of {n}"));
            cases += 1;
        }
    }
    cases
}

const SMALL: &str = "set_streaming=2048,zero_streaming=2560,copy_streaming=3072,set_rep=256,copy_rep=300,aliased_rep=1200,fresh_rep=1500,source_align=900";

#[test]
fn every_row_keeps_the_callers_state() {
    if !common::child::overrides_are_read("rows by the environment") {
        return;
    }
    if !has_xgetbv_1() && !common::child::is_child() {
        not_run("upper halves", "this CPU does not tell which are in use (XGETBV with ECX = 1)");
    }
    for variant in each_variant() {
        for (tunables, task) in [("set_rep=never", "strings"), (SMALL, "small")] {
            let vars = [("FAST_MEM_VARIANT", OsStr::new(variant.name())), ("FAST_MEM_TUNABLES", OsStr::new(tunables))];
            let task = format!("{} {task}", variant.name());
            let Some(answer) = in_child("every_row_keeps_the_callers_state", &task, &vars, || {
                assert_eq!(fast_mem::selection().set.variant.name(), variant.name());
                observe_all().to_string()
            }) else {
                continue;
            };
            println!("observed {} {}", variant.name(), answer.text);
        }
    }
}

unsafe extern "C" {
    /// Leaves behind all that the harness looks for; a dirty ymm where `c` is not 0.
    fn fast_mem_test_untidy(a: *mut u8, b: usize, c: usize);
}

global_asm!(
    ".globl fast_mem_test_untidy",
    "fast_mem_test_untidy:",
    "std",
    "inc rbx",
    "push 0x1f80",
    "ldmxcsr dword ptr [rsp]",
    "pop rcx",
    "fninit",
    "test rdx, rdx",
    "je 2f",
    "vpcmpeqd ymm3, ymm3, ymm3",
    "2:",
    "ret",
);

/// The harness sees what it should: code that leaves each of these behind.
#[test]
fn the_harness_sees_what_is_left_behind() {
    let wide = has_xgetbv_1() && std::arch::is_x86_feature_detected!("avx2");
    let left = observe(fast_mem_test_untidy as *const (), core::ptr::null_mut(), 0, usize::from(wide));
    assert_eq!(left.saved[0], 0x0101_0101_0101_0102);
    assert_ne!(left.flags & 1 << 10, 0);
    assert_eq!((left.mxcsr, left.x87_control), (0x1f80, 0x037f));
    assert_eq!(left.in_use & UPPER != 0, wide, "{left:x?}");
}
