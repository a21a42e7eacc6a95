//! Set and copy over vector registers of any width, for more than eight blocks.
//!
//! An aligned loop of four blocks a turn runs between one unaligned block at the side where it starts and four at the side where it ends:
//!
//! ```text
//! dst  |head...|                                          unaligned
//!           |....|....|....|....| ... |....|....|....|....|    aligned
//!                                            |....|....|....|....|  unaligned, ends at dst + n
//! ```
//!
//! A set whose destination is aligned goes without the head: 1 KiB is 6 % faster, 1025 bytes 17 % slower, since they take one turn more.
//! Tried: a whole unaligned turn at the start. Three split stores more cost 20 to 40 % at 513 to 1024 bytes (Zen 5).

use crate::dispatch;
use crate::x86_64::vector::{TURN, load_turn, set_run, store_turn};
use crate::x86_64::vectors::Vector;
use core::arch::asm;
use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

/// What the caches exchange.
const LINE: usize = 64;

/// Hides where a pointer comes from, at no cost: the compiler would otherwise recognise the
/// loop and replace it by a call of `memset` or `memcpy`.
#[inline(always)]
pub(crate) fn opaque<T>(pointer: &mut *mut T) {
    // SAFETY: no instruction at all.
    unsafe { asm!("/* {0} */", inout(reg) * pointer, options(readonly, nostack, preserves_flags)) }
}

/// Puts the loop of a set behind it at the start of a line of code.
///
/// Such a loop of ymm on two lines takes 12 to 20 % longer for 257 to 512 bytes, and 3 % for 1 KiB. One of zmm waits for its stores
/// anyway, and those of copies moved by 1 to 3 % either way (Zen 5).
#[inline(always)]
fn start_on_a_line() {
    // SAFETY: `nop`s, no operand.
    unsafe { asm!(".p2align 6", options(nomem, nostack, preserves_flags)) }
}

/// Stores `v` over `n` bytes by the aligned loop.
///
/// # Safety
/// `dst..dst+n` is writable, `n > 8 * SIZE`, and the CPU has `B`. A pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn set_loop<B: Vector>(dst: *mut u8, v: B, n: usize) {
    // SAFETY: `at` rises by whole turns from less than SIZE behind dst while it is below `last`, which
    // lies a turn below the end: each turn ends below `last + TURN * SIZE`, the end.
    unsafe {
        B::spare_low_registers();
        let skip = dst.addr().wrapping_neg() % B::SIZE;
        if skip > 0 {
            v.store(dst);
        }
        let last = dst.add(n - TURN * B::SIZE);
        let mut at = dst.add(skip);
        start_on_a_line();
        loop {
            set_run::<B, TURN>(at, v);
            at = at.add(TURN * B::SIZE);
            opaque(&mut at);
            if at >= last {
                break;
            }
        }
        set_run::<B, TURN>(last, v);
    }
}

/// Whether a copy must go downwards, since the destination starts inside the source, or had better.
///
/// It had where the destination starts up to half a page above the source modulo 4096: upwards, each load would then have the
/// low address bits of a store still in flight, and wait for it (2 to 3.5 times slower, 1 to 16 KiB, Zen 5). Beyond
/// the first-level cache going down costs more than that; for short copies the distance is kept small, since a direction
/// that nobody can predict costs 6 ticks.
#[inline(always)]
pub(crate) fn goes_down(dst: *mut u8, src: *const u8, n: usize) -> bool {
    let above = dst.addr().wrapping_sub(src.addr());
    // Modulo 4096 as a signed number: -2048 to 2047. Less one, and again unsigned, all but 1 to 2047 are large, so that
    // one comparison does.
    const PAGE: u32 = usize::BITS - 4096usize.ilog2();
    let page = (above << PAGE) as isize >> PAGE;
    let alias = (page as usize).wrapping_sub(1) < n / 4 - 1;
    above < n || alias && n <= 32 << 10 && above.wrapping_neg() >= n
}

/// Which of the two addresses a loop aligns, where it cannot align both.
///
/// The destination's: a store that is split between two lines takes longer than a load. But blocks as wide as a line are split at each
/// address that is not aligned, and the stores of a short copy can wait in their queue: with the source aligned, 576 to 1500 bytes take
/// 10 % less, 2 KiB the same, 8 KiB 10 % more; ymm at 700 bytes 4 % more (Zen 5).
#[inline(always)]
fn aligned<B: Vector>(dst: *mut u8, src: *const u8, n: usize) -> usize {
    const SHORT: usize = 2 << 10;
    let mut aligned = dst;
    // Branches, and such as mostly go the same way, around a choice without one. The first address waits for that choice: where both can be
    // aligned, 768 bytes to 2 KiB would take 3 to 5 % longer for nothing, and 1 KiB 12 % with the limit from memory in the choice itself.
    let apart = (dst.addr() ^ src.addr()) % B::SIZE != 0;
    if B::SIZE == LINE && apart && n >= dispatch::source_align() {
        aligned = if n < SHORT { src.cast_mut() } else { dst };
        opaque(&mut aligned);
    }
    aligned.addr()
}

/// The aligned loop, upwards.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n > 8 * SIZE`, the CPU has `B`, and `dst` is not inside
/// `src..src+n` (but it may be `src`).
#[inline(always)]
pub(crate) unsafe fn forward<B: Vector>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: bounds as in `set_loop`, but that `to` starts up to SIZE behind dst; the source at the same distance. Head and
    // tail are loaded before the loop can overwrite them, and a turn is loaded before it is stored: dst
    // being below src, a turn's stores reach no source byte of a later turn.
    unsafe {
        let head = B::load(src);
        let tail = load_turn::<B>(src.add(n - TURN * B::SIZE));
        let skip = B::SIZE - aligned::<B>(dst, src, n) % B::SIZE;
        let last = dst.add(n - TURN * B::SIZE);
        let (mut to, mut from) = (dst.add(skip), src.add(skip));
        loop {
            let turn = load_turn::<B>(from);
            B::spare_low_registers();
            store_turn(&turn, to);
            (to, from) = (to.add(TURN * B::SIZE), from.add(TURN * B::SIZE));
            opaque(&mut to);
            if to >= last {
                break;
            }
        }
        store_turn(&tail, last);
        head.store(dst);
    }
}

/// The aligned loop, downwards.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n > 8 * SIZE`, the CPU has `B`, and `src` is not inside
/// `dst..dst+n` (but it may be `dst`).
#[inline(always)]
pub(crate) unsafe fn backward<B: Vector>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the mirror image of `forward`: `to` falls by whole turns from at most SIZE below the end
    // while it is above the first turn's end.
    unsafe {
        let tail = B::load(src.add(n - B::SIZE));
        let head = load_turn::<B>(src);
        let skip = (aligned::<B>(dst, src, n) + n - 1) % B::SIZE + 1;
        let first = dst.add(TURN * B::SIZE);
        let (mut to, mut from) = (dst.add(n - skip), src.add(n - skip));
        loop {
            (to, from) = (to.sub(TURN * B::SIZE), from.sub(TURN * B::SIZE));
            let turn = load_turn::<B>(from);
            B::spare_low_registers();
            store_turn(&turn, to);
            opaque(&mut to);
            if to <= first {
                break;
            }
        }
        store_turn(&head, dst);
        tail.store(dst.add(n - B::SIZE));
    }
}

/// The same for ranges that the first cache cannot hold: two blocks a turn, and the source `AHEAD` bytes below prefetched (not at
/// all for 0).
///
/// # Safety
/// As [`backward`].
#[inline(always)]
pub(crate) unsafe fn backward_by_two<B: Vector, const AHEAD: usize>(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: as in `backward`, with turns of two blocks. What is prefetched may lie below the source, since a prefetch
    // never faults.
    unsafe {
        let tail = B::load(src.add(n - B::SIZE));
        let (head, second) = (B::load(src), B::load(src.add(B::SIZE)));
        let skip = (dst.addr() + n - 1) % B::SIZE + 1;
        let first = dst.add(2 * B::SIZE);
        let (mut to, mut from) = (dst.add(n - skip), src.add(n - skip));
        loop {
            (to, from) = (to.sub(2 * B::SIZE), from.sub(2 * B::SIZE));
            if AHEAD > 0 {
                _mm_prefetch::<_MM_HINT_T0>(from.wrapping_sub(AHEAD).cast());
                _mm_prefetch::<_MM_HINT_T0>(from.wrapping_sub(AHEAD + B::SIZE).cast());
            }
            let (low, high) = (B::load(from), B::load(from.add(B::SIZE)));
            B::spare_low_registers();
            low.store(to);
            high.store(to.add(B::SIZE));
            opaque(&mut to);
            if to <= first {
                break;
            }
        }
        head.store(dst);
        second.store(dst.add(B::SIZE));
        tail.store(dst.add(n - B::SIZE));
    }
}
