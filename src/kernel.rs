//! A kernel: the routines of one variant, as a type.

/// What a call site does with a small length where a kernel is in use. Its number is the longest set that is done so.
#[derive(Clone, Copy)]
#[repr(u8)]
pub(crate) enum Front {
    /// It calls the kernel. Also before the first resolution.
    Call = 0,
    /// It stores overlapping blocks.
    #[cfg(fast_mem_simd)]
    Blocks = Self::MAX as u8,
    /// It stores masked vectors.
    #[cfg(fast_mem_avx512)]
    Masked = Self::SET_MAX as u8,
}

#[cfg(fast_mem_x86_64)]
impl Front {
    /// The longest set by blocks, and the longest copy by either.
    pub(crate) const MAX: usize = 64;
    /// The longest set by masked vectors.
    #[cfg(fast_mem_simd)]
    pub(crate) const SET_MAX: usize = 128;
}

/// Sets, copies and fills raw memory in one particular way.
///
/// Lengths are bytes, up to `usize::MAX`; zero touches nothing. A kernel accesses nothing outside
/// `dst..dst+n` and `src..src+n`, lets nothing that was in `dst` matter but in `copy` where the ranges overlap,
/// never sets the direction flag, and leaves the upper halves of the vector registers clean.
pub(crate) trait Kernel {
    /// What a call site does with a small length instead of calling this kernel.
    const FRONT: Front = Front::Call;

    /// Sets `n` bytes from `dst` to `byte`.
    ///
    /// # Safety
    /// `dst..dst+n` is writable, and the CPU has what the row needs.
    unsafe fn set(dst: *mut u8, byte: u8, n: usize);

    /// [`set`](Kernel::set) for more than [`Front::MAX`] bytes: what a call site has tested is not tested again.
    ///
    /// # Safety
    /// As there, and `n > Front::MAX`.
    unsafe fn set_beyond(dst: *mut u8, byte: u8, n: usize) {
        // SAFETY: the caller's promise is the stricter one.
        unsafe { Self::set(dst, byte, n) }
    }

    /// Copies `n` bytes from `src` to `dst`. The ranges may overlap in any way.
    ///
    /// # Safety
    /// `src..src+n` is readable, `dst..dst+n` writable, and the CPU has what the row needs.
    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize);

    /// [`copy`](Kernel::copy) for more than [`Front::MAX`] bytes.
    ///
    /// # Safety
    /// As there, and `n > Front::MAX`.
    unsafe fn copy_beyond(dst: *mut u8, src: *const u8, n: usize) {
        // SAFETY: the caller's promise is the stricter one.
        unsafe { Self::copy(dst, src, n) }
    }

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
