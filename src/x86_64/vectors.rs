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

/// A block that can be stored around the caches too.
pub(crate) trait Vector: Block {
    /// Keeps what is alive out of the registers whose upper halves `vzeroupper` clears, where there are others. The
    /// compiler then leaves that instruction out of the exit: two cycles of the thirty that a short call takes.
    #[inline(always)]
    fn spare_low_registers() {}

    /// Clears the upper halves of the registers that have some, as far as this block's instructions filled them. For where a
    /// caller's value may still lie in one: the compiler clears them before a return, but forgets it before a
    /// conditional jump to another function (LLVM 22).
    ///
    /// # Safety
    /// The CPU has this block.
    #[inline(always)]
    unsafe fn clean() {
        if Self::SIZE > 16 {
            // SAFETY: wider blocks are AVX's; nothing of ours is alive in a wide register.
            unsafe { _mm256_zeroupper() }
        }
    }

    /// Stores around the caches.
    ///
    /// # Safety
    /// As [`Block::store`], and `dst` is a multiple of `SIZE`.
    unsafe fn stream(self, dst: *mut u8);
}

macro_rules! vector {
    ($register:ty, $splat:ident, $repeat:expr, $stream:ident $(, $spare:item)?) => {
        impl Block for $register {
            #[inline(always)]
            unsafe fn splat(byte: u8) -> Self {
                // SAFETY: the caller vouches for the instructions.
                unsafe { $splat(byte as i8) }
            }
            #[inline(always)]
            unsafe fn repeat(pattern: u128) -> Self {
                let (low, high) = (pattern as i64, (pattern >> 64) as i64);
                // SAFETY: the caller vouches for the instructions.
                unsafe { $repeat(_mm_set_epi64x(high, low)) }
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
            $($spare)?

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
vector!(
    __m512i,
    _mm512_set1_epi8,
    _mm512_broadcast_i32x4,
    _mm512_stream_si512,
    #[inline(always)]
    fn spare_low_registers() {
        // SAFETY: no instruction at all. What lives across it must be in zmm16 to zmm31.
        unsafe {
            core::arch::asm!(
                "",
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
                out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
                out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack, preserves_flags)
            );
        }
    }
);
