//! What is inlined into the caller.
//!
//! A length that the compiler knows becomes a few plain stores, whatever the CPU. Any other is tested at run time against
//! one number: below it (AVX-512 is in use and the length is small) two masked stores do; the rest goes through the
//! pointer to the chosen variant, which starts with its own small sizes. So a call site has no branch that
//! depends on small lengths: mispredicted, such a one costs as much as ten calls.

use crate::dispatch::{self, TARGETS};
use crate::x86_64::masked;

/// Sets `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the caller's range. The masked form is in use only where the CPU has what it needs.
    unsafe {
        if n < TARGETS.masked_set_below() {
            masked::set(dst, byte, n);
        } else {
            dispatch::set(dst, byte, n);
        }
    }
}

/// Copies `n` bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's ranges; the masked form as in `set`.
    unsafe {
        if n < TARGETS.masked_copy_below() {
            masked::copy(dst, src, n);
        } else {
            dispatch::copy(dst, src, n);
        }
    }
}

/// Repeats a pattern over `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable; the pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
    // SAFETY: the caller's range and pattern.
    unsafe { dispatch::fill(dst, pattern, n) }
}
