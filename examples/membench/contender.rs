//! Who takes part: for each routine, everybody that has it, with the loops that call it.

use crate::arch::{self, Peak, PeakKind};
use crate::calls::*;
use crate::callsite::CallLoop;
use crate::peers::Peer;
use core::fmt;
use core::hint::black_box;
use fast_mem::{Pattern, Variant};
use serde::{Deserialize, Serialize};

/// The byte that `set` cells store: not zero, which some CPUs store faster.
pub(crate) const BYTE: u8 = 0xA5;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Routine {
    Set,
    Zero,
    Copy,
    Move,
    FillU16,
    FillU32,
    FillU64,
    FillU128,
}

impl Routine {
    pub(crate) const FILLS: [Self; 4] = [Self::FillU16, Self::FillU32, Self::FillU64, Self::FillU128];

    /// The size of the element, in bytes, that lengths and addresses are multiples of.
    pub(crate) fn element(self) -> usize {
        match self {
            Self::FillU16 => 2,
            Self::FillU32 => 4,
            Self::FillU64 => 8,
            Self::FillU128 => 16,
            _ => 1,
        }
    }

    /// Whether there is a source.
    pub(crate) fn has_source(self) -> bool {
        matches!(self, Self::Copy | Self::Move)
    }

    /// Whether it is one of the fills.
    pub(crate) fn is_fill(self) -> bool {
        self.element() > 1
    }

    /// Its name on the command line and in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Zero => "zero",
            Self::Copy => "copy",
            Self::Move => "move",
            Self::FillU16 => "fill-u16",
            Self::FillU32 => "fill-u32",
            Self::FillU64 => "fill-u64",
            Self::FillU128 => "fill-u128",
        }
    }
}

impl fmt::Display for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a contender's result counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// fast_mem as users call it.
    Ours,
    /// One of its variants.
    Variant,
    /// One of its variants that is the kernel's own routine: a peer for the oracle.
    Classic,
    /// Somebody else's.
    Peer,
    /// A plain loop at the limit of the machine; takes no part in the comparison.
    Limit,
}

impl Role {
    /// Whether the oracle may choose it.
    pub(crate) fn is_peer(self) -> bool {
        matches!(self, Self::Peer | Self::Classic)
    }
}

/// The kernel's three: the unrolled loop, `rep stosq` / `rep movsq`, and `rep stosb` / `rep movsb`.
pub(crate) const CLASSICS: [&str; 3] = ["unrolled", "fast_string", "erms"];

/// One contender in one routine.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) calls: Box<dyn CallLoop>,
}

impl Contender {
    fn new(name: &str, role: Role, calls: impl CallLoop + 'static) -> Self {
        Self { name: name.to_owned(), role, calls: Box::new(calls) }
    }

    /// Whether it can be asked for operations of this length and alignment: the limits take whole turns
    /// of aligned lines, all others anything.
    pub(crate) fn takes(&self, n: usize, aligned: bool) -> bool {
        self.role != Role::Limit || (aligned && n >= 4 * arch::PEAK_STEP && n % arch::PEAK_STEP == 0)
    }
}

/// The name of fast_mem as users call it.
pub(crate) const OURS: &str = "fast_mem";
/// The name of the standard library.
pub(crate) const STD: &str = "std";

/// Everybody who has `routine`: fast_mem, its supported variants of these names, the standard library,
/// the peers in their order (the platform's C library first), and the limits.
pub(crate) fn contenders(routine: Routine, variants: &[&'static Variant], peers: &[Peer]) -> Vec<Contender> {
    let mut all = vec![ours(routine)];
    all.extend(variants.iter().map(|v| {
        let role = if CLASSICS.contains(&v.name()) { Role::Classic } else { Role::Variant };
        by_variant(routine, v, role)
    }));
    all.push(by_std(routine));
    all.extend(peers.iter().filter_map(|peer| by_peer(routine, peer)));
    all.extend(arch::kernels().into_iter().filter_map(|peak| limit(routine, peak)));
    all
}

fn value<T: Pattern>(of: T) -> T {
    black_box(of)
}

pub(crate) const U16: u16 = 0xA55A;
pub(crate) const U32: u32 = 0xA55A_1234;
pub(crate) const U64: u64 = 0xA55A_1234_5678_9ABC;
pub(crate) const U128: u128 = 0xA55A_1234_5678_9ABC_DEF0_0FED_CBA9_8765;

fn ours(routine: Routine) -> Contender {
    let role = Role::Ours;
    match routine {
        Routine::Set => Contender::new(OURS, role, FastSet { byte: value(BYTE) }),
        Routine::Zero => Contender::new(OURS, role, FastZero {}),
        Routine::Copy => Contender::new(OURS, role, FastCopy {}),
        Routine::Move => Contender::new(OURS, role, FastMove {}),
        Routine::FillU16 => Contender::new(OURS, role, FastFill { value: value(U16) }),
        Routine::FillU32 => Contender::new(OURS, role, FastFill { value: value(U32) }),
        Routine::FillU64 => Contender::new(OURS, role, FastFill { value: value(U64) }),
        Routine::FillU128 => Contender::new(OURS, role, FastFill { value: value(U128) }),
    }
}

fn by_variant(routine: Routine, of: &'static Variant, role: Role) -> Contender {
    let name = of.name();
    match routine {
        Routine::Set => Contender::new(name, role, VariantSet { of, byte: value(BYTE) }),
        Routine::Zero => Contender::new(name, role, VariantSet { of, byte: value(0) }),
        Routine::Copy => Contender::new(name, role, VariantCopy { of }),
        Routine::Move => Contender::new(name, role, VariantMove { of }),
        Routine::FillU16 => Contender::new(name, role, VariantFill { of, value: value(U16) }),
        Routine::FillU32 => Contender::new(name, role, VariantFill { of, value: value(U32) }),
        Routine::FillU64 => Contender::new(name, role, VariantFill { of, value: value(U64) }),
        Routine::FillU128 => Contender::new(name, role, VariantFill { of, value: value(U128) }),
    }
}

fn by_std(routine: Routine) -> Contender {
    let role = Role::Peer;
    match routine {
        Routine::Set => Contender::new(STD, role, StdSet { byte: value(BYTE) }),
        Routine::Zero => Contender::new(STD, role, StdZero {}),
        Routine::Copy => Contender::new(STD, role, StdCopy {}),
        Routine::Move => Contender::new(STD, role, StdMove {}),
        Routine::FillU16 => Contender::new(STD, role, StdFill { value: value(U16) }),
        Routine::FillU32 => Contender::new(STD, role, StdFill { value: value(U32) }),
        Routine::FillU64 => Contender::new(STD, role, StdFill { value: value(U64) }),
        Routine::FillU128 => Contender::new(STD, role, StdFill { value: value(U128) }),
    }
}

/// A peer in a routine that it has.
pub(crate) fn by_peer(routine: Routine, peer: &Peer) -> Option<Contender> {
    let (name, role) = (&peer.name, Role::Peer);
    match routine {
        Routine::Set => Some(Contender::new(name, role, ForeignSet { memset: peer.memset?, byte: value(BYTE) })),
        Routine::Zero => Some(Contender::new(name, role, ForeignZero { memset: peer.memset? })),
        Routine::Copy => Some(Contender::new(name, role, ForeignCopy { memcpy: peer.memcpy? })),
        Routine::Move => Some(Contender::new(name, role, ForeignCopy { memcpy: peer.memmove? })),
        _ => None,
    }
}

fn limit(routine: Routine, peak: Peak) -> Option<Contender> {
    let kind = if routine.has_source() { PeakKind::Copy } else { PeakKind::Store };
    let byte = if routine == Routine::Zero { 0 } else { BYTE };
    let name = format!("limit:{}", peak.name);
    (peak.kind == kind && !routine.is_fill())
        .then(|| Contender::new(&name, Role::Limit, PeakCall { run: peak.run, byte }))
}
