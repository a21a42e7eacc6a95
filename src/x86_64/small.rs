//! Small sizes by overlapping blocks: what vector and string rows start with, and what a length known to
//! the compiler becomes.
//!
//! Four blocks of `B` bytes cover every length from `B` to `4 B` without a branch on the length:
//!
//! ```text
//! n = 16..32    |0......|                  the second block lies on the first,
//!                    |......n|             the third on the last: o = 0
//! n = 33..64    |0......|o......|
//!                          |......|......n|        o = 16
//! ```
//!
//! For lengths without a pattern a mispredicted branch (about 15 cycles) costs more than all the
//! stores, so few classes beat exact ones.

use crate::kernel::Front;
use crate::x86_64::block::Block;

/// The widest block that every CPU of this target has.
#[cfg(fast_mem_simd)]
type Wide = core::arch::x86_64::__m128i;
/// A kernel's code must not touch vector registers.
#[cfg(not(fast_mem_simd))]
type Wide = [u64; 2];
/// The class below.
type Narrow = u32;

// Four narrow blocks reach up to the wide class; three single bytes cover what is below the narrow one.
const _: () = assert!(Front::MAX == 4 * Wide::SIZE && Wide::SIZE <= 4 * Narrow::SIZE && Narrow::SIZE <= 4);

/// The second block's offset in a range of `B..=4B` bytes: 0 up to `2 B`, one block above.
#[inline(always)]
const fn second<B: Block>(n: usize) -> usize {
    (n - 1) >> 1 & B::SIZE
}

/// Stores `v` over `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `B::SIZE <= n <= 4 * B::SIZE`, and the CPU has `B`.
#[inline(always)]
unsafe fn set_four<B: Block>(dst: *mut u8, v: B, n: usize) {
    let o = second::<B>(n);
    // SAFETY: `o + SIZE <= n`, since o is 0 up to 2 SIZE and SIZE above; so each of the four blocks
    // lies in dst..dst+n. The tail goes first and the head last, so that a load of the head right
    // after finds one youngest store to forward from.
    unsafe {
        v.store(dst.add(n - B::SIZE));
        v.store(dst.add(n - B::SIZE - o));
        v.store(dst.add(o));
        v.store(dst);
    }
}

/// Copies `n` bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `B::SIZE <= n <= 4 * B::SIZE`, and the CPU has `B`.
#[inline(always)]
unsafe fn copy_four<B: Block>(dst: *mut u8, src: *const u8, n: usize) {
    let o = second::<B>(n);
    // SAFETY: as in `set_four` each block lies in its range; all loads come before the first store,
    // so an overlap cannot matter.
    unsafe {
        let head = B::load(src);
        let second = B::load(src.add(o));
        let third = B::load(src.add(n - B::SIZE - o));
        let tail = B::load(src.add(n - B::SIZE));
        tail.store(dst.add(n - B::SIZE));
        third.store(dst.add(n - B::SIZE - o));
        second.store(dst.add(o));
        head.store(dst);
    }
}

/// Sets up to [`Front::MAX`] bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= Front::MAX`.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
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

/// Copies up to [`Front::MAX`] bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n <= Front::MAX`.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: as in `set`; all bytes are loaded before one is stored.
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

/// Repeats a pattern over up to [`Front::MAX`] bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= Front::MAX`; the pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
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
