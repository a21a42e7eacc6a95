//! Eight quadwords a turn, in general registers: the row `unrolled`, the short half of `nehalem`,
//! and the backward half of every string row.
//!
//! The loops are assembly, since the compiler would widen them to vectors, which a kernel must not
//! use, or replace them by a call of `memset` or `memcpy`.
//!
//! Clearing by an immediate (`mov qword ptr [rdi], 0`) instead of a register was measured: no
//! difference (7.34 bytes per TSC cycle both, Zen 3), and eight bytes more of code a store. The register stays.

use crate::kernel::{Kernel, splat};
use crate::x86_64::block::Block;
use core::arch::asm;

/// The row `unrolled`.
pub(crate) struct Unrolled;

/// Bytes a turn.
const TURN: usize = 64;
const QUAD: usize = 8;

impl Kernel for Unrolled {
    unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
        // SAFETY: every x86-64 has quadwords; the rest is the caller's promise. A repeated byte has period 1.
        unsafe {
            spread(dst, splat(byte), n);
        }
    }

    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
        if dst.addr().wrapping_sub(src.addr()) >= n {
            // SAFETY: the caller's ranges; dst is not inside src..src+n.
            unsafe { forward(dst, src, n) }
        } else {
            // SAFETY: the caller's ranges.
            unsafe { backward(dst, src, n) }
        }
    }

    unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
        // SAFETY: the caller's range.
        unsafe { spread(dst, pattern, n) }
    }
}

/// Repeats `pattern` over `n` bytes from `dst`; the period divides `dst` and `n`.
///
/// # Safety
/// `dst..dst+n` is writable.
pub(crate) unsafe fn spread(dst: *mut u8, pattern: u128, n: usize) {
    if n < QUAD {
        // SAFETY: the caller's range.
        return unsafe { set_below_quad(dst, pattern as u64, n) };
    }
    // An unaligned first quadword reaches the boundary above dst. A pattern of 16 bytes comes in
    // aligned units and keeps dst: a step of 8 would swap its halves.
    let [low, high] = [pattern as u64, (pattern >> 64) as u64];
    let head = if low == high { QUAD - dst.addr() % QUAD } else { 0 };
    // SAFETY: `n >= QUAD >= head`, and every store ends at or below n. They start multiples of 8
    // behind `head`, so the phase holds where the halves are equal: the period divides 8 and dst, hence
    // head. Unequal halves alternate from dst itself, and n is then a multiple of 16: nothing is left
    // for the last store. Quadwords behind `head` are aligned, as dst is for a pattern of 16 bytes.
    unsafe {
        if head > 0 {
            low.store(dst);
        }
        let (mut at, mut left) = (dst.add(head), n - head);
        if left >= TURN {
            let end = at.add(left - left % TURN);
            asm!(
                "2:",
                "mov qword ptr [{at}], {low}",
                "mov qword ptr [{at} + 8], {high}",
                "mov qword ptr [{at} + 16], {low}",
                "mov qword ptr [{at} + 24], {high}",
                "mov qword ptr [{at} + 32], {low}",
                "mov qword ptr [{at} + 40], {high}",
                "mov qword ptr [{at} + 48], {low}",
                "mov qword ptr [{at} + 56], {high}",
                "add {at}, 64",
                "cmp {at}, {end}",
                "jne 2b",
                at = inout(reg) at,
                end = in(reg) end,
                low = in(reg) low,
                high = in(reg) high,
                options(nostack),
            );
            left %= TURN;
        }
        let [mut next, mut after] = [low, high];
        while left >= QUAD {
            at.cast::<u64>().write_volatile(next);
            (at, left) = (at.add(QUAD), left - QUAD);
            (next, after) = (after, next);
        }
        if left > 0 {
            low.store(at.add(left).sub(QUAD));
        }
    }
}

/// Stores the first `n` bytes of a pattern.
///
/// # Safety
/// `dst..dst+n` is writable, `n < 8`, and the pattern's period divides `n`.
unsafe fn set_below_quad(dst: *mut u8, quad: u64, n: usize) {
    // SAFETY: two blocks of half of n or more, at the start and at the end of the range. The end is
    // a multiple of the period, and so is the block, hence the phase of the second one is right.
    unsafe {
        if n >= 4 {
            (quad as u32).store(dst);
            (quad as u32).store(dst.add(n - 4));
        } else if n >= 2 {
            (quad as u16).store(dst);
            (quad as u16).store(dst.add(n - 2));
        } else if n == 1 {
            (quad as u8).store(dst);
        }
    }
}

/// Copies less than a quadword, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n < 8`.
unsafe fn copy_below_quad(dst: *mut u8, src: *const u8, n: usize) {
    /// Two blocks that meet or overlap.
    unsafe fn two<B: Block>(dst: *mut u8, src: *const u8, n: usize) {
        // SAFETY: `SIZE <= n`; both loads come first.
        unsafe {
            let (head, tail) = (B::load(src), B::load(src.add(n - B::SIZE)));
            head.store(dst);
            tail.store(dst.add(n - B::SIZE));
        }
    }
    // SAFETY: each arm's block fits into n, and two of them cover it.
    unsafe {
        match n {
            4.. => two::<u32>(dst, src, n),
            2.. => two::<u16>(dst, src, n),
            1 => two::<u8>(dst, src, n),
            _ => {}
        }
    }
}

/// Copies upwards.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `dst` is not inside `src..src+n` (but may be `src`).
pub(crate) unsafe fn forward(dst: *mut u8, src: *const u8, n: usize) {
    if n < QUAD {
        // SAFETY: the caller's ranges.
        return unsafe { copy_below_quad(dst, src, n) };
    }
    let skip = QUAD - dst.addr() % QUAD;
    // SAFETY: `skip <= QUAD <= n`. First and last quadword are loaded before anything is stored, and
    // stored last, so they hold the source's bytes whatever the loops overwrite. The loops run
    // upwards and load each group before storing it: as dst is below src, a store reaches only source bytes
    // that were loaded. They end at or below n.
    unsafe {
        let (head, tail) = (u64::load(src), u64::load(src.add(n - QUAD)));
        let (mut to, mut from, mut left) = (dst.add(skip), src.add(skip), n - skip);
        if left >= TURN {
            let end = to.add(left - left % TURN);
            asm!(
                "2:",
                "mov {a}, qword ptr [{from}]",
                "mov {b}, qword ptr [{from} + 8]",
                "mov {c}, qword ptr [{from} + 16]",
                "mov {d}, qword ptr [{from} + 24]",
                "mov qword ptr [{to}], {a}",
                "mov qword ptr [{to} + 8], {b}",
                "mov qword ptr [{to} + 16], {c}",
                "mov qword ptr [{to} + 24], {d}",
                "mov {a}, qword ptr [{from} + 32]",
                "mov {b}, qword ptr [{from} + 40]",
                "mov {c}, qword ptr [{from} + 48]",
                "mov {d}, qword ptr [{from} + 56]",
                "mov qword ptr [{to} + 32], {a}",
                "mov qword ptr [{to} + 40], {b}",
                "mov qword ptr [{to} + 48], {c}",
                "mov qword ptr [{to} + 56], {d}",
                "add {from}, 64",
                "add {to}, 64",
                "cmp {to}, {end}",
                "jne 2b",
                to = inout(reg) to,
                from = inout(reg) from,
                end = in(reg) end,
                a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
                options(nostack),
            );
            left %= TURN;
        }
        while left >= QUAD {
            to.cast::<u64>().write_volatile(u64::load(from));
            (to, from, left) = (to.add(QUAD), from.add(QUAD), left - QUAD);
        }
        tail.store(dst.add(n - QUAD));
        head.store(dst);
    }
}

/// Copies downwards, without the direction flag: string instructions with it set run at a byte a
/// cycle, and an interrupt between `std` and `cld` would find it set.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `src` is not inside `dst..dst+n` (but may be `dst`).
pub(crate) unsafe fn backward(dst: *mut u8, src: *const u8, n: usize) {
    if n < QUAD {
        // SAFETY: the caller's ranges.
        return unsafe { copy_below_quad(dst, src, n) };
    }
    let end = dst.wrapping_add(n);
    let skip = match end.addr() % QUAD {
        0 => QUAD,
        above => above,
    };
    // SAFETY: the mirror image of `forward`: `left` bytes from the start of both ranges are still to
    // copy, and the loops take them from the top.
    unsafe {
        let (head, tail) = (u64::load(src), u64::load(src.add(n - QUAD)));
        let mut left = n - skip;
        let (mut to, mut from) = (dst.add(left), src.add(left));
        if left >= TURN {
            let stop = to.sub(left - left % TURN);
            asm!(
                "2:",
                "mov {a}, qword ptr [{from} - 8]",
                "mov {b}, qword ptr [{from} - 16]",
                "mov {c}, qword ptr [{from} - 24]",
                "mov {d}, qword ptr [{from} - 32]",
                "mov qword ptr [{to} - 8], {a}",
                "mov qword ptr [{to} - 16], {b}",
                "mov qword ptr [{to} - 24], {c}",
                "mov qword ptr [{to} - 32], {d}",
                "mov {a}, qword ptr [{from} - 40]",
                "mov {b}, qword ptr [{from} - 48]",
                "mov {c}, qword ptr [{from} - 56]",
                "mov {d}, qword ptr [{from} - 64]",
                "mov qword ptr [{to} - 40], {a}",
                "mov qword ptr [{to} - 48], {b}",
                "mov qword ptr [{to} - 56], {c}",
                "mov qword ptr [{to} - 64], {d}",
                "sub {from}, 64",
                "sub {to}, 64",
                "cmp {to}, {stop}",
                "jne 2b",
                to = inout(reg) to,
                from = inout(reg) from,
                stop = in(reg) stop,
                a = out(reg) _, b = out(reg) _, c = out(reg) _, d = out(reg) _,
                options(nostack),
            );
            left %= TURN;
        }
        while left >= QUAD {
            (to, from, left) = (to.sub(QUAD), from.sub(QUAD), left - QUAD);
            to.cast::<u64>().write_volatile(u64::load(from));
        }
        head.store(dst);
        tail.store(dst.add(n - QUAD));
    }
}
