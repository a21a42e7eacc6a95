//! Set and copy over vector registers of any width, without a loop: for more bytes than the inlined sizes, up to eight blocks.
//!
//! Half of the blocks count from the start of the range, half from its end, and they meet or overlap in the middle. Copies load all of
//! them before they store one, so an overlap of source and destination cannot matter.
//!
//! Tried (Zen 5; sets of zmm where nothing else is said). A mispredicted branch costs 25 to 30 core cycles, and each of these trades
//! lengths that change for lengths that repeat:
//!
//! - Four blocks for all of 65 to 256: lengths from there gain 2.4 x (copies 1.8 x), a fleet's 5 to 10 %; 65 to 128 repeated lose two core
//!   cycles (copies three).
//! - Six for all of 65 to 384: lengths from 1..=512 gain 20 %, a fleet's 8 %, 257 to 384 repeated two cycles; 65 to 128 lose two, 129 to
//!   256 one, and 100 bytes in memory only take 22 ns instead of 10, with `prefetchw` as without.
//! - Eight for all of 129 to 512: lengths from 1..=512 gain 40 % (copies 14 %), a fleet's nothing; 129 to 256 repeated take 2.2 ns instead
//!   of 1.3 (copies lose a third), and would be behind glibc.
//! - Each class going on where the one below it ended: less code to fetch, but the longest has to be asked for first, which is the
//!   hardest to predict: log-spread lengths lose 4 %.

use crate::x86_64::vectors::Vector;

/// Blocks in a turn of a loop.
pub(crate) const TURN: usize = 4;

/// Stores `v` in `HALF` blocks from the start of `n` bytes and in `HALF` up to their end.
///
/// Upwards: from both ends in turn, lines in memory only take 5 % longer (300 bytes, Zen 5), though what is read back at once comes sooner.
///
/// # Safety
/// `dst..dst+n` is writable, `HALF * SIZE <= n`, and the CPU has `B`.
#[inline(always)]
unsafe fn set_ends<B: Vector, const HALF: usize>(dst: *mut u8, v: B, n: usize) {
    B::spare_low_registers();
    // SAFETY: `HALF` blocks from the start, and as many up to the end, are in the range.
    unsafe {
        set_run::<B, HALF>(dst, v);
        set_run::<B, HALF>(dst.add(n - HALF * B::SIZE), v);
    }
}

/// Stores `v` in `COUNT` neighbouring blocks.
///
/// # Safety
/// `COUNT * SIZE` bytes at `dst` are writable, and the CPU has `B`.
#[inline(always)]
pub(crate) unsafe fn set_run<B: Vector, const COUNT: usize>(dst: *mut u8, v: B) {
    for i in 0..COUNT {
        // SAFETY: each block lies within the caller's bytes.
        unsafe { v.store(dst.add(i * B::SIZE)) }
    }
}

/// Stores `v` over `n` bytes without a loop, where eight blocks do; says whether they did.
///
/// # Safety
/// `dst..dst+n` is writable, `n > 64`, and the CPU has `B`. A pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn set_blocks<B: Vector>(dst: *mut u8, v: B, n: usize) -> bool {
    // SAFETY: each arm is entered with `HALF * SIZE <= n <= 2 * HALF * SIZE`, so that the two halves fit and
    // cover the range: 64 < n, and what the arms before took. Every block starts a multiple of its size
    // from dst or from dst + n, both multiples of the period: patterns stay in phase.
    unsafe {
        match n {
            _ if B::SIZE > 32 && n <= 2 * B::SIZE => set_ends::<B, 1>(dst, v, n),
            _ if B::SIZE > 16 && n <= 4 * B::SIZE => set_ends::<B, 2>(dst, v, n),
            _ if n <= 8 * B::SIZE => set_ends::<B, 4>(dst, v, n),
            _ => return false,
        }
    }
    true
}

/// Copies `HALF` blocks from the start and `HALF` up to the end, all loads before the first store.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `HALF * SIZE <= n <= 2 * HALF * SIZE`, and the CPU has `B`.
#[inline(always)]
unsafe fn copy_ends<B: Vector, const HALF: usize>(dst: *mut u8, src: *const u8, n: usize) {
    let end = n - HALF * B::SIZE;
    // SAFETY: `HALF` blocks from the start, and as many from `end`, are in the ranges.
    unsafe {
        match HALF {
            1 => {
                let (low, high) = (B::load(src), B::load(src.add(end)));
                B::spare_low_registers();
                low.store(dst);
                high.store(dst.add(end));
            }
            2 => {
                let (a, b) = (B::load(src), B::load(src.add(B::SIZE)));
                let (c, d) = (B::load(src.add(end)), B::load(src.add(end + B::SIZE)));
                B::spare_low_registers();
                a.store(dst);
                b.store(dst.add(B::SIZE));
                c.store(dst.add(end));
                d.store(dst.add(end + B::SIZE));
            }
            _ => {
                let low = load_turn::<B>(src);
                let high = load_turn::<B>(src.add(end));
                B::spare_low_registers();
                store_turn(&low, dst);
                store_turn(&high, dst.add(end));
            }
        }
    }
}

/// Loads a turn of neighbouring blocks.
///
/// One by one: where the compiler optimises little, or for size, a loop over an array is a call of `memcpy`.
///
/// # Safety
/// `TURN * SIZE` bytes at `src` are readable, and the CPU has `B`.
#[inline(always)]
pub(crate) unsafe fn load_turn<B: Vector>(src: *const u8) -> [B; TURN] {
    // SAFETY: each block lies within the caller's bytes.
    unsafe { [B::load(src), B::load(src.add(B::SIZE)), B::load(src.add(2 * B::SIZE)), B::load(src.add(3 * B::SIZE))] }
}

/// Stores a turn of neighbouring blocks.
///
/// # Safety
/// `TURN * SIZE` bytes at `dst` are writable, and the CPU has `B`.
#[inline(always)]
pub(crate) unsafe fn store_turn<B: Vector>([a, b, c, d]: &[B; TURN], dst: *mut u8) {
    // SAFETY: each block lies within the caller's bytes.
    unsafe {
        a.store(dst);
        b.store(dst.add(B::SIZE));
        c.store(dst.add(2 * B::SIZE));
        d.store(dst.add(3 * B::SIZE));
    }
}

/// Copies `n` bytes without a loop, where eight blocks do, overlapping or not; says whether they did.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n > 64`, and the CPU has `B`.
#[inline(always)]
pub(crate) unsafe fn copy_blocks<B: Vector>(dst: *mut u8, src: *const u8, n: usize) -> bool {
    // SAFETY: arms as in `set_blocks`.
    unsafe {
        match n {
            _ if B::SIZE > 32 && n <= 2 * B::SIZE => copy_ends::<B, 1>(dst, src, n),
            _ if B::SIZE > 16 && n <= 4 * B::SIZE => copy_ends::<B, 2>(dst, src, n),
            _ if n <= 8 * B::SIZE => copy_ends::<B, 4>(dst, src, n),
            _ => return false,
        }
    }
    true
}
