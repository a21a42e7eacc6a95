//! Small sizes by overlapping blocks, inlined where they are called.
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

use crate::x86_64::block::Block;

/// The second block's offset in a range of `B..=4B` bytes: 0 to `2 B`, one block above.
#[inline(always)]
const fn second<B: Block>(n: usize) -> usize {
    // B is a power of two: this rounds (n - 1) / 2 down to whole blocks.
    ((n - 1) >> 1) & !(B::SIZE - 1)
}

/// Stores `v` over `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `B::SIZE <= n <= 4 * B::SIZE`, and the CPU has `B`.
#[inline(always)]
pub(crate) unsafe fn set_four<B: Block>(dst: *mut u8, v: B, n: usize) {
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
pub(crate) unsafe fn copy_four<B: Block>(dst: *mut u8, src: *const u8, n: usize) {
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
