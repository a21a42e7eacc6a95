//! The vector rows, one width each: the ladder, compiled for the row's target features.
//!
//! A row is compiled as a whole, so that everything inlined into it (the small sizes, the blocks, the loops) uses
//! those features, and the compiler clears the upper halves on every exit (`vzeroupper`).

use crate::cpu::Features;
use crate::kernel::{Front, Kernel};
use crate::x86_64::ladder::{self, Row};
#[cfg(fast_mem_avx512)]
use crate::x86_64::masked;
use crate::x86_64::small;
use core::arch::x86_64::*;

/// Functions that are compiled for a row's features, and hand on to the ladder's function of the same name.
macro_rules! compiled_for {
    ($needs:literal: $($(#[$outline:meta])? $name:ident($($arg:ident: $ty:ty),*);)*) => {$(
        $(#[$outline])?
        #[target_feature(enable = $needs)]
        unsafe fn $name($($arg: $ty),*) {
            // SAFETY: the caller's promise; this function has the features of the row's registers.
            unsafe { ladder::$name::<Self>($($arg),*) }
        }
    )*};
}

macro_rules! row {
    ($(#[$doc:meta])* $row:ident: $wide:ty, $needs:literal, $small:ident, $front:ident) => {
        $(#[$doc])*
        pub(crate) struct $row;

        impl $row {
            /// Computed from the literal that the compiler gets, so that the two cannot drift.
            pub(crate) const NEEDS: Features = Features::parse($needs);
        }

        impl Kernel for $row {
            const FRONT: Front = Front::$front;

            compiled_for!($needs:
                set(dst: *mut u8, byte: u8, n: usize);
                set_beyond(dst: *mut u8, byte: u8, n: usize);
                copy(dst: *mut u8, src: *const u8, n: usize);
                copy_beyond(dst: *mut u8, src: *const u8, n: usize);
                fill(dst: *mut u8, pattern: u128, n: usize);
            );
        }

        impl Row for $row {
            type Wide = $wide;

            #[inline(always)]
            unsafe fn small_set(dst: *mut u8, byte: u8, n: usize) {
                // SAFETY: the caller's range, no longer than the front's.
                unsafe { $small::set(dst, byte, n) }
            }

            #[inline(always)]
            unsafe fn small_copy(dst: *mut u8, src: *const u8, n: usize) {
                // SAFETY: the caller's ranges, at most 64 bytes.
                unsafe { $small::copy(dst, src, n) }
            }

            compiled_for!($needs:
                #[cold]
                set_large(dst: *mut u8, pattern: u128, n: usize);
                #[cold]
                copy_large(dst: *mut u8, src: *const u8, n: usize);
            );
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
