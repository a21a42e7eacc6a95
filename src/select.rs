//! The choice of a row: a pure function of the table, a CPU and a wish.

use crate::Variant;
use crate::cpu::CpuInfo;
use crate::report::{Choice, Source};
use crate::variant::TABLE;

/// What is wished instead of the automatic choice, and by whom. A wish narrows the choice; it never makes a CPU run
/// what it lacks.
///
/// ```
/// use fast_mem::{CpuInfo, Routine, Source, Wish, select, variants};
/// let generic = variants().last().unwrap();
/// let wish = Wish { variant: generic, source: Source::Environment };
/// assert_eq!(select(Routine::Copy, &CpuInfo::UNKNOWN, Some(wish)).variant, generic);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// The row wished for.
    pub variant: &'static Variant,
    /// Who wishes it.
    pub source: Source,
}

/// The two choices that are made: set, zero and fill go together, and so do copy and move.
///
/// ```
/// use fast_mem::{Routine, cpu, variants};
/// let row = variants().find(|row| row.is_supported() && row.is_preferred(Routine::Copy, &cpu())).unwrap();
/// println!("{}: {}", row.name(), row.reason(Routine::Copy));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routine {
    /// [`set`](crate::set), [`zero`](crate::zero), [`fill`](crate::fill).
    Set,
    /// [`copy`](crate::copy), [`copy_within`](crate::copy_within).
    Copy,
}

/// The row that `cpu` gets for a routine.
///
/// The best row that it can run and that is preferred on it, unless a runnable one is wished for.
///
/// ```
/// use fast_mem::{Caches, CpuInfo, Features, Routine, select};
/// let nehalem = Features::parse("sse2,rep_good,nehalem");
/// let cpu = CpuInfo::imagine("GenuineIntel", 6, 0x1a, nehalem, Caches::default());
/// let choice = select(Routine::Set, &cpu, None);
/// # #[cfg(target_arch = "x86_64")]
/// assert_eq!(choice.variant.name(), "nehalem");
/// ```
pub fn select(routine: Routine, cpu: &CpuInfo, wish: Option<Wish>) -> Choice {
    select_from(TABLE, routine, cpu, wish)
}

/// [`select`] from any table whose last row needs nothing and is always preferred.
pub(crate) fn select_from(table: &'static [Variant], routine: Routine, cpu: &CpuInfo, wish: Option<Wish>) -> Choice {
    match wish {
        Some(Wish { variant, source }) if cpu.has(variant.needs()) => Choice::new(routine, variant, source, false),
        _ => {
            let preferred = |row: &&'static Variant| cpu.has(row.needs()) && (row.preference(routine).holds)(cpu);
            let variant = table.iter().find(preferred).unwrap_or(&table[table.len() - 1]);
            Choice::new(routine, variant, Source::Detected, wish.is_some())
        }
    }
}

/// The wish of the cargo features: of several the least demanding row, which is the last.
pub(crate) fn forced_by_feature() -> Option<Wish> {
    let variant = TABLE.iter().rfind(|row| row.forced())?;
    Some(Wish { variant, source: Source::Feature })
}
