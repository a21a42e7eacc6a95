//! Up to 64 bytes by one masked vector: no branch on the length, hence none to mispredict.
//!
//! As assembly, since it is inlined into callers that are compiled without AVX-512; it is reached only where the row
//! `avx512` was chosen. It uses zmm16, which leaves the halves that `vzeroupper` clears untouched. Masked-off
//! bytes are neither read nor written, and never fault.

use core::arch::asm;

/// Sets up to 64 bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= 64`, and the CPU has AVX512F, AVX512BW and BMI2.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: `bzhi` keeps the lowest n bits (all of them for 64), so that the bytes below n are written.
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

/// Copies up to 64 bytes, overlapping or not.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, `n <= 64`, and the CPU has AVX512F, AVX512BW and BMI2.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the mask as in `set`, for the load too; all is loaded before it is stored.
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

/// Sixteen bytes, repeated in zmm16 and stored over up to 128: by one masked vector, or by two that overlap.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= 128`, the pattern's period divides `n`, and the CPU has AVX512F, AVX512BW,
/// AVX512VL and BMI2.
#[inline(always)]
pub(crate) unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
    let (low, high) = (pattern as u64, (pattern >> 64) as u64);
    // SAFETY: up to 64 bytes as in `set`. Above, the first block and the one that ends at n lie in the range and cover
    // it, and the second is in phase, since the period divides 64 and n.
    unsafe {
        asm!(
            "vmovq xmm16, {low}",
            "vmovq xmm17, {high}",
            "vpunpcklqdq xmm16, xmm16, xmm17",
            "vshufi64x2 zmm16, zmm16, zmm16, 0",
            "cmp {n}, 64",
            "ja 2f",
            "bzhi {mask}, {mask}, {n}",
            "kmovq k1, {mask}",
            "vmovdqu8 zmmword ptr [{dst}]{{k1}}, zmm16",
            "jmp 3f",
            "2:",
            "vmovdqu64 zmmword ptr [{dst}], zmm16",
            "vmovdqu64 zmmword ptr [{dst} + {n} - 64], zmm16",
            "3:",
            low = in(reg) low,
            high = in(reg) high,
            mask = inout(reg) u64::MAX => _,
            n = in(reg) n,
            dst = in(reg) dst,
            out("k1") _,
            out("xmm16") _,
            out("xmm17") _,
            options(nostack),
        );
    }
}
