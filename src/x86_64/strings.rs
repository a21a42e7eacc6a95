//! String instructions: the rows `erms`, `fast_string` and `nehalem`.
//!
//! Only upwards (`std` is never executed: the direction flag stays clear), and only from an aligned
//! destination where the length is worth it: `rep movsb` of 4 KiB to an unaligned one was reported 14
//! times slower. Up to 64 bytes go by overlapping blocks: a start costs some 35 cycles. A move that must go down takes the unrolled quadwords. The instructions are exactly F3 AA,
//! F3 A4, F3 48 AB and F3 48 A5: redundant prefixes on them have hung CPUs (CVE-2023-23583).

use crate::kernel::{Front, Kernel, splat};
use crate::tunables::Threshold;
use crate::x86_64::small;
use crate::x86_64::unrolled::{self, Unrolled};
use core::arch::asm;

const QUAD: usize = 8;
/// Up to here overlapping blocks are stored instead.
const SMALL: usize = Front::MAX;
/// Where the destination is aligned for a string instruction, and from which length on.
pub(super) const LINE: usize = 64;
const WORTH_ALIGNING: usize = 4 * LINE;

/// The row `erms`: bytes, for CPUs whose microcode widens them.
pub(crate) struct Bytes;

/// The row `fast_string`: quadwords, then the last n mod 8 bytes.
pub(crate) struct Quads;

/// The row `nehalem`: unrolled below a threshold, string quadwords from there.
pub(crate) struct Nehalem;

/// `rep stosb`.
///
/// # Safety
/// `dst..dst+n` is writable.
#[inline(always)]
pub(crate) unsafe fn rep_stosb(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: stores n bytes upwards, the ABI keeping the direction flag clear.
    unsafe {
        asm!("rep stosb", inout("rdi") dst => _, inout("rcx") n => _, in("al") byte, options(nostack, preserves_flags));
    }
}

/// `rep movsb`.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `dst` is not inside `src..src+n` (but may be `src`).
#[inline(always)]
pub(crate) unsafe fn rep_movsb(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: copies n bytes upwards, the ABI keeping the direction flag clear.
    unsafe {
        asm!("rep movsb", inout("rdi") dst => _, inout("rsi") src => _, inout("rcx") n => _, options(nostack, preserves_flags));
    }
}

/// `rep stosq`.
///
/// # Safety
/// `count` quadwords from `dst` are writable.
#[inline(always)]
unsafe fn rep_stosq(dst: *mut u8, quad: u64, count: usize) {
    // SAFETY: stores them upwards, the ABI keeping the direction flag clear.
    unsafe {
        asm!("rep stosq", inout("rdi") dst => _, inout("rcx") count => _, in("rax") quad, options(nostack, preserves_flags));
    }
}

/// `rep movsq`.
///
/// # Safety
/// `count` quadwords are readable from `src` and writable from `dst`, and `dst` is not inside that source (but may be `src`).
#[inline(always)]
unsafe fn rep_movsq(dst: *mut u8, src: *const u8, count: usize) {
    // SAFETY: copies them upwards, the ABI keeping the direction flag clear.
    unsafe {
        asm!("rep movsq", inout("rdi") dst => _, inout("rsi") src => _, inout("rcx") count => _, options(nostack, preserves_flags));
    }
}

/// The bytes before the line that a string instruction should start at: none where that is not worth it.
pub(super) fn head(dst: *mut u8, n: usize) -> usize {
    if n >= WORTH_ALIGNING { dst.addr().wrapping_neg() % LINE } else { 0 }
}

/// Copies upwards by string instructions of `UNIT` bytes (1 or 8), from an aligned destination.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `dst` is not inside `src..src+n` (but may be `src`).
#[inline(always)]
pub(crate) unsafe fn upwards<const UNIT: usize>(dst: *mut u8, src: *const u8, n: usize) {
    let head = head(dst, n);
    let strung = (n - head) / UNIT * UNIT;
    let rest = n - head - strung;
    // SAFETY: `head < LINE < n` or 0, and the three ranges make up the caller's. They are copied in
    // rising order, so what one stores of an overlapping source was copied before.
    unsafe {
        unrolled::forward(dst, src, head);
        match UNIT {
            1 => rep_movsb(dst.add(head), src.add(head), strung),
            _ => rep_movsq(dst.add(head), src.add(head), strung / QUAD),
        }
        unrolled::forward(dst.add(head + strung), src.add(head + strung), rest);
    }
}

/// Whether `rep movsb` does not fall to its slow loop: it does where the destination is up to a line above the source
/// modulo 4096 (20 to 50 times slower on Zen before the fifth; Intel's manual names the same range for overlaps).
pub(crate) fn suit(dst: *mut u8, src: *const u8) -> bool {
    !(1..LINE).contains(&(dst.addr().wrapping_sub(src.addr()) % 4096))
}

/// Copies by small blocks, by string instructions upwards, or by quadwords where neither is right.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
#[inline(always)]
unsafe fn copy<const UNIT: usize>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's ranges. Where dst is inside the source, src is not inside the destination, or equal to it.
    unsafe {
        if n <= SMALL {
            small::copy(dst, src, n);
        } else if dst.addr().wrapping_sub(src.addr()) < n {
            unrolled::backward(dst, src, n);
        } else if suit(dst, src) {
            upwards::<UNIT>(dst, src, n);
        } else {
            unrolled::forward(dst, src, n);
        }
    }
}

impl Kernel for Bytes {
    unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
        let head = head(dst, n);
        // SAFETY: the caller's range; `head < LINE < n` or 0.
        unsafe {
            if n <= SMALL {
                small::set(dst, byte, n);
            } else {
                Unrolled::set(dst, byte, head);
                rep_stosb(dst.add(head), byte, n - head);
            }
        }
    }

    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
        // SAFETY: the caller's ranges.
        unsafe { copy::<1>(dst, src, n) }
    }

    unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
        // A pattern of several bytes has no byte string: quadwords stand in.
        // SAFETY: the caller's range and pattern.
        unsafe {
            if pattern == splat(pattern as u8) {
                Self::set(dst, pattern as u8, n)
            } else {
                Quads::fill(dst, pattern, n)
            }
        }
    }
}

impl Kernel for Quads {
    unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
        // SAFETY: the caller's range; a repeated byte has period 1.
        unsafe { Self::fill(dst, splat(byte), n) }
    }

    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
        // SAFETY: the caller's ranges.
        unsafe { copy::<QUAD>(dst, src, n) }
    }

    unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
        if n <= SMALL {
            // SAFETY: the caller's range and pattern.
            return unsafe { small::fill(dst, pattern, n) };
        }
        if pattern as u64 != (pattern >> 64) as u64 {
            // One register of eight bytes cannot hold sixteen.
            // SAFETY: the caller's range and pattern.
            return unsafe { unrolled::spread(dst, pattern, n) };
        }
        let head = head(dst, n);
        let count = (n - head) / QUAD;
        let rest = (n - head) % QUAD;
        // SAFETY: `head < LINE < n` or 0, and the three ranges make up the caller's. The period divides 8,
        // dst and LINE, hence head, and so each range starts in phase.
        unsafe {
            unrolled::spread(dst, pattern, head);
            rep_stosq(dst.add(head), pattern as u64, count);
            unrolled::spread(dst.add(n - rest), pattern, rest);
        }
    }
}

impl Kernel for Nehalem {
    unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
        // SAFETY: the caller's range.
        unsafe { if n < Threshold::NehalemRep.get() { Unrolled::set(dst, byte, n) } else { Quads::set(dst, byte, n) } }
    }

    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
        // SAFETY: the caller's ranges.
        unsafe { if n < Threshold::NehalemRep.get() { Unrolled::copy(dst, src, n) } else { Quads::copy(dst, src, n) } }
    }

    unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
        // SAFETY: the caller's range and pattern.
        unsafe {
            if n < Threshold::NehalemRep.get() { Unrolled::fill(dst, pattern, n) } else { Quads::fill(dst, pattern, n) }
        }
    }
}
