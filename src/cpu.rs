//! What this CPU is, as far as the choice of a memory routine depends on it.
//!
//! [`CpuInfo`] is plain data made from a [`Cpuid`] reader, so the same code that looks at this
//! machine can be shown any other: the selection tests do that with two dozen CPUs.

use core::fmt;

/// A set of the CPU properties that rows need or prefer.
///
/// ```
/// use fast_mem::Features;
/// let f = Features::parse("avx2,erms");
/// assert!(f.contains(Features::AVX2) && !f.contains(Features::FSRM));
/// assert_eq!(f.to_string(), "avx2 erms");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Features(u32);

/// Every bit with its name, in the order in which they are printed.
const NAMES: [(&str, Features); 15] = [
    ("sse2", Features::SSE2),
    ("avx", Features::AVX),
    ("avx2", Features::AVX2),
    ("avx512f", Features::AVX512F),
    ("avx512bw", Features::AVX512BW),
    ("avx512vl", Features::AVX512VL),
    ("bmi2", Features::BMI2),
    ("erms", Features::ERMS),
    ("fsrm", Features::FSRM),
    ("fzrm", Features::FZRM),
    ("fsrs", Features::FSRS),
    ("fsrc", Features::FSRC),
    ("rep_good", Features::REP_GOOD),
    ("nehalem", Features::NEHALEM),
    ("hypervisor", Features::HYPERVISOR),
];

impl Features {
    /// No property at all.
    pub const NONE: Self = Self(0);
    /// Every property that has a name.
    pub const ALL: Self = Self((1 << NAMES.len()) - 1);
    /// SSE2, usable in this build (never on a soft-float target).
    pub const SSE2: Self = Self(1);
    /// AVX, and the operating system saves ymm.
    pub const AVX: Self = Self(1 << 1);
    /// AVX2, and the operating system saves ymm.
    pub const AVX2: Self = Self(1 << 2);
    /// AVX-512 Foundation, and the operating system saves zmm and the mask registers.
    pub const AVX512F: Self = Self(1 << 3);
    /// AVX-512 Byte and Word, under the same condition.
    pub const AVX512BW: Self = Self(1 << 4);
    /// AVX-512 Vector Length, under the same condition.
    pub const AVX512VL: Self = Self(1 << 5);
    /// Enhanced `rep movsb` and `rep stosb` (leaf 7 EBX bit 9).
    pub const ERMS: Self = Self(1 << 6);
    /// Fast short `rep movsb` (leaf 7 EDX bit 4).
    pub const FSRM: Self = Self(1 << 7);
    /// Fast zero-length `rep movsb` (leaf 7.1 EAX bit 10).
    pub const FZRM: Self = Self(1 << 8);
    /// Fast short `rep stosb` (leaf 7.1 EAX bit 11).
    pub const FSRS: Self = Self(1 << 9);
    /// Fast short `rep cmpsb` and `rep scasb` (leaf 7.1 EAX bit 12).
    pub const FSRC: Self = Self(1 << 10);
    /// What Linux calls `rep_good`: microcode moves more than a word at a time for `rep movsq`.
    pub const REP_GOOD: Self = Self(1 << 11);
    /// Nehalem and Westmere: Intel family 6, models 1A, 1E, 1F, 2E, 25, 2C, 2F (hexadecimal).
    pub const NEHALEM: Self = Self(1 << 12);
    /// BMI2: bit fields in general registers, and the operating system saves ymm (only vector rows use it).
    pub const BMI2: Self = Self(1 << 14);
    /// A hypervisor is present, so cache sizes are what it claims.
    pub const HYPERVISOR: Self = Self(1 << 13);

    /// The set that a comma-separated list names, at compile time where it is a constant.
    ///
    /// # Panics
    /// If a name is none of the known ones.
    pub const fn parse(list: &str) -> Self {
        let list = list.as_bytes();
        let (mut found, mut start, mut end) = (0, 0, 0);
        while end <= list.len() {
            if end == list.len() || list[end] == b',' {
                if end > start {
                    found |= Self::named(list, start, end).0;
                }
                start = end + 1;
            }
            end += 1;
        }
        Self(found)
    }

    const fn named(list: &[u8], start: usize, end: usize) -> Self {
        let mut i = 0;
        while i < NAMES.len() {
            let name = NAMES[i].0.as_bytes();
            let mut same = 0;
            while name.len() == end - start && same < name.len() && name[same] == list[start + same] {
                same += 1;
            }
            if name.len() == end - start && same == name.len() {
                return NAMES[i].1;
            }
            i += 1;
        }
        panic!("unknown CPU feature name: the known ones are those that `Features` prints")
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in `self` and not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// `self` with `other` where `condition` holds.
    #[must_use]
    pub const fn with_if(self, condition: bool, other: Self) -> Self {
        if condition { self.with(other) } else { self }
    }

    /// Whether all of `other` is in `self`.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of what is in the set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(move |(_, bit)| self.contains(*bit)).map(|&(name, _)| name)
    }

    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.names().enumerate() {
            write!(f, "{}{name}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Features({self})")
    }
}

/// Sizes of the data caches in bytes; 0 where the CPU does not say.
///
/// ```
/// let caches = fast_mem::cpu().caches();
/// println!("L2 {} bytes, L3 {} bytes shared by {}", caches.l2, caches.l3, caches.l3_sharers);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caches {
    /// First-level data cache of one core.
    pub l1d: usize,
    /// Second-level cache of one core.
    pub l2: usize,
    /// Third-level cache of one core complex (what one core can fill), never of the whole socket.
    pub l3: usize,
    /// How many logical processors the CPU says share that third-level cache.
    pub l3_sharers: usize,
}

/// What was detected of a CPU. See [`cpu()`](crate::cpu) for this one.
///
/// ```
/// use fast_mem::{Caches, CpuInfo, Features};
/// let zen = CpuInfo::imagine("AuthenticAMD", 0x19, 1, Features::AVX2.with(Features::ERMS), Caches::default());
/// assert_eq!((zen.vendor(), zen.family(), zen.model()), ("AuthenticAMD", 0x19, 1));
/// assert!(zen.has(Features::ERMS) && zen.features().contains(Features::AVX2));
/// assert_eq!(zen.caches().l3, 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuInfo {
    pub(crate) vendor: [u8; 12],
    pub(crate) family: u16,
    pub(crate) model: u16,
    pub(crate) features: Features,
    pub(crate) caches: Caches,
}

/// A source of CPUID answers: this CPU, or one that a test describes.
///
/// [`CpuInfo::from_cpuid`] has an example.
pub trait Cpuid {
    /// EAX, EBX, ECX and EDX for a leaf (EAX) and a sub-leaf (ECX).
    fn cpuid(&self, leaf: u32, subleaf: u32) -> [u32; 4];
    /// Extended control register 0. Asked only where OSXSAVE is set: elsewhere XGETBV faults.
    fn xcr0(&self) -> u64;
}

impl CpuInfo {
    /// A CPU of which nothing is known, as on architectures without CPUID.
    pub const UNKNOWN: Self = Self {
        vendor: [0; 12],
        family: 0,
        model: 0,
        features: Features::NONE,
        caches: Caches { l1d: 0, l2: 0, l3: 0, l3_sharers: 0 },
    };

    /// A CPU that never was, for showing what would be chosen on it.
    ///
    /// `vendor` is cut to twelve bytes.
    #[must_use]
    pub fn imagine(vendor: &str, family: u16, model: u16, features: Features, caches: Caches) -> Self {
        let mut id = [0; 12];
        for (to, from) in id.iter_mut().zip(vendor.bytes()) {
            *to = from;
        }
        Self { vendor: id, family, model, features, caches }
    }

    /// What a CPU is that answers as `reader` does. Everything is unknown on architectures without CPUID.
    ///
    /// ```
    /// # #[cfg(target_arch = "x86_64")] {
    /// struct Silent;
    /// impl fast_mem::Cpuid for Silent {
    ///     fn cpuid(&self, _leaf: u32, _subleaf: u32) -> [u32; 4] { [0; 4] }
    ///     fn xcr0(&self) -> u64 { 0 }
    /// }
    /// let cpu = fast_mem::CpuInfo::from_cpuid(&Silent);
    /// assert!(!cpu.has(fast_mem::Features::AVX2));
    /// # }
    /// ```
    pub fn from_cpuid(reader: &impl Cpuid) -> Self {
        crate::arch::read(reader)
    }

    /// CPUID's vendor string, such as `GenuineIntel`; empty where there is none.
    pub fn vendor(&self) -> &str {
        let end = self.vendor.iter().position(|&b| b == 0).unwrap_or(12);
        core::str::from_utf8(&self.vendor[..end]).unwrap_or("")
    }

    /// Family, the extended one included.
    pub fn family(&self) -> u16 {
        self.family
    }

    /// Model, the extended one included.
    pub fn model(&self) -> u16 {
        self.model
    }

    /// What it can do and is known for.
    pub fn features(&self) -> Features {
        self.features
    }

    /// Its data caches.
    pub fn caches(&self) -> Caches {
        self.caches
    }

    /// Whether all of these are there.
    pub fn has(&self, features: Features) -> bool {
        self.features.contains(features)
    }
}
