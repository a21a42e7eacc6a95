//! The vector registers as blocks: xmm, ymm, zmm.
//!
//! Everything here is `#[inline(always)]`: only inside a function that enables the row's target feature
//! do these become single instructions.

#![cfg_attr(
    fast_mem_avx512,
    expect(clippy::incompatible_msrv, reason = "zmm is compiled from Rust 1.89 on only: see build.rs")
)]

use crate::x86_64::block::{AnyAddress, Block};
use core::arch::x86_64::*;

/// A block that has aligned and non-temporal stores too.
pub(crate) trait Vector: Block {
    /// Stores around the caches.
    ///
    /// # Safety
    /// As [`Block::store`], and `dst` is a multiple of `SIZE`.
    unsafe fn stream(self, dst: *mut u8);
}

macro_rules! vector {
    ($register:ty, $splat:ident, $repeat:expr, $stream:ident) => {
        impl Block for $register {
            #[inline(always)]
            unsafe fn splat(byte: u8) -> Self {
                // SAFETY: the caller vouches for the instructions.
                unsafe { $splat(byte as i8) }
            }
            #[inline(always)]
            unsafe fn repeat([low, high]: [u64; 2]) -> Self {
                // SAFETY: the caller vouches for the instructions.
                unsafe { $repeat(_mm_set_epi64x(high as i64, low as i64)) }
            }
            #[inline(always)]
            unsafe fn load(src: *const u8) -> Self {
                // SAFETY: the caller vouches for the bytes, and the type for the address.
                unsafe { (*src.cast::<AnyAddress<Self>>()).0 }
            }
            #[inline(always)]
            unsafe fn store(self, dst: *mut u8) {
                // SAFETY: the caller vouches for the bytes, and the type for the address.
                unsafe { (*dst.cast::<AnyAddress<Self>>()).0 = self }
            }
        }
        impl Vector for $register {
            #[inline(always)]
            unsafe fn stream(self, dst: *mut u8) {
                // SAFETY: the caller vouches for the bytes, the alignment and the instructions.
                unsafe { $stream(dst.cast(), self) }
            }
        }
    };
}
vector!(__m128i, _mm_set1_epi8, core::convert::identity, _mm_stream_si128);
vector!(__m256i, _mm256_set1_epi8, _mm256_broadcastsi128_si256, _mm256_stream_si256);
#[cfg(fast_mem_avx512)]
vector!(__m512i, _mm512_set1_epi8, _mm512_broadcast_i32x4, _mm512_stream_si512);
