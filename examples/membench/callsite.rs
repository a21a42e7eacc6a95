//! Call sites: the loop around a routine, compiled several times over so that no result hangs on where
//! one call happened to lie.
//!
//! Every contender's loop has the same shape: it reads one operation (where to, where from, how much),
//! makes a pointer of each and calls. What differs is only what is inlined in place of [`Call::call`].

use crate::arch;

/// One call: offsets from the start of the arena, and the length. Twelve bytes, so that a list of a
/// thousand leaves most of a 32 KiB first-level cache to the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) dst: u32,
    pub(crate) src: u32,
    pub(crate) len: u32,
}

/// How many copies of each call site there are.
pub(crate) const SITES: usize = 4;

/// What is called in the loop.
pub(crate) trait Call: Copy + Send + Sync {
    /// # Safety
    /// `dst` starts `n` writable bytes, `src` starts `n` readable ones; they overlap only where the
    /// routine is a move. For a fill, both are multiples of the element's size.
    unsafe fn call(self, dst: *mut u8, src: *const u8, n: usize);
}

/// A [`Call`] with its loops, the type forgotten.
pub(crate) trait CallLoop: Send + Sync {
    /// Calls for each of `operations` from the call site of that number (modulo [`SITES`]).
    ///
    /// # Safety
    /// Every operation lies within the arena that starts at `arena`, and is one that [`Call::call`] allows.
    unsafe fn run(&self, site: usize, operations: &[Operation], arena: *mut u8);
}

impl<C: Call> CallLoop for C {
    unsafe fn run(&self, site: usize, operations: &[Operation], arena: *mut u8) {
        let at_site = match site % SITES {
            0 => call_site::<C, 0>,
            1 => call_site::<C, 1>,
            2 => call_site::<C, 2>,
            _ => call_site::<C, 3>,
        };
        // SAFETY: handed on from the caller.
        unsafe { at_site(*self, operations, arena) }
    }
}

#[inline(never)]
unsafe fn call_site<C: Call, const SITE: usize>(call: C, operations: &[Operation], arena: *mut u8) {
    arch::pad_before::<SITE>();
    for operation in operations {
        arch::pad_inside::<SITE>();
        // SAFETY: the operation lies within the arena and is allowed, says the caller.
        unsafe {
            let dst = arena.add(operation.dst as usize);
            let src = arena.add(operation.src as usize);
            call.call(dst, src, operation.len as usize);
        }
    }
}
