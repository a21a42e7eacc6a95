//! Stores around the caches, for ranges that would only push out what is in them.
//!
//! A non-temporal store writes whole lines without reading them first, and is ordered with nothing: an
//! `sfence` before the return makes every store visible before any later one, so that another core
//! that sees a flag stored afterwards sees the data too.

use crate::tunables::STREAMING_MIN;
use crate::x86_64::loops::opaque;
use crate::x86_64::vectors::Vector;
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch, _mm_sfence};

/// A cache line: what a non-temporal store should fill at once.
const LINE: usize = 64;
/// Bytes a turn.
const TURN: usize = 4 * LINE;

// The first line, one turn and the last one: what the loops below take for granted.
const _: () = assert!(STREAMING_MIN >= LINE + 2 * TURN);

/// Stores `v` over `n` bytes around the caches.
///
/// # Safety
/// `dst..dst+n` is writable, `n >= STREAMING_MIN`, and the CPU has `B`. A pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn set<B: Vector>(dst: *mut u8, v: B, n: usize) {
    let skip = LINE - dst.addr() % LINE;
    let whole = (n - skip) / TURN * TURN;
    // SAFETY: `skip <= LINE` and `n >= STREAMING_MIN > LINE + TURN`, so the first line, `whole` bytes from an aligned
    // address and the last turn lie in the range and cover it.
    unsafe {
        B::spare_low_registers();
        for i in 0..LINE / B::SIZE {
            v.store(dst.add(i * B::SIZE));
        }
        let mut at = dst.add(skip);
        let end = at.add(whole);
        while at < end {
            for i in 0..TURN / B::SIZE {
                v.stream(at.add(i * B::SIZE));
            }
            at = at.add(TURN);
            opaque(&mut at);
        }
        for i in 0..TURN / B::SIZE {
            v.store(dst.add(n - TURN + i * B::SIZE));
        }
        _mm_sfence();
    }
}

/// Copies `n` bytes around the caches.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, they do not overlap, `n >= STREAMING_MIN`, and the CPU has `B`.
#[inline(always)]
pub(crate) unsafe fn copy<B: Vector>(dst: *mut u8, src: *const u8, n: usize) {
    /// How far ahead of the loads their lines are asked for.
    const AHEAD: usize = 8 * LINE;
    let skip = LINE - dst.addr() % LINE;
    let whole = (n - skip) / TURN * TURN;
    // SAFETY: bounds as in `set`, at the same distances in the source. A prefetch may name any address.
    unsafe {
        for i in 0..LINE / B::SIZE {
            B::load(src.add(i * B::SIZE)).store(dst.add(i * B::SIZE));
        }
        let (mut to, mut from) = (dst.add(skip), src.add(skip));
        let end = to.add(whole);
        while to < end {
            for line in 0..TURN / LINE {
                _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(AHEAD + line * LINE).cast());
            }
            for i in 0..TURN / B::SIZE {
                B::load(from.add(i * B::SIZE)).stream(to.add(i * B::SIZE));
            }
            (to, from) = (to.add(TURN), from.add(TURN));
            opaque(&mut to);
        }
        for i in 0..TURN / B::SIZE {
            B::load(src.add(n - TURN + i * B::SIZE)).store(dst.add(n - TURN + i * B::SIZE));
        }
        _mm_sfence();
    }
}
