//! The vector rows: one width each, with string instructions in the middle or without.
//!
//! A row is compiled for its target features as a whole, so that everything inlined into it (the
//! blocks, the ladder, the loops) uses them, and the compiler clears the upper halves on every exit (`vzeroupper`).

use crate::cpu::Features;
use crate::kernel::Kernel;
use crate::tunables::Threshold;
use crate::x86_64::block::Block;
use crate::x86_64::front;
use crate::x86_64::{strings, vector};
use core::arch::x86_64::*;

macro_rules! row {
    ($(#[$doc:meta])* $row:ident: $block:ty, $needs:literal, strings: $strings:literal) => {
        $(#[$doc])*
        pub(crate) struct $row;

        impl $row {
            /// Computed from the literal that the compiler gets, so that the two cannot drift.
            pub(crate) const NEEDS: Features = Features::parse($needs);
        }

        impl Kernel for $row {
            const FROM: usize = front::MAX + 1;

            #[target_feature(enable = $needs)]
            unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
                let streaming = if byte == 0 { Threshold::ZeroStreaming } else { Threshold::SetStreaming };
                // SAFETY: the caller's range, `n >= FROM > 64`, and this function's features are the block's.
                unsafe {
                    if $strings && n >= Threshold::SetRep.get() && n < streaming.get() {
                        strings::Bytes::set(dst, byte, n);
                    } else {
                        vector::set(dst, <$block>::splat(byte), n, streaming);
                    }
                }
            }

            #[target_feature(enable = $needs)]
            unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
                // SAFETY: the caller's ranges, `n >= FROM > 64`, and this function's features are the block's.
                unsafe {
                    if $strings && strings::suit(dst, src, n) {
                        strings::upwards::<1>(dst, src, n);
                    } else {
                        vector::copy::<$block>(dst, src, n);
                    }
                }
            }

            #[target_feature(enable = $needs)]
            unsafe fn fill(dst: *mut u8, pattern: [u64; 2], n: usize) {
                // SAFETY: the caller's range and pattern, `n >= FROM > 64`, and this function's features are the block's.
                unsafe { vector::set(dst, <$block>::repeat(pattern), n, Threshold::SetStreaming) }
            }
        }
    };
}

row!(
    /// 16 bytes: every x86-64 with floating point.
    Sse2: __m128i, "sse2", strings: false
);
row!(
    /// 16 bytes, string instructions in the middle.
    Sse2Erms: __m128i, "sse2", strings: true
);
row!(
    /// 32 bytes.
    Avx2: __m256i, "avx2", strings: false
);
row!(
    /// 32 bytes, string instructions in the middle.
    Avx2Erms: __m256i, "avx2", strings: true
);
#[cfg(fast_mem_avx512)]
row!(
    /// 64 bytes.
    Avx512: __m512i, "avx512f,avx512bw,avx512vl", strings: false
);
