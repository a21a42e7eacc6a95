//! What is inlined into the caller: small sizes in place, one address and one jump for the rest.
//!
//! Where AVX-512 is in use, masked vectors do any length up to 64 without a branch on it; elsewhere overlapping
//! blocks in three classes do. A mispredicted branch costs 25 to 30 cycles (Zen 5). A call site takes 208 bytes of
//! code for a set and 228 for a copy, a slice of a constant length 80 to 105.
//!
//! Measured in TSC ticks a call (Zen 5, lengths drawn anew from 1..=32): 1.9 (set) and 2.3 (copy) masked, 11 by blocks, 4.6 and 18 in
//! glibc 2.36 with and without AVX-512. One repeated length: 1.6 to 2.0, and 3.1 to 3.7 through the pointer.
//!
//! Who reads a small copy back at once waits for the stores: 14 ticks after a masked copy, 13 after blocks, 8 to 12 in glibc; after a
//! set 12, 8 to 13, and 13 to 15 (8 to 32 bytes, a chain of calls and 8-byte loads).
//!
//! Tried (Zen 5):
//!
//! - Sets up to 128 bytes by two masked vectors. Lengths from 1..=128 gain 4.6 x, a log-normal mix 1.6 x, a fleet's 1.2 x. But one repeated
//!   length up to 64 loses a third, a line in memory only takes two stores in 8.4 ns instead of 5.0 for one (10 and 30 bytes; glibc 6.2;
//!   an empty mask for the second does not help), and 100 bytes read back at once take 9.2 ns instead of 4.0, since masked stores do not
//!   forward.
//! - Two vectors without a mask in place for 65 to 128: 1..=128 and the log-normal mix gain 12 %, but one comparison more costs up to 64
//!   bytes a quarter and 1..=512 a tenth. Copies up to 128 bytes by two vectors of 64 lose 1.3 ticks up to 64.
//! - One comparison with a limit from the pointers' cache line instead of one with a constant and a question for the form. Repeated small
//!   copies gain 7 %, but a mispredicted branch is found out later by that load: a fleet's sets lose 13 %, log-spread copies 7 %.
//!
//! A slice of a constant length keeps both tests, as stable Rust cannot ask whether the optimiser knows a number; an array's length is
//! part of its type (`slices.rs`).

use crate::dispatch;
use crate::kernel::Front;
use crate::x86_64::block::Block;
use crate::x86_64::{masked, small, vector};
use core::arch::x86_64::__m128i;

/// What a front answers below AVX-512, where it is more.
const BLOCKS: u8 = Front::Blocks as u8;

/// Sets `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the caller's range, split by its length. Masks are in use only where the CPU has them.
    unsafe {
        if n > Front::MAX {
            return dispatch::set_beyond(dst, byte, n);
        }
        let front = dispatch::set_front();
        if front > BLOCKS {
            masked::set(dst, byte, n);
        } else if front == BLOCKS {
            small::set(dst, byte, n);
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
    // SAFETY: the caller's ranges, as in `set`.
    unsafe {
        if n > Front::MAX {
            return dispatch::copy_beyond(dst, src, n);
        }
        let front = dispatch::copy_front();
        if front > BLOCKS {
            masked::copy(dst, src, n);
        } else if front == BLOCKS {
            small::copy(dst, src, n);
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
    // The compiler's own loop, inlined, beats any call up to here.
    const INLINED: usize = 128;
    // SAFETY: the caller's range and pattern, split by the length. Masks are in use only where the CPU has them.
    unsafe {
        let front = if n <= INLINED { dispatch::set_front() } else { Front::Call as u8 };
        if front > BLOCKS {
            masked::fill(dst, pattern, n);
        } else if front == BLOCKS {
            blocks_fill(dst, pattern, n);
        } else {
            dispatch::fill(dst, pattern, n);
        }
    }
}

/// Repeats a pattern over up to 128 bytes, by overlapping blocks.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= 128`; the pattern's period divides `dst` and `n`.
#[inline(always)]
unsafe fn blocks_fill(dst: *mut u8, pattern: u128, n: usize) {
    // SAFETY: the caller's range and pattern; eight blocks of 16 cover what is not small.
    unsafe {
        if n <= Front::MAX {
            small::fill(dst, pattern, n);
        } else {
            vector::set_blocks(dst, __m128i::repeat(pattern), n);
        }
    }
}
