//! What is inlined into the caller: small sizes in place, one load and one indirect call for the rest.

use crate::dispatch;
use crate::x86_64::block::Block;
use crate::x86_64::small::{copy_four, set_four};

/// The widest block that every CPU of this target has.
#[cfg(fast_mem_simd)]
type Wide = core::arch::x86_64::__m128i;
/// A kernel's code must not touch vector registers.
#[cfg(not(fast_mem_simd))]
type Wide = [u64; 2];
/// The class below.
type Narrow = u32;

/// The longest length that is not sent through the pointer.
pub(crate) const MAX: usize = 4 * Wide::SIZE;

// Four narrow blocks reach up to the wide class; three single bytes cover what is below the narrow one.
const _: () = assert!(Wide::SIZE <= 4 * Narrow::SIZE && Narrow::SIZE <= 4);

/// Sets `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the caller's range, split by its length.
    unsafe { if n <= MAX { small_set(dst, byte, n) } else { dispatch::set(dst, byte, n) } }
}

/// Copies `n` bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's ranges, split by their length.
    unsafe { if n <= MAX { small_copy(dst, src, n) } else { dispatch::copy(dst, src, n) } }
}

/// Repeats a pattern over `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable; the pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: [u64; 2], n: usize) {
    // SAFETY: the caller's range and pattern, split by the length.
    unsafe { if n <= MAX { small_fill(dst, pattern, n) } else { dispatch::fill(dst, pattern, n) } }
}

/// Sets up to [`MAX`] bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= MAX`.
#[inline(always)]
pub(crate) unsafe fn small_set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: each class holds what `set_four` asks for. Below the narrow one n is 1 to 3, so that
    // first, middle and last byte are all of them.
    unsafe {
        if n >= Wide::SIZE {
            set_four(dst, Wide::splat(byte), n);
        } else if n >= Narrow::SIZE {
            set_four(dst, Narrow::splat(byte), n);
        } else if n > 0 {
            *dst.add(n - 1) = byte;
            *dst.add(n / 2) = byte;
            *dst = byte;
        }
    }
}

/// Copies up to [`MAX`] bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n <= MAX`.
#[inline(always)]
pub(crate) unsafe fn small_copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: as in `small_set`; all bytes are loaded before one is stored.
    unsafe {
        if n >= Wide::SIZE {
            copy_four::<Wide>(dst, src, n);
        } else if n >= Narrow::SIZE {
            copy_four::<Narrow>(dst, src, n);
        } else if n > 0 {
            let (first, middle, last) = (*src, *src.add(n / 2), *src.add(n - 1));
            *dst.add(n - 1) = last;
            *dst.add(n / 2) = middle;
            *dst = first;
        }
    }
}

/// Repeats a pattern over up to [`MAX`] bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= MAX`; the pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn small_fill(dst: *mut u8, pattern: [u64; 2], n: usize) {
    /// Two blocks, at the start and at the end.
    #[inline(always)]
    unsafe fn two<B: Block>(dst: *mut u8, v: B, n: usize) {
        // SAFETY: `SIZE <= n`.
        unsafe {
            v.store(dst.add(n - B::SIZE));
            v.store(dst);
        }
    }
    // SAFETY: a block starts a multiple of its size from the start or the end of the range. Where the
    // period is wider than the block, `n` is a multiple of the period, at least the period: a class below it is empty.
    unsafe {
        match n {
            16.. => set_four(dst, Wide::repeat(pattern), n),
            8.. => two(dst, u64::repeat(pattern), n),
            4.. => two(dst, u32::repeat(pattern), n),
            2.. => two(dst, u16::repeat(pattern), n),
            1 => *dst = u8::repeat(pattern),
            _ => {}
        }
    }
}
