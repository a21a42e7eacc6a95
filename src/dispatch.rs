//! The atomic function pointers, and the one resolution that patches them.
//!
//! Each pointer starts at a resolver. The first call through any of them detects the CPU, reads the
//! environment, chooses, stores the winners and goes on to them; every later call is one relaxed load and
//! one indirect call. Nothing here allocates, locks or panics: the first call may come from an allocator, a signal
//! handler, 64 threads at once, or before `main`. Racing threads all compute the same.

use crate::cpu::CpuInfo;
use crate::report::{Selection, Source};
use crate::select::{Routine, Wish, forced_by_feature, select};
use crate::store::{self, Decision};
use crate::tunables;
use crate::variant::{Routines, TABLE, Variant};
use crate::wish;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

type Set = unsafe fn(*mut u8, u8, usize);
type Copy = unsafe fn(*mut u8, *const u8, usize);
type Fill = unsafe fn(*mut u8, [u64; 2], usize);

static SET: AtomicPtr<()> = AtomicPtr::new(RESOLVE_SET as *mut ());
static COPY: AtomicPtr<()> = AtomicPtr::new(RESOLVE_COPY as *mut ());
static FILL: AtomicPtr<()> = AtomicPtr::new(RESOLVE_FILL as *mut ());

const RESOLVE_SET: Set = resolve_set;
const RESOLVE_COPY: Copy = resolve_copy;
const RESOLVE_FILL: Fill = resolve_fill;

/// Sets `n` bytes by the chosen variant.
///
/// # Safety
/// `dst..dst+n` is writable, and `n` is above the inlined sizes.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: only `Set` functions are ever stored there. The caller vouches for the range.
    unsafe { core::mem::transmute::<*mut (), Set>(SET.load(Relaxed))(dst, byte, n) }
}

/// Copies `n` bytes, overlapping or not, by the chosen variant.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `n` is above the inlined sizes.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: only `Copy` functions are ever stored there. The caller vouches for the ranges.
    unsafe { core::mem::transmute::<*mut (), Copy>(COPY.load(Relaxed))(dst, src, n) }
}

/// Repeats a pattern over `n` bytes by the chosen variant.
///
/// # Safety
/// `dst..dst+n` is writable, the pattern's period divides `dst` and `n`, and `n` is above the inlined sizes.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: [u64; 2], n: usize) {
    // SAFETY: only `Fill` functions are ever stored there. The caller vouches for the range.
    unsafe { core::mem::transmute::<*mut (), Fill>(FILL.load(Relaxed))(dst, pattern, n) }
}

#[cold]
unsafe fn resolve_set(dst: *mut u8, byte: u8, n: usize) {
    resolve();
    // SAFETY: the caller's range; the pointer no longer leads here.
    unsafe { set(dst, byte, n) }
}

#[cold]
unsafe fn resolve_copy(dst: *mut u8, src: *const u8, n: usize) {
    resolve();
    // SAFETY: the caller's ranges; the pointer no longer leads here.
    unsafe { copy(dst, src, n) }
}

#[cold]
unsafe fn resolve_fill(dst: *mut u8, pattern: [u64; 2], n: usize) {
    resolve();
    // SAFETY: the caller's range and pattern; the pointer no longer leads here.
    unsafe { fill(dst, pattern, n) }
}

/// Points each pointer that still leads to its resolver to a row that needs nothing: detection itself may
/// need memory routines (the compiler inserts calls), and those calls must not come back to it.
fn publish_baseline() {
    let Routines { set, copy, fill, .. } = TABLE[TABLE.len() - 1].routines();
    let patch = |pointer: &AtomicPtr<()>, resolver: *mut (), row: *mut ()| {
        // Failing means that another thread was here before: then the pointer is good already.
        let _ = pointer.compare_exchange(resolver, row, Relaxed, Relaxed);
    };
    patch(&SET, RESOLVE_SET as *mut (), set as *mut ());
    patch(&COPY, RESOLVE_COPY as *mut (), copy as *mut ());
    patch(&FILL, RESOLVE_FILL as *mut (), fill as *mut ());
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
    // The thresholds are in place before a variant that reads them can run in this thread. Another thread that
    // sees the pointer first finds NEVER in them, which is right as well: only slower.
    SET.store(set.variant.routines().set as *mut (), Relaxed);
    FILL.store(set.variant.routines().fill as *mut (), Relaxed);
    COPY.store(copy.variant.routines().copy as *mut (), Relaxed);
    let (decision, first) = store::publish(&cpu, &set, &copy, wishes.errors[0].as_ref());
    if first {
        wishes.errors.iter().flatten().for_each(wish::report);
    }
    decision
}

/// What is in force.
pub(crate) fn selection() -> Selection {
    resolve().selection()
}

/// This CPU, as it was when the choice was made.
pub(crate) fn cpu() -> CpuInfo {
    resolve();
    store::cpu()
}
