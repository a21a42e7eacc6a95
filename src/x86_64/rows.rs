//! The vector rows, one width each.
//!
//! A row is compiled for its target features as a whole, so that everything inlined into it (the small sizes, the
//! blocks, the loops) uses them, and the compiler clears the upper halves on every exit (`vzeroupper`). What
//! only large ranges need is a function of its own: the common path then has no stack frame.

use crate::cpu::Features;
use crate::dispatch;
use crate::kernel::{Front, Kernel, splat};
use crate::tunables::{STREAMING_MIN, Threshold};
use crate::x86_64::block::Block;
use crate::x86_64::{masked, small, streaming, strings, vector};
use core::arch::x86_64::*;

macro_rules! row {
    ($(#[$doc:meta])* $row:ident: $block:ty, $needs:literal, $small:ident, $front:ident) => {
        $(#[$doc])*
        pub(crate) struct $row;

        impl Kernel for $row {
            const FRONT: Front = Front::$front;

            #[target_feature(enable = $needs)]
            unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
                // SAFETY: the caller's range, split by its length.
                unsafe { if n <= Front::MAX { $small::set(dst, byte, n) } else { Self::set_beyond(dst, byte, n) } }
            }

            #[target_feature(enable = $needs)]
            unsafe fn set_beyond(dst: *mut u8, byte: u8, n: usize) {
                // SAFETY: the caller's range, more than 64 bytes; this function's features are the block's.
                unsafe {
                    if !vector::set_blocks(dst, <$block>::splat(byte), n) {
                        if n < dispatch::set_large() {
                            vector::set_loop(dst, <$block>::splat(byte), n);
                        } else {
                            Self::set_large(dst, splat(byte), n);
                        }
                    }
                }
            }

            #[target_feature(enable = $needs)]
            unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
                // SAFETY: the caller's ranges, split by their length.
                unsafe { if n <= Front::MAX { $small::copy(dst, src, n) } else { Self::copy_beyond(dst, src, n) } }
            }

            #[target_feature(enable = $needs)]
            unsafe fn copy_beyond(dst: *mut u8, src: *const u8, n: usize) {
                // SAFETY: the caller's ranges, more than 64 bytes; this function's features are the block's. The
                // direction is right for any overlap.
                unsafe {
                    if !vector::copy_blocks::<$block>(dst, src, n) {
                        if n >= dispatch::copy_large() {
                            Self::copy_large(dst, src, n);
                        } else if vector::goes_down(dst, src, n) {
                            vector::backward::<$block>(dst, src, n);
                        } else {
                            vector::forward::<$block>(dst, src, n);
                        }
                    }
                }
            }

            #[target_feature(enable = $needs)]
            unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
                // SAFETY: the caller's range and pattern, split by the length; this function's features are the block's.
                unsafe {
                    if n <= Front::MAX {
                        small::fill(dst, pattern, n);
                    } else if !vector::set_blocks(dst, <$block>::repeat(pattern), n) {
                        if n < dispatch::set_large() {
                            vector::set_loop(dst, <$block>::repeat(pattern), n);
                        } else {
                            Self::set_large(dst, pattern, n);
                        }
                    }
                }
            }
        }

        impl $row {
            /// Computed from the literal that the compiler gets, so that the two cannot drift.
            pub(crate) const NEEDS: Features = Features::parse($needs);

            /// Streams, or uses a string instruction, or the loop after all.
            ///
            /// # Safety
            /// As [`Kernel::fill`], with more than eight blocks.
            #[cold]
            #[inline(never)]
            #[target_feature(enable = $needs)]
            unsafe fn set_large(dst: *mut u8, pattern: u128, n: usize) {
                let zero = pattern == 0;
                let streams = if zero { Threshold::ZeroStreaming } else { Threshold::SetStreaming };
                // SAFETY: the caller's range and pattern; this function's features are the block's.
                unsafe {
                    if n >= streams.get().max(STREAMING_MIN) {
                        streaming::set(dst, <$block>::repeat(pattern), n);
                    } else if n >= Threshold::SetRep.get() {
                        // The caller may come here by a conditional jump, before which the compiler forgets this.
                        if <$block>::SIZE > 16 {
                            _mm256_zeroupper();
                        }
                        strings::Quads::fill(dst, pattern, n);
                    } else {
                        vector::set_loop(dst, <$block>::repeat(pattern), n);
                    }
                }
            }

            /// Streams, or uses a string instruction, or the loops after all.
            ///
            /// # Safety
            /// As [`Kernel::copy`], with more than eight blocks.
            #[cold]
            #[inline(never)]
            #[target_feature(enable = $needs)]
            unsafe fn copy_large(dst: *mut u8, src: *const u8, n: usize) {
                let above = dst.addr().wrapping_sub(src.addr());
                let apart = above >= n && above.wrapping_neg() >= n;
                // SAFETY: the caller's ranges: down where dst is inside the source, up elsewhere, streaming where
                // neither is inside the other. This function's features are the block's.
                unsafe {
                    if above < n {
                        vector::down::<$block>(dst, src, n);
                    } else if apart && n >= Threshold::CopyStreaming.get().max(STREAMING_MIN) {
                        streaming::copy::<$block>(dst, src, n);
                    } else {
                        vector::upwards::<$block>(dst, src, n);
                    }
                }
            }
        }
    };
}

row!(
    /// 16 bytes: every x86-64 with floating point.
    Sse2: __m128i, "sse2", small, Blocks
);
row!(
    /// 32 bytes.
    Avx2: __m256i, "avx2", small, Blocks
);
#[cfg(fast_mem_avx512)]
row!(
    /// 64 bytes.
    Avx512: __m512i, "avx512f,avx512bw,avx512vl,bmi2", masked, Masked
);
