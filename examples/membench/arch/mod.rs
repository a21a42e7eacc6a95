//! What differs between architectures: a serialised time stamp, a chain of known latency, padding at
//! call sites, flushing, code that evicts code, and the peak kernels. Each of the two files answers the
//! same names, so nobody else asks which architecture this is.

#[cfg(not(target_arch = "x86_64"))]
mod portable;
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::*;

#[cfg(target_arch = "x86_64")]
mod peak;
#[cfg(target_arch = "x86_64")]
mod thrash;
#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub(crate) use {peak::kernels, thrash::*, x86_64::*};

/// A loop at the limit of what this machine can store, copy or load. Takes multiples of
/// [`PEAK_STEP`] bytes at addresses that are multiples of 64.
pub(crate) type PeakFn = unsafe fn(dst: *mut u8, src: *const u8, n: usize, byte: u8);

/// What a peak kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeakKind {
    Store,
    Load,
    Copy,
}

/// One peak kernel with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peak {
    pub(crate) name: &'static str,
    pub(crate) kind: PeakKind,
    pub(crate) run: PeakFn,
}

/// Bytes in one turn of every peak kernel's loop.
pub(crate) const PEAK_STEP: usize = 256;
