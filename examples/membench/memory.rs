//! Memory to measure on: whole mappings, whose pages can be given back.

use crate::failure::Failure;
use core::ptr::NonNull;

/// The smallest page that this tool assumes.
pub(crate) const PAGE: usize = 4096;

#[cfg(unix)]
mod os {
    use super::NonNull;

    pub(super) fn map(n: usize) -> Option<NonNull<u8>> {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        // SAFETY: a fresh anonymous mapping touches nothing that exists.
        let start = unsafe { libc::mmap(core::ptr::null_mut(), n, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED { None } else { NonNull::new(start.cast()) }
    }

    /// # Safety
    /// `start` and `n` are those of a mapping that nobody uses any more.
    pub(super) unsafe fn unmap(start: NonNull<u8>, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { libc::munmap(start.as_ptr().cast(), n) };
    }
}

#[cfg(not(unix))]
mod os {
    use super::{NonNull, PAGE};
    use std::alloc::{Layout, alloc, dealloc};

    pub(super) fn map(n: usize) -> Option<NonNull<u8>> {
        let layout = Layout::from_size_align(n, PAGE).ok()?;
        // SAFETY: `Arena` never asks for nothing, so the size is not zero.
        NonNull::new(unsafe { alloc(layout) })
    }

    /// # Safety
    /// `start` and `n` are those of a mapping that nobody uses any more.
    pub(super) unsafe fn unmap(start: NonNull<u8>, n: usize) {
        // SAFETY: the same size and alignment as in `map`, which accepted them.
        unsafe { dealloc(start.as_ptr(), Layout::from_size_align_unchecked(n, PAGE)) }
    }
}

#[cfg(target_os = "linux")]
mod advice {
    use super::Arena;

    fn advise(arena: &Arena, advice: core::ffi::c_int) {
        // SAFETY: the range is the arena's own mapping. A refusal changes nothing that is relied on.
        unsafe { libc::madvise(arena.as_ptr().cast(), arena.len(), advice) };
    }

    /// Asks for huge pages, or for none.
    pub(crate) fn huge_pages(arena: &Arena, wanted: bool) {
        advise(arena, if wanted { libc::MADV_HUGEPAGE } else { libc::MADV_NOHUGEPAGE });
    }
}

#[cfg(not(target_os = "linux"))]
mod advice {
    /// There is no such choice here.
    pub(crate) fn huge_pages(_: &super::Arena, _wanted: bool) {}
}

pub(crate) use advice::huge_pages;

/// A private mapping, given back when dropped. Its bytes are read and written through raw pointers only.
#[derive(Debug)]
pub(crate) struct Arena {
    start: NonNull<u8>,
    n: usize,
}

impl Arena {
    /// Maps `n` bytes (rounded up to whole pages) and touches none of them.
    pub(crate) fn untouched(n: usize) -> Result<Self, Failure> {
        let n = n.max(1).next_multiple_of(PAGE);
        os::map(n).map(|start| Self { start, n }).ok_or_else(|| {
            Failure::input(format!("no memory for {n} bytes: choose a smaller --max-size, or free some memory"))
        })
    }

    /// Maps `n` bytes, each page of them there and filled with something that is not zero.
    pub(crate) fn touched(n: usize) -> Result<Self, Failure> {
        let arena = Self::untouched(n)?;
        // SAFETY: the mapping's own `n` bytes.
        unsafe { arena.as_ptr().write_bytes(0x5C, arena.n) };
        Ok(arena)
    }

    pub(crate) fn as_ptr(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.n
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the mapping of `untouched`, dropped once.
        unsafe { os::unmap(self.start, self.n) };
    }
}

// SAFETY: an arena owns its mapping, and a mapping belongs to no thread.
unsafe impl Send for Arena {}

/// Bytes that can be had without pushing anything out, where the system says so.
pub(crate) fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
}
