//! Every threshold: its name, what it decides, where its number comes from, and its bounds.
//!
//! A row of [`DEFINITIONS`] is a tunable's whole story. The kernels read the number in force with one
//! relaxed load, on paths where the length alone already costs more.

use crate::cpu::{CpuInfo, Features};
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A threshold that some kernel reads.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(
    not(fast_mem_simd),
    expect(dead_code, reason = "some are only for vector rows, and the portable row has none")
)]
pub(crate) enum Threshold {
    SetStreaming,
    ZeroStreaming,
    CopyStreaming,
    SetRep,
    CopyRep,
    AliasedRep,
    FreshRep,
    SourceAlign,
    NehalemRep,
}

/// How many there are.
pub(crate) const COUNT: usize = 9;

/// No length reaches it.
pub(crate) const NEVER: usize = usize::MAX;

/// What a tunable is, whatever the machine.
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    about: &'static str,
    /// No override and no CPU gets a smaller number than this: what the code behind it relies on.
    pub(crate) min: usize,
    /// The number for a CPU, and where it comes from.
    default: fn(&CpuInfo) -> (usize, &'static str),
}

impl Definition {
    /// `name>=min`, as the error about an override lists it.
    pub(crate) fn least(&self) -> impl fmt::Display {
        struct Least(&'static str, usize);
        impl fmt::Display for Least {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}>={}", self.0, self.1)
            }
        }
        Least(self.name, self.min)
    }
}

/// In the order of [`Threshold`].
pub(crate) static DEFINITIONS: [Definition; COUNT] = [
    Definition {
        name: "set_streaming",
        about: "from here on set and fill store around the caches",
        min: STREAMING_MIN,
        default: |cpu| if zen5(cpu) { ZEN5_NEVER } else { l3_share(cpu, 4) },
    },
    Definition {
        name: "zero_streaming",
        about: "the same for zeros",
        min: STREAMING_MIN,
        default: |cpu| if zen5(cpu) { ZEN5_NEVER } else { l3_share(cpu, 4) },
    },
    Definition {
        name: "copy_streaming",
        about: "the same for copies that do not overlap",
        min: STREAMING_MIN,
        default: |cpu| if zen5(cpu) { ZEN5_NEVER } else { l3_share(cpu, 8) },
    },
    Definition {
        name: "set_rep",
        about: "from here on the vector rows set by rep stosb, and fill by rep stosq",
        min: REP_MIN,
        default: |cpu| rep(cpu, 7 * (cpu.caches.l2 / 8)),
    },
    Definition {
        name: "copy_rep",
        about: "from here on the vector rows copy by rep movsb",
        min: REP_MIN,
        default: |cpu| rep(cpu, cpu.caches.l1d / 2 + (1 << 10)),
    },
    Definition {
        name: "aliased_rep",
        about: "from here on they do so where the destination lies less than 64 bytes above the source modulo 4096, too",
        min: REP_MIN,
        default: |cpu| if zen5(cpu) { ZEN5_ALIASED } else { (NEVER, "string instructions fall to a slow loop there") },
    },
    Definition {
        name: "fresh_rep",
        about: "from here on string instructions are kept from page faults, which are slow inside them",
        min: REP_MIN,
        default: |cpu| if zen5(cpu) { ZEN5_FRESH } else { (NEVER, "not measured here") },
    },
    Definition {
        name: "source_align",
        about: "from here on, and up to 2 KiB, the loop of the row avx512 aligns a copy's source and not its destination",
        min: 0,
        default: |cpu| if zen5(cpu) { ZEN5_ALIGN } else { (NEVER, "not measured here") },
    },
    Definition {
        name: "nehalem_rep",
        about: "from here on the row nehalem uses rep stosq and rep movsq",
        min: 0,
        default: |_| (1 << 10, "1 KiB: measured on Nehalem for the kernel's copy"),
    },
];

/// From 16 to 128 MiB, against glibc in the same runs: `rep movsb` 1.22, 1.01, 1.37 and 1.35, streaming from 12 MiB on
/// 1.15, 1.21, .94 and 1.17; `rep stosb` and streaming the same within the noise.
const ZEN5_NEVER: (usize, &str) = (NEVER, "string instructions are as fast (Zen 5)");

/// 64 KiB to such a destination: `rep movsb` 1708 ticks, the loop 1763 to 1789; up to 30000 bytes the loop is ahead.
const ZEN5_ALIASED: (usize, &str) = (32 << 10, "string instructions stay fast there (Zen 5)");

/// Copies of 256 KiB to 64 MiB to pages that nobody has touched, against glibc: 1.0 to 1.13 (.87 to .93 by one `rep movsb`, which vectors
/// beat there), sets 1.15. Where memory is in use, the first 16 KiB are slower by 10 %, the rest is not: hence not below.
const ZEN5_FRESH: (usize, &str) = (128 << 10, "an allocator's pages are fresh from here on: measured on Zen 5");

/// Copies at 131 distances, against the same loop with an aligned destination: 1 KiB 1.10, 2 KiB 1.0, 8 KiB .91.
const ZEN5_ALIGN: (usize, &str) = (0, "split stores wait in their queue: measured on Zen 5");

/// Zen 5: where string instructions win from the size of a cache on.
fn zen5(cpu: &CpuInfo) -> bool {
    cpu.vendor() == "AuthenticAMD" && cpu.family() == 0x1a
}

/// Where vector rows go over to string instructions: never but where it was measured to pay.
fn rep(cpu: &CpuInfo, zen5_size: usize) -> (usize, &'static str) {
    if zen5(cpu) && cpu.has(Features::ERMS) {
        (zen5_size.max(REP_MIN), "a share of L1 or L2: measured on Zen 5")
    } else if cpu.vendor() == "GenuineIntel" && cpu.has(Features::ERMS) {
        (2 << 10, "2 KiB on Intel with ERMS: golang/go 14630")
    } else {
        (NEVER, "string instructions do not win here")
    }
}

/// The streaming loops store whole turns between an unaligned first and last block: they need so much.
pub(crate) const STREAMING_MIN: usize = 2 << 10;
/// The string paths align by one block first.
pub(crate) const REP_MIN: usize = 256;

/// A share of the third-level cache that one core can fill, within 2 to 16 MiB.
///
/// Sizes from a hypervisor are often the whole host's: the upper bound keeps them from switching streaming off.
/// A size of 0 (unknown) is taken as the lower bound.
fn l3_share(cpu: &CpuInfo, part: usize) -> (usize, &'static str) {
    let share = cpu.caches().l3 / part;
    match share {
        0 => (2 << 20, "no L3 size known: 2 MiB"),
        _ if share < 2 << 20 => (2 << 20, "a share of L3, raised to 2 MiB"),
        _ if share > 16 << 20 => (16 << 20, "a share of L3, lowered to 16 MiB"),
        _ => (share, "a share of L3"),
    }
}

/// The numbers in force. Until the first resolution nothing streams and no string instruction is used,
/// which is right for every CPU.
static IN_FORCE: [AtomicUsize; COUNT] = [const { AtomicUsize::new(NEVER) }; COUNT];
/// A bit for each that an override gave.
static OVERRIDDEN: AtomicUsize = AtomicUsize::new(0);

impl Threshold {
    /// The number in force.
    #[inline(always)]
    pub(crate) fn get(self) -> usize {
        IN_FORCE[self as usize].load(Relaxed)
    }
}

/// The smallest of the thresholds that concern set, and of those that concern copy: below it a kernel has its
/// loop and nothing to ask.
pub(crate) fn least() -> (usize, usize) {
    use Threshold::*;
    let least = |of: &[Threshold]| of.iter().map(|threshold| threshold.get()).min().unwrap_or(NEVER);
    (least(&[SetStreaming, ZeroStreaming, SetRep]), least(&[CopyStreaming, CopyRep]))
}

/// Where a short copy's loop begins to align the source. Beyond 32 bits no copy is short.
pub(crate) fn source_align() -> u32 {
    Threshold::SourceAlign.get().try_into().unwrap_or(u32::MAX)
}

/// The numbers that an override gives; `None` leaves the CPU's. None is below its minimum.
pub(crate) type Wishes = [Option<usize>; COUNT];

/// Puts the thresholds for this CPU in force.
pub(crate) fn publish(cpu: &CpuInfo, wishes: &Wishes) {
    let chosen = Tunables::choose(cpu, wishes);
    let mut overridden = 0;
    for (i, (tunable, slot)) in chosen.iter().zip(&IN_FORCE).enumerate() {
        slot.store(tunable.bytes, Relaxed);
        overridden |= usize::from(wishes[i].is_some()) << i;
    }
    OVERRIDDEN.store(overridden, Relaxed);
}

/// What is in force on this CPU.
pub(crate) fn in_force(cpu: &CpuInfo) -> Tunables {
    let overridden = OVERRIDDEN.load(Relaxed);
    let wishes = core::array::from_fn(|i| (overridden & 1 << i != 0).then(|| IN_FORCE[i].load(Relaxed)));
    Tunables::choose(cpu, &wishes)
}

/// One threshold in force.
///
/// ```
/// let tunables = fast_mem::tunables();
/// let streaming = tunables.get("set_streaming").unwrap();
/// println!("{}: from {} bytes on ({})", streaming.about, streaming.bytes, streaming.source);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// The name that `FAST_MEM_TUNABLES` uses.
    pub name: &'static str,
    /// What it decides.
    pub about: &'static str,
    /// From how many bytes on; `usize::MAX` is never.
    pub bytes: usize,
    /// No override and no CPU gets a smaller number.
    pub least: usize,
    /// Where the number comes from.
    pub source: &'static str,
}

impl fmt::Display for Tunable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            NEVER => write!(f, "{}=never", self.name),
            bytes => write!(f, "{}={bytes}", self.name),
        }
    }
}

/// Every threshold in force, with its source. See [`tunables()`](crate::tunables).
///
/// ```
/// use fast_mem::{Caches, CpuInfo, Features, Tunables};
/// let caches = Caches { l3: 32 << 20, ..Caches::default() };
/// let cpu = CpuInfo::imagine("AuthenticAMD", 0x19, 1, Features::AVX2, caches);
/// let there = Tunables::of(&cpu);
/// assert_eq!(there.get("set_streaming").unwrap().bytes, 8 << 20);
/// assert_eq!(there.iter().count(), fast_mem::tunables().iter().count());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tunables {
    all: [Tunable; COUNT],
}

impl Tunables {
    /// What a CPU gets without an override.
    ///
    /// ```
    /// let unknown = fast_mem::Tunables::of(&fast_mem::CpuInfo::UNKNOWN);
    /// assert!(unknown.iter().all(|tunable| tunable.bytes >= tunable.least));
    /// ```
    #[must_use]
    pub fn of(cpu: &CpuInfo) -> Self {
        Self::choose(cpu, &Wishes::default())
    }

    /// What is right for a CPU, but for what is wished otherwise.
    fn choose(cpu: &CpuInfo, wishes: &Wishes) -> Self {
        let all = core::array::from_fn(|i| {
            let Definition { name, about, min: least, default } = DEFINITIONS[i];
            let (bytes, source) = match wishes[i] {
                Some(bytes) => (bytes, "FAST_MEM_TUNABLES"),
                None => default(cpu),
            };
            Tunable { name, about, bytes, least, source }
        });
        Self { all }
    }

    /// All of them, in a fixed order.
    pub fn iter(&self) -> impl Iterator<Item = &Tunable> {
        self.all.iter()
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&Tunable> {
        self.iter().find(|tunable| tunable.name == name)
    }
}
