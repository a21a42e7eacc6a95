//! The peak kernels: 256 bytes a turn, aligned, or one string instruction, in assembly, so that no compiler turns them into a
//! call of the routine they are to be compared with. The limit of a cell is the fastest of them there.

use super::{Peak, PeakKind};
use core::arch::asm;

/// One kernel: `$body` is 256 bytes of work, register 0 holds the byte that is stored.
/// A fence only after non-temporal stores: elsewhere it would wait for stores that nobody waits for.
macro_rules! peak {
    ($name:ident, $features:literal, $splat:literal, $fence:literal, $($body:literal),+) => {
        #[target_feature(enable = $features)]
        unsafe fn $name(dst: *mut u8, src: *const u8, n: usize, byte: u8) {
            // SAFETY: `n` is a positive multiple of 256, both addresses are multiples of 64 with `n` bytes
            // behind them that the caller may use, and `kernels` checked the features.
            unsafe {
                asm!(
                    "vmovd xmm0, {word:e}", $splat,
                    "2:", $($body,)+
                    "add {d}, 256", "add {s}, 256", "sub {n}, 256", "jnz 2b",
                    $fence, "vzeroupper",
                    word = in(reg) u32::from_ne_bytes([byte; 4]),
                    d = inout(reg) dst => _, s = inout(reg) src => _, n = inout(reg) n => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                    out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _,
                    options(nostack)
                );
            }
        }
    };
}

peak!(
    store_ymm,
    "avx2",
    "vpbroadcastd ymm0, xmm0",
    "",
    "vmovdqa [{d}], ymm0",
    "vmovdqa [{d} + 32], ymm0",
    "vmovdqa [{d} + 64], ymm0",
    "vmovdqa [{d} + 96], ymm0",
    "vmovdqa [{d} + 128], ymm0",
    "vmovdqa [{d} + 160], ymm0",
    "vmovdqa [{d} + 192], ymm0",
    "vmovdqa [{d} + 224], ymm0"
);
peak!(
    store_zmm,
    "avx512f",
    "vpbroadcastd zmm0, xmm0",
    "",
    "vmovdqa64 [{d}], zmm0",
    "vmovdqa64 [{d} + 64], zmm0",
    "vmovdqa64 [{d} + 128], zmm0",
    "vmovdqa64 [{d} + 192], zmm0"
);
peak!(
    store_nt_ymm,
    "avx2",
    "vpbroadcastd ymm0, xmm0",
    "sfence",
    "vmovntdq [{d}], ymm0",
    "vmovntdq [{d} + 32], ymm0",
    "vmovntdq [{d} + 64], ymm0",
    "vmovntdq [{d} + 96], ymm0",
    "vmovntdq [{d} + 128], ymm0",
    "vmovntdq [{d} + 160], ymm0",
    "vmovntdq [{d} + 192], ymm0",
    "vmovntdq [{d} + 224], ymm0"
);
peak!(
    store_nt_zmm,
    "avx512f",
    "vpbroadcastd zmm0, xmm0",
    "sfence",
    "vmovntdq [{d}], zmm0",
    "vmovntdq [{d} + 64], zmm0",
    "vmovntdq [{d} + 128], zmm0",
    "vmovntdq [{d} + 192], zmm0"
);
peak!(
    load_ymm,
    "avx2",
    "vpbroadcastd ymm0, xmm0",
    "",
    "vmovdqa ymm1, [{s}]",
    "vmovdqa ymm2, [{s} + 32]",
    "vmovdqa ymm3, [{s} + 64]",
    "vmovdqa ymm4, [{s} + 96]",
    "vmovdqa ymm5, [{s} + 128]",
    "vmovdqa ymm6, [{s} + 160]",
    "vmovdqa ymm7, [{s} + 192]",
    "vmovdqa ymm8, [{s} + 224]"
);
peak!(
    load_zmm,
    "avx512f",
    "vpbroadcastd zmm0, xmm0",
    "",
    "vmovdqa64 zmm1, [{s}]",
    "vmovdqa64 zmm2, [{s} + 64]",
    "vmovdqa64 zmm3, [{s} + 128]",
    "vmovdqa64 zmm4, [{s} + 192]"
);
peak!(
    copy_ymm,
    "avx2",
    "vpbroadcastd ymm0, xmm0",
    "",
    "vmovdqa ymm1, [{s}]",
    "vmovdqa ymm2, [{s} + 32]",
    "vmovdqa ymm3, [{s} + 64]",
    "vmovdqa ymm4, [{s} + 96]",
    "vmovdqa ymm5, [{s} + 128]",
    "vmovdqa ymm6, [{s} + 160]",
    "vmovdqa ymm7, [{s} + 192]",
    "vmovdqa ymm8, [{s} + 224]",
    "vmovdqa [{d}], ymm1",
    "vmovdqa [{d} + 32], ymm2",
    "vmovdqa [{d} + 64], ymm3",
    "vmovdqa [{d} + 96], ymm4",
    "vmovdqa [{d} + 128], ymm5",
    "vmovdqa [{d} + 160], ymm6",
    "vmovdqa [{d} + 192], ymm7",
    "vmovdqa [{d} + 224], ymm8"
);
peak!(
    copy_zmm,
    "avx512f",
    "vpbroadcastd zmm0, xmm0",
    "",
    "vmovdqa64 zmm1, [{s}]",
    "vmovdqa64 zmm2, [{s} + 64]",
    "vmovdqa64 zmm3, [{s} + 128]",
    "vmovdqa64 zmm4, [{s} + 192]",
    "vmovdqa64 [{d}], zmm1",
    "vmovdqa64 [{d} + 64], zmm2",
    "vmovdqa64 [{d} + 128], zmm3",
    "vmovdqa64 [{d} + 192], zmm4"
);
peak!(
    copy_nt_ymm,
    "avx2",
    "vpbroadcastd ymm0, xmm0",
    "sfence",
    "vmovdqa ymm1, [{s}]",
    "vmovdqa ymm2, [{s} + 32]",
    "vmovdqa ymm3, [{s} + 64]",
    "vmovdqa ymm4, [{s} + 96]",
    "vmovdqa ymm5, [{s} + 128]",
    "vmovdqa ymm6, [{s} + 160]",
    "vmovdqa ymm7, [{s} + 192]",
    "vmovdqa ymm8, [{s} + 224]",
    "vmovntdq [{d}], ymm1",
    "vmovntdq [{d} + 32], ymm2",
    "vmovntdq [{d} + 64], ymm3",
    "vmovntdq [{d} + 96], ymm4",
    "vmovntdq [{d} + 128], ymm5",
    "vmovntdq [{d} + 160], ymm6",
    "vmovntdq [{d} + 192], ymm7",
    "vmovntdq [{d} + 224], ymm8"
);
peak!(
    copy_nt_zmm,
    "avx512f",
    "vpbroadcastd zmm0, xmm0",
    "sfence",
    "vmovdqa64 zmm1, [{s}]",
    "vmovdqa64 zmm2, [{s} + 64]",
    "vmovdqa64 zmm3, [{s} + 128]",
    "vmovdqa64 zmm4, [{s} + 192]",
    "vmovntdq [{d}], zmm1",
    "vmovntdq [{d} + 64], zmm2",
    "vmovntdq [{d} + 128], zmm3",
    "vmovntdq [{d} + 192], zmm4"
);

/// Microcode knows stores that fetch nothing first, which no loop of plain stores does.
unsafe fn store_rep(dst: *mut u8, _src: *const u8, n: usize, byte: u8) {
    // SAFETY: as for the others; the direction flag is clear at every call.
    unsafe {
        asm!("rep stosq", inout("rdi") dst => _, inout("rcx") n / 8 => _, in("rax") u64::from_ne_bytes([byte; 8]),
            options(nostack, preserves_flags));
    }
}

unsafe fn copy_rep(dst: *mut u8, src: *const u8, n: usize, _byte: u8) {
    // SAFETY: as in `store_rep`.
    unsafe {
        asm!("rep movsb", inout("rdi") dst => _, inout("rsi") src => _, inout("rcx") n => _,
            options(nostack, preserves_flags));
    }
}

const REP: [Peak; 2] = [
    Peak { name: "store-rep", kind: PeakKind::Store, run: store_rep },
    Peak { name: "copy-rep", kind: PeakKind::Copy, run: copy_rep },
];

const YMM: [Peak; 5] = [
    Peak { name: "store-ymm", kind: PeakKind::Store, run: store_ymm },
    Peak { name: "store-nt-ymm", kind: PeakKind::Store, run: store_nt_ymm },
    Peak { name: "load-ymm", kind: PeakKind::Load, run: load_ymm },
    Peak { name: "copy-ymm", kind: PeakKind::Copy, run: copy_ymm },
    Peak { name: "copy-nt-ymm", kind: PeakKind::Copy, run: copy_nt_ymm },
];

const ZMM: [Peak; 5] = [
    Peak { name: "store-zmm", kind: PeakKind::Store, run: store_zmm },
    Peak { name: "store-nt-zmm", kind: PeakKind::Store, run: store_nt_zmm },
    Peak { name: "load-zmm", kind: PeakKind::Load, run: load_zmm },
    Peak { name: "copy-zmm", kind: PeakKind::Copy, run: copy_zmm },
    Peak { name: "copy-nt-zmm", kind: PeakKind::Copy, run: copy_nt_zmm },
];

/// Those that this CPU and its operating system can run.
pub(crate) fn kernels() -> Vec<Peak> {
    let ymm = YMM.into_iter().filter(|_| std::arch::is_x86_feature_detected!("avx2"));
    let zmm = ZMM.into_iter().filter(|_| std::arch::is_x86_feature_detected!("avx512f"));
    ymm.chain(zmm).chain(REP).collect()
}
