//! The table: a variant is one row, and everything else is derived from the rows.

use crate::cpu::{CpuInfo, Features};
use crate::generic::Words;
use crate::kernel::{Front, Kernel};
use crate::select::Routine;
use core::fmt;

#[cfg(fast_mem_simd)]
use crate::x86_64::rows;
#[cfg(fast_mem_x86_64)]
use crate::x86_64::{strings, unrolled};

/// When a row is chosen for a routine, and the reason.
#[derive(Clone, Copy)]
pub(crate) struct Preference {
    pub(crate) holds: fn(&CpuInfo) -> bool,
    pub(crate) why: &'static str,
}

/// The routines of a row.
#[derive(Clone, Copy)]
pub(crate) struct Routines {
    pub(crate) front: Front,
    pub(crate) set: unsafe fn(*mut u8, u8, usize),
    pub(crate) set_beyond: unsafe fn(*mut u8, u8, usize),
    pub(crate) copy: unsafe fn(*mut u8, *const u8, usize),
    pub(crate) copy_beyond: unsafe fn(*mut u8, *const u8, usize),
    pub(crate) fill: unsafe fn(*mut u8, u128, usize),
}

impl Routines {
    const fn of<K: Kernel>() -> Self {
        Self {
            front: K::FRONT,
            set: K::set,
            set_beyond: K::set_beyond,
            copy: K::copy,
            copy_beyond: K::copy_beyond,
            fill: K::fill,
        }
    }
}

/// One way of setting and copying memory: a row of the table.
///
/// Its methods use this variant alone, whatever was chosen for the process; see
/// [`variants`](crate::variants) for all of them.
///
/// ```
/// for variant in fast_mem::variants() {
///     println!("{}: {} (needs: {}; runs here: {})", variant.name(), variant.about(), variant.needs(), variant.is_supported());
/// }
/// ```
pub struct Variant {
    name: &'static str,
    about: &'static str,
    /// Soundness: without these it would fault.
    needs: Features,
    forced: bool,
    /// Speed: where it is the best for set, and for copy.
    set: Preference,
    copy: Preference,
    routines: Routines,
}

/// The same preference for set and copy.
const fn both(holds: fn(&CpuInfo) -> bool, why: &'static str) -> [Preference; 2] {
    [Preference { holds, why }; 2]
}

impl Variant {
    const fn row<K: Kernel>(
        name: &'static str,
        about: &'static str,
        needs: Features,
        forced: bool,
        [set, copy]: [Preference; 2],
    ) -> Self {
        Self { name, about, needs, forced, set, copy, routines: Routines::of::<K>() }
    }
}

/// The whole table, best first. The last row needs nothing and is always preferred.
pub(crate) static TABLE: &[Variant] = &[
    #[cfg(fast_mem_avx512)]
    Variant::row::<rows::Avx512>(
        "avx512",
        "64-byte vectors, masked up to 64 bytes (a set up to 128); streaming stores above cache scale",
        rows::Avx512::NEEDS,
        cfg!(feature = "force-avx512"),
        both(|cpu| !slows_for_zmm(cpu), "the widest vectors, and the clock stays up for them"),
    ),
    #[cfg(fast_mem_simd)]
    Variant::row::<rows::Avx2>(
        "avx2",
        "32-byte vectors, streaming stores above cache scale",
        rows::Avx2::NEEDS,
        cfg!(feature = "force-avx2"),
        both(|_| true, "the widest vectors that run here without lowering the clock"),
    ),
    #[cfg(fast_mem_x86_64)]
    Variant::row::<strings::Nehalem>(
        "nehalem",
        "unrolled, and `rep stosq` or `rep movsq` from 1024 bytes on",
        Features::NONE,
        cfg!(feature = "force-nehalem"),
        both(early_fast_strings, "fast strings with a long start: quadwords first"),
    ),
    #[cfg(fast_mem_simd)]
    Variant::row::<rows::Sse2>(
        "sse2",
        "16-byte vectors, streaming stores above cache scale",
        rows::Sse2::NEEDS,
        cfg!(feature = "force-sse2"),
        both(|_| true, "vectors start faster than string instructions, which it uses from set_rep and copy_rep on"),
    ),
    #[cfg(fast_mem_x86_64)]
    Variant::row::<strings::Bytes>(
        "erms",
        "`rep stosb` and `rep movsb`",
        Features::NONE,
        cfg!(feature = "force-erms"),
        both(|cpu| !amd(cpu) && cpu.has(Features::ERMS), "ERMS without vectors"),
    ),
    #[cfg(fast_mem_x86_64)]
    Variant::row::<strings::Quads>(
        "fast_string",
        "`rep stosq` and `rep movsq`, then the last n mod 8 bytes",
        Features::NONE,
        cfg!(feature = "force-fast-string"),
        both(|cpu| !amd(cpu) && cpu.has(Features::REP_GOOD), "fast strings without ERMS"),
    ),
    #[cfg(fast_mem_x86_64)]
    Variant::row::<unrolled::Unrolled>(
        "unrolled",
        "64 bytes a turn in eight quadwords",
        Features::NONE,
        cfg!(feature = "force-unrolled"),
        both(|_| true, "no vectors, and string instructions are not known to be fast"),
    ),
    Variant::row::<Words>(
        "generic",
        "aligned words; a misaligned source is read in aligned words, shifted and merged",
        Features::NONE,
        cfg!(feature = "force-generic"),
        both(|_| true, "runs everywhere"),
    ),
];

#[cfg(fast_mem_x86_64)]
fn intel(cpu: &CpuInfo) -> bool {
    cpu.vendor() == "GenuineIntel"
}

/// AMD and its licensee: ERMS, FSRM and REP_GOOD alone never select string instructions there. They never beat
/// vectors below streaming sizes (Zen 3), and `rep movsb` has been 20 to 50 times slower for some offsets.
#[cfg(fast_mem_x86_64)]
fn amd(cpu: &CpuInfo) -> bool {
    matches!(cpu.vendor(), "AuthenticAMD" | "HygonGenuine")
}

/// Skylake-X, Cascade Lake and Cooper Lake (model 55h), Cannon Lake (66h): 512-bit instructions lower the
/// clock of everything around them. Ice Lake and later do not.
#[cfg(fast_mem_avx512)]
fn slows_for_zmm(cpu: &CpuInfo) -> bool {
    intel(cpu) && cpu.family() == 6 && matches!(cpu.model(), 0x55 | 0x66)
}

/// Where string quadwords are fast, once they run: Nehalem and Westmere, other Intel parts before ERMS
/// (Core 2 to Sandy Bridge), and, for want of vectors in a kernel, Zen (`rep stosq` against the unrolled loop: .87 to .51 of
/// glibc at 2 to 32 KiB, .27 to .40 below; Zen 3).
#[cfg(fast_mem_x86_64)]
fn early_fast_strings(cpu: &CpuInfo) -> bool {
    let early_intel = intel(cpu) && cpu.has(Features::REP_GOOD) && !cpu.has(Features::ERMS);
    let zen_kernel = amd(cpu) && cpu.family() >= 0x17 && !cpu.has(Features::SSE2);
    cpu.has(Features::NEHALEM) || early_intel || zen_kernel
}

impl Variant {
    /// The name that features, the environment and reports use.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What it does, in a line.
    pub fn about(&self) -> &'static str {
        self.about
    }

    /// Without what it would fault.
    pub fn needs(&self) -> Features {
        self.needs
    }

    /// Whether this CPU and its operating system can run it.
    pub fn is_supported(&self) -> bool {
        crate::dispatch::features().contains(self.needs)
    }

    /// Whether `cpu` would be best served by this row for `routine`, were there no better one, and the reason.
    pub fn is_preferred(&self, routine: Routine, cpu: &CpuInfo) -> bool {
        (self.preference(routine).holds)(cpu)
    }

    /// The reason for which this row is preferred for `routine`, on a CPU where it is.
    pub fn reason(&self, routine: Routine) -> &'static str {
        self.preference(routine).why
    }

    pub(crate) fn forced(&self) -> bool {
        self.forced
    }

    pub(crate) fn preference(&self, routine: Routine) -> Preference {
        match routine {
            Routine::Set => self.set,
            Routine::Copy => self.copy,
        }
    }

    /// By reference: without optimisation a copy is a call of `memcpy`, before it may be called.
    pub(crate) fn routines(&self) -> &Routines {
        &self.routines
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variant({})", self.name)
    }
}

impl PartialEq for Variant {
    /// Rows are equal if they are the same row.
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Variant {}
