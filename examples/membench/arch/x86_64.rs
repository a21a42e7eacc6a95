//! x86-64: the time-stamp counter, and instructions of known length and latency.

use core::arch::asm;
use core::arch::x86_64::{_mm_clflush, _mm_lfence, _mm_mfence, _rdtsc};

/// What [`ticks`] counts.
pub(crate) const CLOCK: &str = "serialised time-stamp counter";

/// Core cycles that one step of [`chain`] takes, where that is known.
pub(crate) const CHAIN_CYCLES: Option<f64> = Some(1.0);

/// The time-stamp counter, with every earlier load and instruction finished and no later one begun.
#[inline(always)]
pub(crate) fn ticks() -> u64 {
    // SAFETY: LFENCE is SSE2 and RDTSC is baseline, both in every x86-64; neither touches memory.
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

/// `steps` additions (rounded up to 16), each needing the one before: one core cycle a step on every
/// x86-64 so far. Two registers are added because newer cores do additions of constants for nothing.
#[inline(never)]
pub(crate) fn chain(steps: u64) {
    // SAFETY: registers only, all declared.
    unsafe {
        asm!(
            "2:",
            ".rept 16",
            "add {x}, {y}",
            ".endr",
            "dec {n}",
            "jnz 2b",
            x = inout(reg) 1u64 => _,
            y = in(reg) 3u64,
            n = inout(reg) steps.div_ceil(16).max(1) => _,
            options(nomem, nostack)
        );
    }
}

/// Leaves the upper halves of the vector registers clean. A routine that does not would cost the next
/// one's legacy-SSE code 450 cycles a call (a Zen 3), and in a rotation that is somebody else.
pub(crate) fn clean_registers() {
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: AVX was found just now; the clobbers say that no vector register keeps its value.
        unsafe { asm!("vzeroupper", clobber_abi("sysv64"), options(nomem, nostack, preserves_flags)) };
    }
}

/// Moves the code behind it by a quarter of a cache line for each number of the call site.
#[inline(always)]
pub(crate) fn pad_before<const SITE: usize>() {
    // SAFETY: one jump over `nop`s, no operand.
    unsafe {
        asm!("jmp 2f", ".nops 16 * {site} + 1", "2:", site = const SITE, options(nomem, nostack, preserves_flags));
    }
}

/// Moves the call inside a loop, whose head the compiler aligns to 16. At most two `nop`s are executed.
#[inline(always)]
pub(crate) fn pad_inside<const SITE: usize>() {
    // SAFETY: `nop`s, no operand.
    unsafe {
        asm!(".nops 1 + 4 * {site}", site = const SITE, options(nomem, nostack, preserves_flags));
    }
}

/// Evicts `n` bytes from `start` from every cache.
///
/// # Safety
/// `start..start + n` is mapped.
pub(crate) unsafe fn flush(start: *const u8, n: usize) {
    for offset in (0..n).step_by(64).chain(n.checked_sub(1)) {
        // SAFETY: `offset < n`, and the caller says that these bytes are mapped. SSE2.
        unsafe { _mm_clflush(start.add(offset)) };
    }
    // SAFETY: MFENCE is SSE2; it orders the flushes before what follows.
    unsafe { _mm_mfence() };
}
