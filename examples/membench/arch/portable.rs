//! Any other architecture: the monotonic clock, and no knowledge of instructions.

use super::{PEAK_STEP, Peak, PeakKind};
use core::hint::black_box;
use std::sync::OnceLock;
use std::time::Instant;

/// What [`ticks`] counts.
pub(crate) const CLOCK: &str = "monotonic clock";

/// Core cycles that one step of [`chain`] takes, where that is known.
pub(crate) const CHAIN_CYCLES: Option<f64> = None;

/// Whether this architecture has code that evicts code.
pub(crate) const HAS_CODE_THRASH: bool = false;

/// Nanoseconds since the first call.
pub(crate) fn ticks() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Steps that each need the one before, of a latency that is constant but not known.
#[inline(never)]
pub(crate) fn chain(steps: u64) {
    let mut x = 1u64;
    for _ in 0..steps {
        x = black_box(x.wrapping_mul(3));
    }
}

/// No register keeps anything that a later routine pays for.
pub(crate) fn clean_registers() {}

/// No padding is known here: all call sites lie where the compiler puts them.
#[inline(always)]
pub(crate) fn pad_before<const SITE: usize>() {
    black_box(SITE);
}

/// As [`pad_before`].
#[inline(always)]
pub(crate) fn pad_inside<const SITE: usize>() {}

/// Evicts by reading 64 MiB of something else.
///
/// # Safety
/// None here; the twin that flushes lines needs mapped memory.
pub(crate) unsafe fn flush(_start: *const u8, _n: usize) {
    static OTHER: OnceLock<Vec<u8>> = OnceLock::new();
    let other = OTHER.get_or_init(|| vec![1; 64 << 20]);
    black_box(other.iter().step_by(64).map(|&b| u64::from(b)).sum::<u64>());
}

/// Never called: [`HAS_CODE_THRASH`] is false.
pub(crate) fn thrash_code(seed: u32) -> u32 {
    seed
}

/// Nothing is forgotten: [`HAS_CODE_THRASH`] is false.
pub(crate) fn forget_branches(seed: u32) -> u32 {
    seed
}

/// Never called: [`HAS_CODE_THRASH`] is false.
pub(crate) fn chill_code() {}

/// The portable loops: sixteen bytes at a time, unrolled by the compiler.
pub(crate) fn kernels() -> Vec<Peak> {
    vec![
        Peak { name: "store", kind: PeakKind::Store, run: store },
        Peak { name: "load", kind: PeakKind::Load, run: load },
        Peak { name: "copy", kind: PeakKind::Copy, run: copy },
    ]
}

type Turn = [u128; PEAK_STEP / 16];

unsafe fn store(dst: *mut u8, _src: *const u8, n: usize, byte: u8) {
    let value: Turn = [u128::from_ne_bytes([byte; 16]); PEAK_STEP / 16];
    for offset in (0..n).step_by(PEAK_STEP) {
        // SAFETY: `offset + PEAK_STEP <= n`, because `n` is a multiple; the address is a multiple of 64.
        unsafe { dst.add(offset).cast::<Turn>().write(black_box(value)) };
    }
}

unsafe fn load(_dst: *mut u8, src: *const u8, n: usize, _byte: u8) {
    let mut sum = 0u128;
    for offset in (0..n).step_by(PEAK_STEP) {
        // SAFETY: as in `store`, for what is read.
        sum ^= unsafe { src.add(offset).cast::<Turn>().read() }.iter().fold(0, |a, &b| a ^ b);
    }
    black_box(sum);
}

unsafe fn copy(dst: *mut u8, src: *const u8, n: usize, _byte: u8) {
    for offset in (0..n).step_by(PEAK_STEP) {
        // SAFETY: as in `store` and `load`; the ranges do not overlap.
        unsafe { dst.add(offset).cast::<Turn>().write(black_box(src.add(offset).cast::<Turn>().read())) };
    }
}
