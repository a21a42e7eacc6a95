#![doc = include_str!("../README.md")]
#![no_std]

#[cfg(test)]
extern crate std;

mod cpu;
mod direct;
mod dispatch;
mod generic;
mod kernel;
mod override_error;
mod pattern;
mod range;
pub mod raw;
mod report;
mod select;
mod slices;
mod store;
mod targets;
mod tunables;
mod variant;
mod wish;
#[cfg(fast_mem_x86_64)]
mod x86_64;

#[cfg(fast_mem_getenv)]
mod environment;
#[cfg(not(fast_mem_getenv))]
#[path = "no_environment.rs"]
mod environment;

#[cfg(fast_mem_startup)]
mod startup;
#[cfg(not(fast_mem_startup))]
#[path = "no_startup.rs"]
mod startup;

#[cfg(fast_mem_fortified)]
mod fortified;
#[cfg(fast_mem_symbols)]
mod symbols;
#[cfg(all(feature = "symbols", target_vendor = "apple"))]
compile_error!(
    "feature `symbols`: on Apple's systems a library's calls are bound to the library it was linked with, \
                so that definitions elsewhere are not seen (two-level namespace)"
);
#[cfg(all(feature = "symbols", windows))]
compile_error!(
    "feature `symbols`: Windows binds every import to a named DLL, and `memcpy` comes with the C runtime: \
                definitions elsewhere are not seen, or clash"
);

#[cfg(not(fast_mem_x86_64))]
use generic as arch;
#[cfg(fast_mem_x86_64)]
use x86_64 as arch;

#[cfg(fast_mem_checked)]
use generic::checked as front;
#[cfg(not(any(fast_mem_checked, fast_mem_simd)))]
use generic::front;
#[cfg(all(fast_mem_simd, not(fast_mem_checked)))]
use x86_64::front;

pub use cpu::{Caches, CpuInfo, Cpuid, Features};
pub use direct::Unsupported;
pub use pattern::Pattern;
pub use report::{Choice, Selection, Source};
pub use select::{Routine, Wish, select};
pub use slices::{copy, copy_uninit, copy_within, fill, set, set_uninit, zero, zero_explicit};
pub use tunables::{Tunable, Tunables};
pub use variant::Variant;
pub use wish::OverrideError;

/// Chooses now rather than at the first call, and says what was chosen.
///
/// Costs what the first call else costs: CPUID, of which a virtual machine may make some microseconds each (at most
/// 16 are executed), and a look at the environment. Later calls return the same.
///
/// # Errors
/// If `FAST_MEM_VARIANT` or `FAST_MEM_TUNABLES` asks for something impossible. Everything works all the same,
/// by the automatic choice.
///
/// ```
/// match fast_mem::init() {
///     Ok(selection) => println!("set by {}", selection.set.variant.name()),
///     Err(error) => eprintln!("{error}"),
/// }
/// ```
pub fn init() -> Result<Selection, OverrideError> {
    let selection = selection();
    selection.override_error.map_or(Ok(selection), Err)
}

/// What is in force in this process: the variant of each routine, why, and by whom it was decided.
///
/// Decides first where no call did yet, like [`init`].
///
/// ```
/// let copy = fast_mem::selection().copy;
/// println!("copy by {}: {}", copy.variant.name(), copy.why);
/// ```
pub fn selection() -> Selection {
    dispatch::selection()
}

/// The whole table, best first: also what this CPU cannot run.
///
/// ```
/// for variant in fast_mem::variants() {
///     println!("{:12} {}", variant.name(), variant.about());
/// }
/// assert_eq!(fast_mem::variants().last().unwrap().name(), "generic");
/// ```
pub fn variants() -> impl Iterator<Item = &'static Variant> {
    variant::TABLE.iter()
}

/// This CPU, as it was when the choice was made.
///
/// ```
/// let cpu = fast_mem::cpu();
/// println!("{} family {:X}h model {:X}h: {}", cpu.vendor(), cpu.family(), cpu.model(), cpu.features());
/// ```
pub fn cpu() -> CpuInfo {
    dispatch::cpu()
}

/// Every threshold in force, with its source.
///
/// ```
/// for tunable in fast_mem::tunables().iter() {
///     println!("{tunable} ({}): {}", tunable.source, tunable.about);
/// }
/// ```
pub fn tunables() -> Tunables {
    tunables::in_force(&cpu())
}
