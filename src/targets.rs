//! Where calls go: the one cache line that every call site reads, and how a call site finds it.

use crate::dispatch::{RESOLVE_COPY, RESOLVE_FILL, RESOLVE_SET};
use crate::kernel::Front;
use crate::tunables::NEVER;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicUsize};

/// Where calls go. One cache line, so that a call site needs one address and a cold call one miss.
#[repr(align(64))]
pub(crate) struct Targets {
    /// What call sites do with small lengths: a [`Front`]. Never more than this CPU can do.
    pub(crate) set_front: AtomicU8,
    pub(crate) copy_front: AtomicU8,
    /// From this length on a short copy's loop aligns the source.
    pub(crate) source_align: AtomicU32,
    /// For any length.
    pub(crate) set: AtomicPtr<()>,
    pub(crate) copy: AtomicPtr<()>,
    pub(crate) fill: AtomicPtr<()>,
    /// For lengths beyond the front.
    pub(crate) set_beyond: AtomicPtr<()>,
    pub(crate) copy_beyond: AtomicPtr<()>,
    /// Below these lengths a kernel has its loop and no threshold to look at.
    pub(crate) set_large: AtomicUsize,
    pub(crate) copy_large: AtomicUsize,
}

const _: () = assert!(size_of::<Targets>() == 64);

static TARGETS: Targets = Targets {
    set_front: AtomicU8::new(Front::Call as u8),
    copy_front: AtomicU8::new(Front::Call as u8),
    source_align: AtomicU32::new(u32::MAX),
    set: AtomicPtr::new(RESOLVE_SET as *mut ()),
    copy: AtomicPtr::new(RESOLVE_COPY as *mut ()),
    fill: AtomicPtr::new(RESOLVE_FILL as *mut ()),
    set_beyond: AtomicPtr::new(RESOLVE_SET as *mut ()),
    copy_beyond: AtomicPtr::new(RESOLVE_COPY as *mut ()),
    set_large: AtomicUsize::new(NEVER),
    copy_large: AtomicUsize::new(NEVER),
};

/// Where calls go.
#[cfg(not(fast_mem_relaxed))]
#[inline(always)]
pub(crate) fn targets() -> &'static Targets {
    &TARGETS
}

/// Where calls go, found without a load wherever the linker can see that the line is in the same file.
///
/// Compiled code finds another crate's static through the global offset table, and rustc marks that load as one the linker must
/// leave alone. This is the same instruction with the mark that lets it become a `lea` (System V ABI for x86-64, B.2; binutils from
/// 2.26 on, lld, mold): a cold call then reads one line less (Zen 5: 20 ns instead of 30). Nothing is promised about
/// the line, so a shared Rust library, where it stays a load, is right too.
#[cfg(fast_mem_relaxed)]
#[inline(always)]
pub(crate) fn targets() -> &'static Targets {
    let at: *const Targets;
    // SAFETY: the relocation fills the four bytes before the label, the displacement, with the distance to the slot that holds the
    // static's address; or the linker makes the load a `lea` of that address. The static lives as long as the program.
    unsafe {
        core::arch::asm!(
            "mov {at}, qword ptr [rip]",
            "2:",
            ".reloc 2b - 4, R_X86_64_REX_GOTPCRELX, {targets} - 4",
            at = out(reg) at,
            targets = sym TARGETS,
            options(pure, nomem, nostack, preserves_flags),
        );
        &*at
    }
}
