//! A kernel: the routines of one variant, as a type.

/// Sets, copies and fills raw memory in one particular way.
///
/// Lengths are bytes, up to `usize::MAX`; zero touches nothing. A kernel accesses nothing outside
/// `dst..dst+n` and `src..src+n`, reads nothing of `dst` but in `copy` where the ranges overlap,
/// never sets the direction flag, and leaves the upper halves of the vector registers clean.
pub(crate) trait Kernel {
    /// Lengths below this one may be set and copied by the masked stores of `x86_64/masked.rs` in the caller.
    const MASKED_BELOW: usize = 0;

    /// Sets `n` bytes from `dst` to `byte`.
    ///
    /// # Safety
    /// `dst..dst+n` is writable, and the CPU has what the row needs.
    unsafe fn set(dst: *mut u8, byte: u8, n: usize);

    /// Copies `n` bytes from `src` to `dst`. The ranges may overlap in any way.
    ///
    /// # Safety
    /// `src..src+n` is readable, `dst..dst+n` writable, and the CPU has what the row needs.
    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize);

    /// Repeats a 16-byte pattern, given as the number that has its bytes in memory order, over `n` bytes from `dst`.
    ///
    /// # Safety
    /// `dst..dst+n` is writable, the CPU has what the row needs, and the pattern
    /// repeats with a period (1, 2, 4, 8 or 16 bytes) that divides both `n` and, on x86-64, `dst`.
    unsafe fn fill(dst: *mut u8, pattern: u128, n: usize);
}

/// The pattern of one repeated byte.
#[inline(always)]
pub(crate) const fn splat(byte: u8) -> u128 {
    // All ones over 255 is one in each byte.
    u128::MAX / 255 * byte as u128
}
