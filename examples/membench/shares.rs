//! How near a contender comes to what this machine can do at all.

use crate::cells::Group;
use crate::contender::{OURS, Routine};
use crate::record::{CellRecord, Figure, Machine};
use crate::statistics::weighted_geometric_mean;

/// The share of the limit that a contender reaches in a range of lengths.
#[derive(Clone, Debug)]
pub(crate) struct Share {
    pub(crate) routine: Routine,
    pub(crate) range: String,
    pub(crate) cells: usize,
    pub(crate) ours: f64,
    pub(crate) least: f64,
    pub(crate) reference: Option<f64>,
    pub(crate) kernel: String,
    pub(crate) gb_per_s: f64,
}

/// Shares of the fastest plain kernel in the same cell, by what the data fits into.
pub(crate) fn shares(cells: &[CellRecord], routine: Routine, machine: &Machine) -> Vec<Share> {
    let sides = if routine.has_source() { 2 } else { 1 };
    let l1 = machine.l1d.max(32 << 10) / sides;
    let l2 = machine.l2.max(256 << 10) / 2 / sides;
    let l3 = machine.l3.max(1 << 20) / sides;
    let tunable = format!("{routine}_streaming");
    let streaming = machine.tunables.iter().find(|(name, _)| *name == tunable).and_then(|(_, bytes)| *bytes);
    let ranges = [
        ("L1, from 4K", 4096, l1 / 4 * 3),
        ("4K to half of L2", 4096, l2),
        ("L3", l2 * 4, l3 / 4),
        ("streaming", streaming.unwrap_or(usize::MAX), usize::MAX),
    ];
    ranges.iter().filter_map(|&(name, least, most)| share(cells, routine, name, least, most)).collect()
}

fn share(cells: &[CellRecord], routine: Routine, range: &str, least: usize, most: usize) -> Option<Share> {
    let within = |c: &&CellRecord| (least as f64..=most as f64).contains(&c.bytes);
    let mine: Vec<&CellRecord> = cells
        .iter()
        .filter(|c| c.routine == routine && c.group == Group::Fixed && c.limit().is_some())
        .filter(within)
        .collect();
    let of = |figure: Option<&Figure>, cell: &CellRecord| Some(figure?.speed.value / cell.limit()?.speed.value);
    let mean = |name: &dyn Fn(&CellRecord) -> Option<f64>| {
        let values: Option<Vec<f64>> = mine.iter().map(|c| name(c)).collect();
        weighted_geometric_mean(values?.into_iter().map(|v| (v, 1.0)))
    };
    let ours = |c: &CellRecord| of(c.of(OURS), c);
    let last = mine.last()?.limit()?;
    Some(Share {
        routine,
        range: range.to_owned(),
        cells: mine.len(),
        ours: mean(&ours)?,
        least: mine.iter().filter_map(|c| ours(c)).min_by(f64::total_cmp)?,
        reference: mean(&|c| of(c.of(&c.reference), c)),
        kernel: last.contender.trim_start_matches("limit:").to_owned(),
        gb_per_s: mine.last()?.bytes / last.ns.value,
    })
}
