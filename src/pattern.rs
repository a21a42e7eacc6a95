//! The element types that [`fill`](crate::fill) takes.

/// A primitive number of 1, 2, 4, 8 or 16 bytes: every integer and float, `usize` and `isize`.
///
/// Sealed: all its types are plain bytes without padding, and their size divides 16, which
/// is what lets one 16-byte pattern stand for any of them.
///
/// ```
/// let mut samples = [0.0f32; 100];
/// fast_mem::fill(&mut samples, 0.5);
/// assert!(samples.iter().all(|&x| x == 0.5));
/// ```
pub trait Pattern: Copy + sealed::Bytes {}

mod sealed {
    /// How a value repeats to sixteen bytes.
    pub trait Bytes {
        /// The number whose sixteen bytes in memory are the value's, repeated.
        fn repeated(self) -> u128;
    }
}

/// A word of `BITS` bits, repeated. A multiplication by a constant folds where a loop over the bytes stays a loop
/// (`opt-level = "s"`), and one of 64 bits is cheaper than one of 128.
const fn repeat<const BITS: u32>(word: u64) -> u128 {
    // All ones over a word of ones is a one in each word.
    let half = u64::MAX / (u64::MAX >> (64 - BITS)) * word;
    (half as u128) << 64 | half as u128
}

macro_rules! pattern {
    ($($word:ident: $($t:ident)*;)*) => {$($(
        impl Pattern for $t {}
        impl sealed::Bytes for $t {
            #[inline]
            fn repeated(self) -> u128 {
                repeat::<{ $word::BITS }>($word::from_ne_bytes(self.to_ne_bytes()) as u64)
            }
        }
    )*)*};
}
pattern! {
    u8: u8 i8;
    u16: u16 i16;
    u32: u32 i32 f32;
    u64: u64 i64 f64;
    usize: usize isize;
}

impl Pattern for u128 {}
impl Pattern for i128 {}

impl sealed::Bytes for u128 {
    #[inline]
    fn repeated(self) -> u128 {
        self
    }
}

impl sealed::Bytes for i128 {
    #[inline]
    fn repeated(self) -> u128 {
        self as u128
    }
}
