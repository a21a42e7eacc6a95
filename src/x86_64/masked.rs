//! Sets up to 128 bytes and copies up to 64 by masked vectors: no branch on the length, hence none to mispredict.
//!
//! Two vectors with one mask: one starts where the range does, the other ends where it ends. Those of a set have 64 bytes, those
//! of a copy 32.
//!
//! ```text
//! a set
//! n = 40     |#####...|                 both at 0, the mask keeps 40 bytes
//! n = 100    |########|                 the mask is full,
//!                  |########|           the second ends at n
//! ```
//!
//! For a load touches all the lines that its vector lies on, whatever the mask: narrow ones wait less often for a line behind
//! the range that is not in the first cache (10 and 30 bytes out of the second: 1.5 ns instead of 2.7, glibc 2.2), and are split
//! less often. A store waits for nobody. What that costs and brings is told in `front.rs`.
//!
//! As assembly, since it is inlined into callers that are compiled without AVX-512; it is reached only where the row
//! `avx512` was chosen. It uses zmm16 and above, which leave the halves that `vzeroupper` clears untouched. Masked-off
//! bytes are neither read nor written, and never fault.

use core::arch::asm;

/// A mask of the lowest `n` bits, or all 64 where `n` is more.
///
/// By itself, so that the compiler keeps the ones in a register around a loop, and knows what becomes of `n`. Not `pure`: a CPU without
/// the instruction must not meet it, so it has to stay behind the question for the form.
///
/// # Safety
/// The CPU has BMI2, and `n < 256`.
#[inline(always)]
unsafe fn lowest(n: usize) -> u64 {
    let mask;
    // SAFETY: no memory; `bzhi` takes the lowest eight bits for the position, and keeps all where it is 64 or more.
    unsafe {
        asm!("bzhi {mask}, {ones}, {n}", mask = out(reg) mask, ones = in(reg) u64::MAX, n = in(reg) n, options(nomem, nostack));
    }
    mask
}

/// Sets up to 128 bytes.
///
/// # Safety
/// `dst..dst+n` is writable, `n <= 128`, and the CPU has AVX512F, AVX512BW and BMI2.
#[inline(always)]
pub(crate) unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
    // SAFETY: the mask has the lowest n bits, or all 64 where n is 64 or more. The first vector is the bytes below
    // min(n, 64); the second the same ones, or, with a full mask, the 64 that end at n.
    unsafe {
        asm!(
            "kmovq k1, {mask}",
            "vpbroadcastb zmm16, {byte:e}",
            "vmovdqu8 zmmword ptr [{dst}]{{k1}}, zmm16",
            "vmovdqu8 zmmword ptr [{dst} + {second}]{{k1}}, zmm16",
            mask = in(reg) lowest(n),
            second = in(reg) n.saturating_sub(64),
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
/// `src..src+n` is readable, `dst..dst+n` writable, `n <= 64`, and the CPU has AVX512F, AVX512BW, AVX512VL and BMI2.
#[inline(always)]
pub(crate) unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
    // SAFETY: the mask has the lowest n bits, or all 32 where n is 32 or more. The first vector is the bytes below
    // min(n, 32); the second the same ones, or, with a full mask, the 32 that end at n. Both are loaded before one is stored.
    unsafe {
        asm!(
            "kmovd k1, {mask:e}",
            "vmovdqu8 ymm16{{k1}}{{z}}, ymmword ptr [{src}]",
            "vmovdqu8 ymm17{{k1}}{{z}}, ymmword ptr [{src} + {second}]",
            "vmovdqu8 ymmword ptr [{dst}]{{k1}}, ymm16",
            "vmovdqu8 ymmword ptr [{dst} + {second}]{{k1}}, ymm17",
            mask = in(reg) lowest(n),
            second = in(reg) n.saturating_sub(32),
            dst = in(reg) dst,
            src = in(reg) src,
            out("k1") _,
            out("xmm16") _,
            out("xmm17") _,
            options(nostack),
        );
    }
}

/// Sixteen bytes, repeated in zmm16 and stored over up to 128: by one masked vector, or by two that overlap.
///
/// The mask is made behind the branch: by [`lowest`] in front of it, 65 to 128 bytes of u64 lose a fifth, up to 64 of u128 gain a seventh (Zen 5).
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
