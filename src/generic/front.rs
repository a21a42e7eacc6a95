//! Without an inlined front: every length goes through the pointer.

pub(crate) use crate::dispatch::{copy, fill, set};

/// The longest length that is not sent through the pointer.
pub(crate) const MAX: usize = 0;

/// Sets up to [`MAX`] bytes: none.
///
/// # Safety
/// `n <= MAX`.
pub(crate) unsafe fn small_set(_dst: *mut u8, _byte: u8, _n: usize) {}

/// Copies up to [`MAX`] bytes: none.
///
/// # Safety
/// `n <= MAX`.
pub(crate) unsafe fn small_copy(_dst: *mut u8, _src: *const u8, _n: usize) {}

/// Repeats a pattern over up to [`MAX`] bytes: none.
///
/// # Safety
/// `n <= MAX`.
pub(crate) unsafe fn small_fill(_dst: *mut u8, _pattern: [u64; 2], _n: usize) {}
