//! String instructions on memory that may be fresh, for the vector rows.
//!
//! A page that nobody has touched yet faults at its first byte: that costs 180 ns more inside `rep movsb` or `rep stosb` than at a
//! store (Zen 5, in a virtual machine). So it is touched before, four pages at a time. Such a page holds zeros; the first other
//! word tells that memory is in use, and one string instruction does the rest.

use crate::kernel::Kernel;
use crate::x86_64::strings::{Bytes, LINE, head, rep_movsb};
use crate::x86_64::unrolled;
use core::arch::asm;

/// Four pages.
pub(crate) const PIECE: usize = 16 << 10;

/// Does `n` bytes by string instructions, page faults apart, which are slow inside one: `touch` writes the byte at an offset as it
/// shall be, `string` a range of offsets.
///
/// # Safety
/// `dst..dst+n` is writable, and `touch` and `string` may be called for offsets in it: for one in a piece of [`PIECE`] bytes or less
/// before `string` has done what is below, and again after.
#[inline(always)]
unsafe fn by_pages(dst: *mut u8, n: usize, touch: impl Fn(usize), string: impl Fn(usize, usize)) {
    const PAGE: usize = PIECE / 4;
    let mut at = head(dst, n);
    string(0, at);
    while n - at > 2 * size_of::<u64>() {
        // Pieces end where pages do: one byte every PAGE meets them all.
        let piece = (PIECE - (dst.addr() + at) % PIECE).min(n - at);
        (at..at + piece).step_by(PAGE).for_each(&touch);
        // SAFETY: the second word from `at` is in the range.
        if !unsafe { is_zero(dst.add(at + size_of::<u64>())) } {
            break;
        }
        string(at, piece);
        at += piece;
    }
    string(at, n - at);
}

/// Whether eight bytes are zero. As assembly, since they need not be initialised.
///
/// # Safety
/// They are readable.
#[inline(always)]
unsafe fn is_zero(word: *const u8) -> bool {
    let zero: u8;
    // SAFETY: one load of the caller's bytes.
    unsafe {
        asm!("cmp qword ptr [{}], 0", "sete {}", in(reg) word, out(reg_byte) zero, options(nostack, readonly));
    }
    zero != 0
}

/// Copies upwards by `rep movsb`, with fresh pages in mind.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `dst` is not inside `src..src+n`, and `src` not inside the first [`PIECE`]
/// bytes of `dst..dst+n`.
pub(crate) unsafe fn copy_upwards(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: offsets in both ranges. A byte that is written ahead of a piece is the one that belongs there; where that is in the
    // source, it is PIECE or more below what is still to be copied.
    unsafe {
        by_pages(
            dst,
            n,
            |at| *dst.add(at) = *src.add(at),
            |at, n| match n {
                ..LINE => unrolled::forward(dst.add(at), src.add(at), n),
                _ => rep_movsb(dst.add(at), src.add(at), n),
            },
        );
    }
}

/// Repeats a pattern by string instructions, with fresh pages in mind.
///
/// # Safety
/// As [`Kernel::fill`].
pub(crate) unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
    // SAFETY: offsets in the range. Where a piece starts, after whole lines or at the start, the pattern is in phase.
    unsafe {
        by_pages(
            dst,
            n,
            |at| *dst.add(at) = (pattern >> (at % 16 * 8)) as u8,
            |at, n| Bytes::fill(dst.add(at), pattern, n),
        );
    }
}
