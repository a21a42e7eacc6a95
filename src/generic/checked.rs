//! For interpreters and sanitizers: the public functions hand every access to core, whose loads and
//! stores they see. The variants themselves stay callable.

/// Sets `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the caller's range.
    unsafe { dst.write_bytes(byte, n) }
}

/// Copies `n` bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the caller's ranges.
    unsafe { dst.copy_from(src, n) }
}

/// Repeats a pattern over `n` bytes.
///
/// # Safety
/// `dst..dst+n` is writable.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
    let bytes = pattern.to_ne_bytes();
    let mut done = 0;
    while done < n {
        let part = (n - done).min(16);
        // SAFETY: `part` bytes are left of the range and of the sixteen.
        unsafe { dst.add(done).copy_from_nonoverlapping(bytes.as_ptr(), part) }
        done += part;
    }
}
