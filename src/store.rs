//! What was detected and decided, once, in atomics: no lock and no allocation, so that it can be written
//! and read from anywhere. Racing writers write the same values.

use crate::Variant;
use crate::cpu::{Caches, CpuInfo, Features};
use crate::report::{Choice, Selection, Source};
use crate::select::Routine;
use crate::variant::TABLE;
use crate::wish::{ErrorStore, OverrideError};
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use once_cell::race::OnceNonZeroUsize;

/// Written last: whoever sees it sees everything else here, the pointers and the thresholds (it is
/// set with release and read with acquire ordering).
static DECISION: OnceNonZeroUsize = OnceNonZeroUsize::new();
static CPU: CpuStore = CpuStore::new();
static ERROR: ErrorStore = ErrorStore::new();

/// Both choices and whether there was an error, in one word.
#[derive(Clone, Copy)]
pub(crate) struct Decision(NonZeroUsize);

/// One choice: the row's index in the low eight bits, then the source, then whether a wish was not met.
const CHOICE_BITS: u32 = 11;
const UNMET: usize = 1 << 10;
/// Set in every decision, so that it is never zero.
const MADE: usize = 1 << (2 * CHOICE_BITS);
const ERRED: usize = MADE << 1;

const _: () = assert!(TABLE.len() < 256);

fn encode(choice: &Choice) -> usize {
    let is_it = |row: &Variant| core::ptr::eq(row, choice.variant);
    let row = TABLE.iter().position(is_it).unwrap_or(TABLE.len() - 1);
    row | (choice.source as usize) << 8 | if choice.unmet { UNMET } else { 0 }
}

fn decode(routine: Routine, bits: usize) -> Choice {
    let source = match bits >> 8 & 3 {
        0 => Source::Detected,
        1 => Source::Feature,
        _ => Source::Environment,
    };
    Choice::new(routine, &TABLE[bits & 0xff], source, bits & UNMET != 0)
}

impl Decision {
    pub(crate) fn selection(self) -> Selection {
        let bits = self.0.get();
        Selection {
            set: decode(Routine::Set, bits),
            copy: decode(Routine::Copy, bits >> CHOICE_BITS),
            override_error: (bits & ERRED != 0).then(|| ERROR.load()),
        }
    }
}

/// The decision, if it was made.
#[inline]
pub(crate) fn decision() -> Option<Decision> {
    DECISION.get().map(Decision)
}

/// Keeps a decision; also says whether it is the first one.
pub(crate) fn publish(cpu: &CpuInfo, set: &Choice, copy: &Choice, error: Option<&OverrideError>) -> (Decision, bool) {
    CPU.store(cpu);
    if let Some(error) = error {
        ERROR.store(error);
    }
    let bits = MADE | encode(set) | encode(copy) << CHOICE_BITS | if error.is_some() { ERRED } else { 0 };
    let bits = NonZeroUsize::MIN.saturating_add(bits - 1);
    match DECISION.set(bits) {
        Ok(()) => (Decision(bits), true),
        Err(()) => (DECISION.get().map_or(Decision(bits), Decision), false),
    }
}

/// What the CPU can do that the decision was made for.
#[inline]
pub(crate) fn features() -> Features {
    Features::from_bits(CPU.identity[FEATURES].load(Relaxed))
}

/// The CPU that the decision was made for.
pub(crate) fn cpu() -> CpuInfo {
    CPU.load()
}

/// Where the features are in [`CpuStore::identity`].
const FEATURES: usize = 4;

/// A [`CpuInfo`] in atomics.
struct CpuStore {
    /// Vendor (three), family and model, features.
    identity: [AtomicU32; FEATURES + 1],
    caches: [AtomicUsize; 4],
}

impl CpuStore {
    const fn new() -> Self {
        Self { identity: [const { AtomicU32::new(0) }; FEATURES + 1], caches: [const { AtomicUsize::new(0) }; 4] }
    }

    fn store(&self, cpu: &CpuInfo) {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = cpu.vendor;
        let id = u32::from(cpu.family) << 16 | u32::from(cpu.model);
        let vendor = [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_ne_bytes);
        let identity = [vendor[0], vendor[1], vendor[2], id, cpu.features.bits()];
        self.identity.iter().zip(identity).for_each(|(slot, value)| slot.store(value, Relaxed));
        let Caches { l1d, l2, l3, l3_sharers } = cpu.caches;
        self.caches.iter().zip([l1d, l2, l3, l3_sharers]).for_each(|(slot, value)| slot.store(value, Relaxed));
    }

    fn load(&self) -> CpuInfo {
        let [vendor @ .., id, features] = self.identity.each_ref().map(|slot| slot.load(Relaxed));
        let [l1d, l2, l3, l3_sharers] = self.caches.each_ref().map(|slot| slot.load(Relaxed));
        let mut bytes = [0; 12];
        for (to, from) in bytes.iter_mut().zip(vendor.into_iter().flat_map(u32::to_ne_bytes)) {
            *to = from;
        }
        CpuInfo {
            vendor: bytes,
            family: (id >> 16) as u16,
            model: id as u16,
            features: Features::from_bits(features),
            caches: Caches { l1d, l2, l3, l3_sharers },
        }
    }
}
