//! From the rounds of a cell to its figures.

use crate::cells::Cell;
use crate::clock::Clock;
use crate::contender::{Contender, STD};
use crate::counters::Counts;
use crate::peers::LIBC;
use crate::record::{CellRecord, Figure};
use crate::statistics::{self, Estimate, Verdict};

/// From this length on, a figure is the median: such calls are longer than what disturbs them.
const LONG: f64 = 65_536.0;

/// Differences below one per cent are not told: moving code and data around makes as much.
const TOLERANCE: f64 = 0.01;

/// Nor are differences below a quarter of a core cycle a call.
const TOLERANCE_CYCLES: f64 = 0.25;

/// The rounds of one cell: for each contender, ticks per call in each round.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    pub(crate) ticks: Vec<Vec<f64>>,
    pub(crate) dropped: usize,
    pub(crate) calls_per_sample: usize,
    pub(crate) bytes: f64,
    pub(crate) counts: Vec<Option<Counts>>,
}

/// The index of whom the others are compared with: the one that is wanted, the C library, or the standard
/// library, whichever is the first to have the routine.
pub(crate) fn reference(contenders: &[&Contender], wanted: Option<&str>) -> usize {
    let position = |name: &str| contenders.iter().position(|c| c.name == name);
    wanted.and_then(position).or_else(|| position(LIBC)).or_else(|| position(STD)).unwrap_or(0)
}

/// The figures of every contender, compared with the one whose index is `reference`.
pub(crate) fn figures(
    cell: &Cell,
    contenders: &[&Contender],
    reference: usize,
    rounds: &Rounds,
    clock: &Clock,
    random: &mut fastrand::Rng,
) -> CellRecord {
    let best = best_peer(contenders, rounds);
    let mut figure = |i: usize| {
        let ticks = time(&rounds.ticks[i], rounds.bytes, random);
        figure(contenders[i], rounds, i, ticks, reference, best, clock)
    };
    CellRecord {
        figures: (0..contenders.len()).map(&mut figure).collect(),
        id: cell.id(),
        routine: cell.routine,
        group: cell.group,
        label: cell.label.clone(),
        bytes: rounds.bytes,
        rounds: rounds.ticks[0].len(),
        dropped: rounds.dropped,
        calls_per_sample: rounds.calls_per_sample,
        reference: contenders[reference].name.clone(),
        best_peer: best.map(|i| contenders[i].name.clone()),
    }
}

/// The figure of the contender whose index is `i` and whose calls take `ticks`.
fn figure(
    contender: &Contender,
    rounds: &Rounds,
    i: usize,
    ticks: Estimate,
    reference: usize,
    best: Option<usize>,
    clock: &Clock,
) -> Figure {
    let tolerance = tolerance(ticks.value, clock);
    let beside = |other: usize| statistics::median(&ratios(&rounds.ticks[other], &rounds.ticks[i]));
    let speed = beside(reference);
    let beside_best = best.map(beside);
    Figure {
        contender: contender.name.clone(),
        role: contender.role,
        ns: ticks.scaled(1.0 / clock.ticks_per_ns),
        bytes_per_tick: rounds.bytes / ticks.value,
        speed,
        verdict: statistics::verdict(&speed, tolerance),
        beside_best,
        beside_best_verdict: beside_best.map(|r| statistics::verdict(&r, tolerance)),
        cycles: rounds.counts[i].map(|c| c.cycles),
        instructions: rounds.counts[i].map(|c| c.instructions),
    }
}

fn time(ticks: &[f64], bytes: f64, random: &mut fastrand::Rng) -> Estimate {
    if bytes >= LONG { statistics::median(ticks) } else { statistics::fastest_third(ticks, random) }
}

/// Speeds of `of` beside `reference`, round by round.
fn ratios(reference: &[f64], of: &[f64]) -> Vec<f64> {
    reference.iter().zip(of).map(|(r, t)| r / t).collect()
}

/// The peer with the greatest speed beside the others, by rounds.
fn best_peer(contenders: &[&Contender], rounds: &Rounds) -> Option<usize> {
    let peers = || (0..contenders.len()).filter(|&i| contenders[i].role.is_peer());
    let first = peers().next()?;
    let speed = |i: usize| statistics::median(&ratios(&rounds.ticks[first], &rounds.ticks[i])).value;
    peers().max_by(|&a, &b| speed(a).total_cmp(&speed(b)))
}

/// The share of a time below which a difference is not told.
fn tolerance(ticks: f64, clock: &Clock) -> f64 {
    let cycles = clock.cycles_per_ns.map(|per_ns| clock.ns(ticks) * per_ns);
    cycles.map_or(TOLERANCE, |cycles| TOLERANCE.max(TOLERANCE_CYCLES / cycles))
}

/// Whether a figure is behind the best peer: by more than one core cycle below 256 bytes, by more than
/// 3 % from there on, and not by noise.
pub(crate) fn is_behind(cell: &CellRecord, figure: &Figure, clock: &Clock) -> bool {
    let Some(ratio) = figure.beside_best.filter(|_| figure.beside_best_verdict == Some(Verdict::Slower)) else {
        return false;
    };
    let lost = figure.ns.value * (1.0 - ratio.value);
    match clock.cycles_per_ns {
        Some(per_ns) if cell.bytes < 256.0 => lost * per_ns > 1.0,
        _ => ratio.value < 0.97,
    }
}
