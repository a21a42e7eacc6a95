//! What is inlined into the caller: small sizes in place, one address and one jump for the rest.
//!
//! Where AVX-512 is in use, masked vectors set any length up to 128 and copy any up to 64 without a branch on it; elsewhere overlapping
//! blocks in three classes do up to 64. A mispredicted branch costs 25 to 30 cycles (Zen 5). A call site takes 236 bytes of
//! code for a set and 228 for a copy, a slice of a constant length 80 to 115.
//!
//! Measured in TSC ticks a call (Zen 5, lengths drawn anew from 1..=32): 2.5 (set and copy) masked, 11 by blocks, 4.5 and 17 in
//! glibc 2.36 with and without AVX-512. One repeated length: 2.0 to 2.2, and 3.2 to 3.5 through the pointer.
//!
//! How far masks reach was decided on lengths that are not predictable:
//!
//! - A set of up to 128 by two vectors, instead of up to 64 by one, gains 4.6 x at 1..=128, 1.5 x in a log-normal mix, and 4 to 28 % on
//!   each of ten data-centre distributions (16 % on their sum). It costs a quarter where one length up to 64 repeats, and more where stores
//!   are what a caller waits for: a line in memory only takes two stores in 8.4 ns instead of 5.0 for one (10 and 30 bytes; glibc 6.3; an empty
//!   mask for the second, or a line of the stack in its place, does not help), and 100 bytes read back at once take 9.5 ns instead of
//!   4.1, since masked stores do not forward. Blocks pay with one comparison more: a repeated length up to 128 takes 12 % longer and
//!   1..=512 9 %, but a log-normal mix 8 % and a fleet's lengths 3 % less.
//! - A copy of up to 128 would gain 3.3 x at 1..=128, 1.5 x in a log-normal mix and 15 % on a fleet's lengths. But its vectors have to be
//!   of 64 bytes, and so wait for the line behind a source that holds none of it, however far away that is: 10 and 30 bytes out of the
//!   second cache take 2.7 ns instead of 1.5 (glibc 2.2).
//!
//! Who reads a small copy back at once waits for the stores: 7.6 ns after 10 and 30 bytes, 5.6 to 8.5 in glibc.
//!
//! Tried (Zen 5):
//!
//! - Two vectors without a mask in place for 65 to 128: 1..=128 and the log-normal mix gain 12 %, but one comparison more costs up to 64
//!   bytes a quarter and 1..=512 a tenth.
//! - One comparison with a limit from the pointers' cache line instead of one with a constant and a question for the form. Repeated small
//!   sets and copies gain 7 %, but a mispredicted branch is found out later by that load: a fleet's sets lose 10 %, log-spread lengths 6 %.
//! - The form before the length, so that blocks need not ask for it twice: they gain 10 % up to 64 bytes, but 129 to 512 lose 8 %, and
//!   lengths that are not predictable 3 to 6 %.
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
        if n > Front::SET_MAX {
            return dispatch::set_beyond(dst, byte, n);
        }
        let front = dispatch::set_front();
        if front > BLOCKS {
            masked::set(dst, byte, n);
        } else if n > Front::MAX {
            dispatch::set_beyond(dst, byte, n);
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
