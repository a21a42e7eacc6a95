//! A block: so many bytes that one instruction loads or stores at any address.
//!
//! The small sizes and the vector loops are written once over this trait; a `u32`, an xmm and a
//! zmm register differ only in what stands here and in `x86_64/vectors.rs`.

/// Bytes that move as one. Loads and stores are unaligned unless they say otherwise.
pub(crate) trait Block: Copy {
    /// How many bytes it holds.
    const SIZE: usize = size_of::<Self>();

    /// A block of one repeated byte.
    ///
    /// # Safety
    /// The CPU has the instructions of this block.
    unsafe fn splat(byte: u8) -> Self;

    /// A block of a repeated 16-byte pattern (of its first bytes, where it is shorter).
    ///
    /// # Safety
    /// The CPU has the instructions of this block.
    unsafe fn repeat(pattern: u128) -> Self;

    /// The `SIZE` bytes at `src`.
    ///
    /// # Safety
    /// They are readable, and the CPU has the instructions of this block.
    unsafe fn load(src: *const u8) -> Self;

    /// Stores to the `SIZE` bytes at `dst`.
    ///
    /// # Safety
    /// They are writable, and the CPU has the instructions of this block.
    unsafe fn store(self, dst: *mut u8);
}

/// Any address is good for a field of a packed struct: assigning one is a single unaligned move in
/// every profile, where `write_unaligned` is a call of `memcpy` for wide blocks without optimisation.
#[repr(C, packed)]
pub(crate) struct AnyAddress<T>(pub(crate) T);

macro_rules! word_block {
    ($($word:ty),*) => {$(
        impl Block for $word {
            #[inline(always)]
            unsafe fn splat(byte: u8) -> Self {
                // All ones over 255 is one in each byte.
                <$word>::MAX / 255 * byte as $word
            }
            #[inline(always)]
            unsafe fn repeat(pattern: u128) -> Self {
                pattern as $word
            }
            #[inline(always)]
            unsafe fn load(src: *const u8) -> Self {
                // SAFETY: the caller vouches for the bytes, and the type for the address.
                unsafe { (*src.cast::<AnyAddress<$word>>()).0 }
            }
            #[inline(always)]
            unsafe fn store(self, dst: *mut u8) {
                // SAFETY: the caller vouches for the bytes, and the type for the address.
                unsafe { (*dst.cast::<AnyAddress<$word>>()).0 = self }
            }
        }
    )*};
}
word_block!(u8, u16, u32, u64);

/// Sixteen bytes in two general registers.
impl Block for [u64; 2] {
    #[inline(always)]
    unsafe fn splat(byte: u8) -> Self {
        // SAFETY: words are on every CPU.
        [unsafe { u64::splat(byte) }; 2]
    }
    #[inline(always)]
    unsafe fn repeat(pattern: u128) -> Self {
        [pattern as u64, (pattern >> 64) as u64]
    }
    #[inline(always)]
    unsafe fn load(src: *const u8) -> Self {
        // SAFETY: the caller vouches for sixteen bytes.
        unsafe { [u64::load(src), u64::load(src.add(8))] }
    }
    #[inline(always)]
    unsafe fn store(self, dst: *mut u8) {
        // SAFETY: the caller vouches for sixteen bytes.
        unsafe {
            self[0].store(dst);
            self[1].store(dst.add(8));
        }
    }
}
