//! From the command line to what takes part and which cells are wanted.

use crate::cells::{Choice, Group};
use crate::cli::RunArgs;
use crate::contender::{CLASSICS, Contender, Role};
use crate::distribution::Distribution;
use crate::failure::Failure;
use crate::field::Field;
use crate::memory;
use crate::peers::{self, Peer};
use crate::record::Participant;
use crate::rounds::Effort;
use crate::size::Bytes;
use clap::ValueEnum;
use core::time::Duration;
use fast_mem::Variant;
use std::path::Path;
use std::rc::Rc;

/// How thorough the default run is, and the quick one.
pub(crate) fn effort(quick: bool) -> Effort {
    if quick {
        Effort { sample: Duration::from_micros(8), least_rounds: 7, most_rounds: 200, code_calls: 16 }
    } else {
        Effort { sample: Duration::from_micros(20), least_rounds: 9, most_rounds: 200, code_calls: 32 }
    }
}

/// The time to take: what was asked for, or what the default and the quick run promise with a margin.
pub(crate) fn budget(args: &RunArgs) -> Duration {
    args.budget.unwrap_or(Duration::from_secs(if args.quick { 50 } else { 14 * 60 }))
}

/// The C library and every peer that was named.
pub(crate) fn load_peers(args: &RunArgs) -> Result<Vec<Peer>, Failure> {
    let mut all: Vec<Peer> = peers::platform().into_iter().collect();
    for path in &args.peer {
        let mut peer = Peer::load(path)?;
        let same = all.iter().filter(|p| p.name == peer.name || p.name.starts_with(&format!("{}#", peer.name))).count();
        if same > 0 {
            peer.name = format!("{}#{}", peer.name, same + 1);
        }
        all.push(peer);
    }
    Ok(all)
}

/// The variants that take part beside fast_mem as users call it.
pub(crate) fn variants(args: &RunArgs) -> Result<Vec<&'static Variant>, Failure> {
    let known = || fast_mem::variants().map(Variant::name).collect::<Vec<_>>().join(", ");
    let wanted = args.variants.as_deref();
    for name in wanted.unwrap_or_default().iter().filter(|n| *n != "none") {
        let variant = fast_mem::variants().find(|v| v.name() == name);
        let variant = variant.ok_or_else(|| {
            Failure::input(format!("--variants: no variant `{name}`; expected none or some of {}", known()))
        })?;
        if !variant.is_supported() {
            return Err(Failure::input(format!("--variants: this CPU cannot run `{name}`; leave it out")));
        }
    }
    let is_wanted = |v: &&Variant| match wanted {
        Some(names) => names.iter().any(|n| n == v.name()),
        None => !args.quick || is_selected(v) || CLASSICS.contains(&v.name()),
    };
    Ok(fast_mem::variants().filter(|v| v.is_supported()).filter(is_wanted).collect())
}

/// Whether users get it for some routine.
fn is_selected(variant: &Variant) -> bool {
    let selection = fast_mem::selection();
    [selection.set, selection.copy].iter().any(|choice| choice.variant.name() == variant.name())
}

/// Which cells are wanted.
pub(crate) fn choice(args: &RunArgs, cores: usize) -> Result<Choice, Failure> {
    let greatest = args.max_size.map_or(if args.quick { 64 << 20 } else { 256 << 20 }, |b| b.0);
    let explicit = args.sizes.iter().map(|b| b.0).max().unwrap_or(0);
    let greatest = if args.max_size.is_none() { greatest.max(explicit) } else { greatest };
    if greatest > 1 << 30 {
        return Err(Failure::input(format!("{}: sizes above 1G are not measured", Bytes(greatest))));
    }
    Ok(Choice {
        groups: if args.cells.is_empty() { Group::value_variants().to_vec() } else { args.cells.clone() },
        sizes: (!args.sizes.is_empty()).then(|| args.sizes.iter().map(|b| b.0).collect()),
        least: args.min_size.0,
        greatest: within_memory(greatest, args.max_size.is_some() || explicit == greatest)?,
        thorough: !args.quick,
        every_offset: args.every_offset,
        cores,
        distribution: args.distribution.as_deref().map(read_distribution).transpose()?.map(Rc::new),
    })
}

/// Sizes for which three times as much is free; less is an error only if it was asked for by name.
fn within_memory(greatest: usize, asked_for: bool) -> Result<usize, Failure> {
    match memory::available() {
        Some(free) if 3 * greatest > free && asked_for => Err(Failure::input(format!(
            "no memory for {}: measuring it takes three times as much and {} MiB are free; choose a smaller --max-size",
            Bytes(greatest),
            free >> 20
        ))),
        Some(free) => Ok(greatest.min(free / 3)),
        None => Ok(greatest),
    }
}

fn read_distribution(path: &Path) -> Result<Distribution, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| {
        Failure::input(format!("--distribution {shown}: {e}; give a file of three lines of `value:probability,...`"))
    })?;
    Distribution::parse(&text).map_err(|e| Failure::input(format!("--distribution {shown}: {e}")))
}

/// What draws sizes and orders.
pub(crate) fn generator(args: &RunArgs) -> fastrand::Rng {
    args.seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed)
}

/// Everybody, with a few words each.
pub(crate) fn participants(field: &Field, peers: &[Peer]) -> Vec<Participant> {
    let mut all: Vec<Participant> = Vec::new();
    for contender in field.everybody() {
        if all.iter().all(|p| p.name != contender.name) {
            let about = about(contender, peers);
            all.push(Participant { name: contender.name.clone(), role: contender.role, about });
        }
    }
    all
}

fn about(contender: &Contender, peers: &[Peer]) -> String {
    let variant = fast_mem::variants().find(|v| v.name() == contender.name);
    match contender.role {
        Role::Ours => "as users call it: small sizes inlined, the rest by the selected variant".to_owned(),
        Role::Variant | Role::Classic => variant.map_or_else(String::new, |v| v.about().to_owned()),
        Role::Limit => "a plain loop at the limit of the machine".to_owned(),
        Role::Peer => peers.iter().find(|p| p.name == contender.name).map_or_else(
            || "the standard library, called in the same loop".to_owned(),
            |p| {
                format!(
                    "a shared library, called by address{}",
                    if p.name == peers::LIBC { " (the platform's own)" } else { "" }
                )
            },
        ),
    }
}
