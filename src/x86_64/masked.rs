//! Up to 128 bytes by two masked stores: no branch on the length, hence none to mispredict.
//!
//! ```text
//! n = 40     |######..........|                 both blocks at 0, the mask keeps 40 bytes
//! n = 100    |################|                 the mask is full,
//!                  |################|           the second block ends at n
//! ```
//!
//! As assembly, since it is inlined into callers that are compiled without AVX-512; only where the row
//! `avx512` was chosen is it reached. It uses zmm16 and above, which leave the halves that `vzeroupper` clears
//! untouched. Masked-off bytes are neither read nor written, and never fault.

use core::arch::asm;

/// The longest length.
pub(crate) const MAX: usize = 64;

/// Sets up to 128 bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= MAX`, and the CPU has AVX512F, AVX512BW and BMI2.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: `bzhi` keeps the lowest n bits, or all 64 where n is 64 or more. The first block writes the bytes
    // below min(n, 64); the second the same ones, or, with a full mask, the 64 that end at n.
    unsafe {
        asm!(
            "bzhi {mask}, {mask}, {n}",
            "kmovq k1, {mask}",
            "vpbroadcastb zmm16, {byte:e}",
            "vmovdqu8 zmmword ptr [{dst}]{{k1}}, zmm16",
            mask = inout(reg) u64::MAX => _,
            n = in(reg) n,
            byte = in(reg) u32::from(byte),
            dst = in(reg) dst,
            out("k1") _,
            out("xmm16") _,
            options(nostack),
        );
    }
}

/// Copies up to 128 bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n <= MAX`, and the CPU has AVX512F, AVX512BW and BMI2.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: blocks as in `set`, for loads too; both loads come before the first store.
    unsafe {
        asm!(
            "bzhi {mask}, {mask}, {n}",
            "kmovq k1, {mask}",
            "vmovdqu8 zmm16{{k1}}{{z}}, zmmword ptr [{src}]",
            "vmovdqu8 zmmword ptr [{dst}]{{k1}}, zmm16",
            mask = inout(reg) u64::MAX => _,
            n = in(reg) n,
            dst = in(reg) dst,
            src = in(reg) src,
            out("k1") _,
            out("xmm16") _,
            options(nostack),
        );
    }
}
