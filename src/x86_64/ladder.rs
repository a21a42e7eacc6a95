//! What a vector row does by size: the policy, written once for every width.
//!
//! ```text
//! up to 64        the row's small form: overlapping blocks, or masked vectors (a set up to 128)
//! 8 blocks        half from the start, half up to the end, no loop
//! `*_large`       the aligned loop, up or down
//! above           string instructions or stores around the caches, from their thresholds on
//! ```
//!
//! Everything is inlined into functions that have the row's target features (`rows.rs`), but for what only large ranges
//! need: that is a function of its own, so that the common path has no stack frame.

use crate::dispatch;
use crate::kernel::{Front, Kernel, splat};
use crate::tunables::{STREAMING_MIN, Threshold};
use crate::x86_64::block::Block;
use crate::x86_64::vectors::Vector;
use crate::x86_64::{loops, pages, small, streaming, strings, vector};

/// A row of vectors.
pub(crate) trait Row: Kernel {
    /// Its widest register.
    type Wide: Vector;

    /// Sets up to as many bytes as its [`Front`] says.
    ///
    /// # Safety
    /// As [`Kernel::set`], with no more than that.
    unsafe fn small_set(dst: *mut u8, byte: u8, n: usize);

    /// Copies up to [`Front::MAX`] bytes.
    ///
    /// # Safety
    /// As [`Kernel::copy`], with no more than that.
    unsafe fn small_copy(dst: *mut u8, src: *const u8, n: usize);

    /// [`set_large`], with the row's target features and out of line.
    ///
    /// # Safety
    /// As there.
    unsafe fn set_large(dst: *mut u8, pattern: u128, n: usize);

    /// [`copy_large`], with the row's target features and out of line.
    ///
    /// # Safety
    /// As there.
    unsafe fn copy_large(dst: *mut u8, src: *const u8, n: usize);
}

/// [`Kernel::set`].
///
/// # Safety
/// As there.
#[inline(always)]
pub(crate) unsafe fn set<R: Row>(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the caller's range, split by its length.
    unsafe { if n <= R::FRONT as usize { R::small_set(dst, byte, n) } else { R::set_beyond(dst, byte, n) } }
}

/// [`Kernel::set_beyond`].
///
/// # Safety
/// As there.
#[inline(always)]
pub(crate) unsafe fn set_beyond<R: Row>(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the caller's range, more than 64 bytes; a repeated byte has period 1.
    unsafe { fill_beyond::<R>(dst, R::Wide::splat(byte), splat(byte), n) }
}

/// [`Kernel::fill`].
///
/// # Safety
/// As there.
#[inline(always)]
pub(crate) unsafe fn fill<R: Row>(dst: *mut u8, pattern: u128, n: usize) {
    // SAFETY: the caller's range and pattern, split by the length.
    unsafe {
        if n <= Front::MAX {
            small::fill(dst, pattern, n);
        } else {
            fill_beyond::<R>(dst, R::Wide::repeat(pattern), pattern, n);
        }
    }
}

/// Stores `v`, which is `pattern` repeated, over more than [`Front::MAX`] bytes.
///
/// # Safety
/// As [`Kernel::fill`], with more than that.
#[inline(always)]
unsafe fn fill_beyond<R: Row>(dst: *mut u8, v: R::Wide, pattern: u128, n: usize) {
    // SAFETY: the caller's range and pattern, more than 64 bytes, and then more than eight blocks.
    unsafe {
        if !vector::set_blocks(dst, v, n) {
            if n < dispatch::set_large() {
                loops::set_loop(dst, v, n);
            } else {
                R::set_large(dst, pattern, n);
            }
        }
    }
}

/// Streams, or uses a string instruction, or the loop after all.
///
/// # Safety
/// As [`Kernel::fill`], with more than eight blocks.
#[inline(always)]
pub(crate) unsafe fn set_large<R: Row>(dst: *mut u8, pattern: u128, n: usize) {
    let streams = if pattern == 0 { Threshold::ZeroStreaming } else { Threshold::SetStreaming };
    // SAFETY: the caller's range and pattern.
    unsafe {
        if n >= streams.get().max(STREAMING_MIN) {
            streaming::set(dst, R::Wide::repeat(pattern), n);
        } else if n >= Threshold::SetRep.get() {
            R::Wide::clean();
            // Memory that is zeroed is often zero, and would look fresh.
            if n >= Threshold::FreshRep.get() && pattern != 0 {
                pages::fill(dst, pattern, n);
            } else {
                strings::Bytes::fill(dst, pattern, n);
            }
        } else {
            loops::set_loop(dst, R::Wide::repeat(pattern), n);
        }
    }
}

/// [`Kernel::copy`].
///
/// # Safety
/// As there.
#[inline(always)]
pub(crate) unsafe fn copy<R: Row>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's ranges, split by their length.
    unsafe { if n <= Front::MAX { R::small_copy(dst, src, n) } else { R::copy_beyond(dst, src, n) } }
}

/// [`Kernel::copy_beyond`].
///
/// # Safety
/// As there.
#[inline(always)]
pub(crate) unsafe fn copy_beyond<R: Row>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's ranges, more than 64 bytes, and then more than eight blocks. The direction is right for
    // any overlap.
    unsafe {
        if !vector::copy_blocks::<R::Wide>(dst, src, n) {
            if n >= dispatch::copy_large() {
                R::copy_large(dst, src, n);
            } else if loops::goes_down(dst, src, n) {
                loops::backward::<R::Wide>(dst, src, n);
            } else {
                loops::forward::<R::Wide>(dst, src, n);
            }
        }
    }
}

/// Streams, or uses a string instruction, or the loops after all.
///
/// # Safety
/// As [`Kernel::copy`], with more than eight blocks.
#[inline(always)]
pub(crate) unsafe fn copy_large<R: Row>(dst: *mut u8, src: *const u8, n: usize) {
    let above = dst.addr().wrapping_sub(src.addr());
    let is_apart = above >= n && above.wrapping_neg() >= n;
    // SAFETY: the caller's ranges: down where dst is inside the source, up elsewhere, streaming where neither is
    // inside the other.
    unsafe {
        if above < n {
            down::<R>(dst, src, n);
        } else if is_apart && n >= Threshold::CopyStreaming.get().max(STREAMING_MIN) {
            streaming::copy::<R::Wide>(dst, src, n);
        } else {
            up::<R>(dst, src, n);
        }
    }
}

/// Ranges that overlap and are no farther apart meet in the first cache, where vectors beat string instructions and falling
/// addresses do not matter: 32 KiB moved down by 1 to 16384 took 320 to 340 ticks (`rep movsb` 590 to 730), 1 MiB 20,000 (28,000);
/// by 20,000 and more it is the other way round (Zen 5).
const NEAR: usize = 16 << 10;
const _: () = assert!(NEAR >= pages::PIECE);

/// Copies a large range upwards, by string instructions where those pay and suit.
///
/// # Safety
/// As [`loops::forward`].
#[inline(always)]
unsafe fn up<R: Row>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's promise. A source that starts inside the destination lies at least NEAR above it, where strings
    // are used.
    unsafe {
        let near = src.addr().wrapping_sub(dst.addr()) < n.min(NEAR);
        let suits = !near && (strings::suit(dst, src) || n >= Threshold::AliasedRep.get());
        if n >= Threshold::CopyRep.get() && suits {
            R::Wide::clean();
            if n >= Threshold::FreshRep.get() {
                pages::copy_upwards(dst, src, n);
            } else {
                strings::upwards::<1>(dst, src, n);
            }
        } else {
            loops::forward::<R::Wide>(dst, src, n);
        }
    }
}

/// Copies a large range downwards.
///
/// Where it can, in pieces from the top, each of them upwards: prefetchers follow rising addresses better
/// (64 KiB moved by 30000: 2 times faster; Zen 5).
///
/// # Safety
/// As [`loops::backward`], and `dst` is inside `src..src+n`.
#[inline(always)]
unsafe fn down<R: Row>(dst: *mut u8, src: *const u8, n: usize) {
    // Two blocks a turn: 64 KiB moved by 1 in 1105 ticks instead of 1350, 512 KiB in 8400 instead of 8900; 24 KiB lose 2 to 10 %.
    // Prefetched: 2 MiB in 42900 instead of 49400; 64 KiB lose 5 to 30 %. One block, 256, 512 or 2048 bytes ahead: no better (Zen 5).
    const BEYOND_L1: usize = 48 << 10;
    const BEYOND_L2: usize = 1 << 20;
    let above = dst.addr() - src.addr();
    let piece = above.min(2 * NEAR);
    let mut left = n;
    // SAFETY: a piece is no longer than the distance, so it does not overlap its own source; what it overwrites
    // lies above the source bytes that are still to be copied. Pieces and the rest have at least NEAR bytes, or the
    // rest is the whole: more than eight blocks.
    unsafe {
        while above >= NEAR && left >= 2 * NEAR {
            let taken = piece.min(left - NEAR);
            left -= taken;
            up::<R>(dst.add(left), src.add(left), taken);
        }
        match left {
            ..BEYOND_L1 => loops::backward::<R::Wide>(dst, src, left),
            BEYOND_L1..BEYOND_L2 => loops::backward_by_two::<R::Wide, 0>(dst, src, left),
            _ => loops::backward_by_two::<R::Wide, 768>(dst, src, left),
        }
    }
}
