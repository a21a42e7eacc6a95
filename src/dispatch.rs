//! The atomic function pointers, and the one resolution that patches them.
//!
//! Each pointer starts at a resolver. The first call through any of them detects the CPU, reads the
//! environment, chooses, stores the winners and goes on to them; every later call is one relaxed load and
//! one indirect call. Nothing here allocates, locks or panics: the first call may come from an allocator, a signal
//! handler, 64 threads at once, or before `main`. Racing threads all compute the same.

use crate::cpu::{CpuInfo, Features};
use crate::report::{Selection, Source};
use crate::select::{Routine, Wish, forced_by_feature, select};
use crate::startup;
use crate::store::{self, Decision};
use crate::targets::targets;
use crate::tunables;
use crate::variant::{Routines, TABLE, Variant};
use crate::wish;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

type Set = unsafe fn(*mut u8, u8, usize);
type Copy = unsafe fn(*mut u8, *const u8, usize);
type Fill = unsafe fn(*mut u8, u128, usize);

pub(crate) const RESOLVE_SET: Set = resolve_set;
pub(crate) const RESOLVE_COPY: Copy = resolve_copy;
pub(crate) const RESOLVE_FILL: Fill = resolve_fill;

/// What a call site does with a small set.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) fn set_front() -> u8 {
    targets().set_front.load(Relaxed)
}

/// What a call site does with a small copy.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) fn copy_front() -> u8 {
    targets().copy_front.load(Relaxed)
}

/// From here on a set looks at its thresholds one by one.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) fn set_large() -> usize {
    targets().set_large.load(Relaxed)
}

/// From here on a copy looks at its thresholds one by one.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) fn copy_large() -> usize {
    targets().copy_large.load(Relaxed)
}

/// From here on a short copy's loop aligns the source.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) fn source_align() -> usize {
    targets().source_align.load(Relaxed) as usize
}

/// Sets `n` bytes by the chosen variant.
///
/// # Safety
/// `dst..dst+n` is writable.
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: only `Set` functions are ever stored there. The caller vouches for the range.
    unsafe { core::mem::transmute::<*mut (), Set>(targets().set.load(Relaxed))(dst, byte, n) }
}

/// Sets more than [`Front::MAX`](crate::kernel::Front::MAX) bytes by the chosen variant.
///
/// # Safety
/// `dst..dst+n` is writable, and `n > Front::MAX`.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) unsafe fn set_beyond(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: as in `set`; what is stored there takes such lengths.
    unsafe { core::mem::transmute::<*mut (), Set>(targets().set_beyond.load(Relaxed))(dst, byte, n) }
}

/// Copies `n` bytes, overlapping or not, by the chosen variant.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: only `Copy` functions are ever stored there. The caller vouches for the ranges.
    unsafe { core::mem::transmute::<*mut (), Copy>(targets().copy.load(Relaxed))(dst, src, n) }
}

/// Copies more than [`Front::MAX`](crate::kernel::Front::MAX) bytes, overlapping or not, by the chosen variant.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `n > Front::MAX`.
#[cfg(fast_mem_simd)]
#[inline(always)]
pub(crate) unsafe fn copy_beyond(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: as in `copy`; what is stored there takes such lengths.
    unsafe { core::mem::transmute::<*mut (), Copy>(targets().copy_beyond.load(Relaxed))(dst, src, n) }
}

/// Repeats a pattern over `n` bytes by the chosen variant.
///
/// # Safety
/// `dst..dst+n` is writable; the pattern's period divides `dst` and `n`.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
    // SAFETY: only `Fill` functions are ever stored there. The caller vouches for the range.
    unsafe { core::mem::transmute::<*mut (), Fill>(targets().fill.load(Relaxed))(dst, pattern, n) }
}

#[cold]
unsafe fn resolve_set(dst: *mut u8, byte: u8, n: usize) {
    if startup::is_early() {
        // SAFETY: the caller's range; this row needs nothing.
        return unsafe { (baseline().set)(dst, byte, n) };
    }
    resolve();
    // SAFETY: the caller's range; the pointer no longer leads here.
    unsafe { set(dst, byte, n) }
}

#[cold]
unsafe fn resolve_copy(dst: *mut u8, src: *const u8, n: usize) {
    if startup::is_early() {
        // SAFETY: the caller's ranges; this row needs nothing.
        return unsafe { (baseline().copy)(dst, src, n) };
    }
    resolve();
    // SAFETY: the caller's ranges; the pointer no longer leads here.
    unsafe { copy(dst, src, n) }
}

#[cold]
unsafe fn resolve_fill(dst: *mut u8, pattern: u128, n: usize) {
    if startup::is_early() {
        // SAFETY: the caller's range and pattern; this row needs nothing.
        return unsafe { (baseline().fill)(dst, pattern, n) };
    }
    resolve();
    // SAFETY: the caller's range and pattern; the pointer no longer leads here.
    unsafe { fill(dst, pattern, n) }
}

/// The row that needs nothing.
fn baseline() -> &'static Routines {
    TABLE[TABLE.len() - 1].routines()
}

/// Points each pointer that still leads to its resolver to a row that needs nothing: detection itself may
/// need memory routines (the compiler inserts calls), and those calls must not come back to it.
fn publish_baseline() {
    let &Routines { set, copy, fill, .. } = baseline();
    let patch = |pointer: &AtomicPtr<()>, resolver: *mut (), row: *mut ()| {
        // Failing means that another thread was here before: then the pointer is good already.
        let _ = pointer.compare_exchange(resolver, row, Relaxed, Relaxed);
    };
    patch(&targets().set, RESOLVE_SET as *mut (), set as *mut ());
    patch(&targets().set_beyond, RESOLVE_SET as *mut (), set as *mut ());
    patch(&targets().copy, RESOLVE_COPY as *mut (), copy as *mut ());
    patch(&targets().copy_beyond, RESOLVE_COPY as *mut (), copy as *mut ());
    patch(&targets().fill, RESOLVE_FILL as *mut (), fill as *mut ());
}

/// Detects, chooses and patches, once per process (or several times to the same end, where threads race).
#[cold]
pub(crate) fn resolve() -> Decision {
    if let Some(decision) = store::decision() {
        return decision;
    }
    publish_baseline();
    let cpu = crate::arch::detect();
    let wishes = wish::from_environment(&cpu);
    let forced = forced_by_feature();
    let pick = |routine, wished: Option<&'static Variant>| {
        let wish = wished.map(|variant| Wish { variant, source: Source::Environment }).or(forced);
        select(routine, &cpu, wish)
    };
    let (set, copy) = (pick(Routine::Set, wishes.set), pick(Routine::Copy, wishes.copy));
    tunables::publish(&cpu, &wishes.tunables);
    let (set_large, copy_large) = tunables::least();
    targets().set_large.store(set_large, Relaxed);
    targets().copy_large.store(copy_large, Relaxed);
    targets().source_align.store(tunables::source_align(), Relaxed);
    // The thresholds are in place before a variant that reads them can run in this thread. Another thread that
    // sees the pointer first finds NEVER in them, which is right as well: only slower.
    let (set_row, copy_row) = (set.variant.routines(), copy.variant.routines());
    targets().set.store(set_row.set as *mut (), Relaxed);
    targets().set_beyond.store(set_row.set_beyond as *mut (), Relaxed);
    targets().fill.store(set_row.fill as *mut (), Relaxed);
    targets().copy.store(copy_row.copy as *mut (), Relaxed);
    targets().copy_beyond.store(copy_row.copy_beyond as *mut (), Relaxed);
    targets().set_front.store(set_row.front as u8, Relaxed);
    targets().copy_front.store(copy_row.front as u8, Relaxed);
    let (decision, first) = store::publish(&cpu, &set, &copy, wishes.errors.iter().flatten().next());
    if first {
        wishes.errors.iter().flatten().for_each(wish::report);
    }
    decision
}

/// What is in force.
pub(crate) fn selection() -> Selection {
    resolve().selection()
}

/// What this CPU can do, at the cost of two loads.
#[inline]
pub(crate) fn features() -> Features {
    if store::decision().is_none() {
        resolve();
    }
    store::features()
}

/// This CPU, as it was when the choice was made.
pub(crate) fn cpu() -> CpuInfo {
    resolve();
    store::cpu()
}
