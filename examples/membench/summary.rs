//! From cells to the rows of the table: size classes, the oracle, shares of the limits, and what is behind.

use crate::cells::Group;
use crate::clock::Clock;
use crate::contender::{OURS, Role, Routine};
use crate::figures;
use crate::record::CellRecord;
use crate::statistics::{Verdict, weighted_geometric_mean};
use std::collections::BTreeMap;

/// One row: geometric means over the cells of a class.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) cells: usize,
    /// Those that have a figure in every cell.
    pub(crate) speeds: Vec<Speed>,
    /// In each cell the best of all that are not ours.
    pub(crate) oracle: Option<f64>,
}

/// One contender's speed beside the reference.
#[derive(Clone, Debug)]
pub(crate) struct Speed {
    pub(crate) name: String,
    pub(crate) mean: f64,
    /// Whether it could not be told apart from the reference in any cell.
    pub(crate) same: bool,
}

impl Row {
    /// The speed of a contender.
    pub(crate) fn speed(&self, name: &str) -> Option<&Speed> {
        self.speeds.iter().find(|s| s.name == name)
    }

    /// Ours beside the oracle.
    pub(crate) fn ours_by_oracle(&self) -> Option<f64> {
        Some(self.speed(OURS)?.mean / self.oracle?)
    }
}

/// Upper ends of the size classes of fixed cells.
const CLASSES: [(usize, &str); 11] = [
    (16, "1-16"),
    (32, "17-32"),
    (64, "33-64"),
    (128, "65-128"),
    (256, "129-256"),
    (512, "257-512"),
    (2 << 10, "to 2K"),
    (32 << 10, "to 32K"),
    (512 << 10, "to 512K"),
    (16 << 20, "to 16M"),
    (1 << 30, "above 16M"),
];

/// The row that a cell belongs to: a number that orders rows, and the row's name.
fn class(cell: &CellRecord) -> (usize, String) {
    let by_group = |name: &str| (100 + cell.group as usize * 10, name.to_owned());
    let fixed = || CLASSES.iter().position(|&(most, _)| cell.bytes <= most as f64).unwrap_or(CLASSES.len() - 1);
    match cell.group {
        Group::Fixed => (fixed(), CLASSES[fixed()].1.to_owned()),
        Group::Random => by_group(&format!("random {}", cell.label)),
        Group::Fleet => by_group("fleet"),
        Group::Align => by_group("alignments"),
        Group::Offset => by_group("relative offsets"),
        Group::Overlap if cell.label.contains('-') => by_group("overlap, dst below"),
        Group::Overlap => by_group("overlap, dst above"),
        Group::ColdData => by_group("cold data"),
        Group::ThrashedData => by_group("thrashed data"),
        Group::ColdCode => by_group("cold code"),
        Group::ThrashedCode => by_group("thrashed code"),
        Group::Fresh if cell.label.ends_with("-huge") => by_group("fresh huge pages"),
        Group::Fresh => by_group("fresh pages"),
        Group::ReadBack if cell.bytes < 65_536.0 => by_group("read back, short"),
        Group::ReadBack => by_group("read back, long"),
        Group::Cores => by_group(&format!("cores {}", cell.label.rsplit('x').next().unwrap_or_default())),
    }
}

/// The rows of one routine, and the mean of all warm cells as the last one.
pub(crate) fn rows(cells: &[CellRecord], routine: Routine) -> Vec<Row> {
    let mine: Vec<&CellRecord> = cells.iter().filter(|c| c.routine == routine).collect();
    let mut classes: BTreeMap<usize, Vec<(String, Vec<&CellRecord>)>> = BTreeMap::new();
    for &cell in &mine {
        let (order, name) = class(cell);
        let same = classes.entry(order).or_default();
        match same.iter_mut().find(|(n, _)| *n == name) {
            Some((_, list)) => list.push(cell),
            None => same.push((name, vec![cell])),
        }
    }
    let mut rows: Vec<Row> = classes.into_values().flatten().map(|(name, list)| row(name, &list)).collect();
    let warm: Vec<&CellRecord> = mine.into_iter().filter(|c| c.group.is_warm()).collect();
    if !warm.is_empty() {
        rows.push(row("all warm cells".to_owned(), &warm));
    }
    rows
}

fn row(name: String, cells: &[&CellRecord]) -> Row {
    let weights = weights(cells);
    let mean = |speed: &dyn Fn(&CellRecord) -> Option<f64>| {
        let values: Option<Vec<f64>> = cells.iter().map(|c| speed(c)).collect();
        weighted_geometric_mean(values?.into_iter().zip(weights.iter().copied()))
    };
    let names = cells[0].figures.iter().filter(|f| f.role != Role::Limit).map(|f| f.contender.clone());
    let speed = |name: String| {
        let mean = mean(&|c| c.of(&name).map(|f| f.speed.value))?;
        let same = cells.iter().all(|c| c.of(&name).is_some_and(|f| f.verdict == Verdict::Same));
        Some(Speed { name, mean, same })
    };
    Row { cells: cells.len(), speeds: names.filter_map(speed).collect(), oracle: mean(&oracle), name }
}

fn oracle(cell: &CellRecord) -> Option<f64> {
    let peers = cell.figures.iter().filter(|f| f.role.is_peer());
    peers.map(|f| f.speed.value).max_by(f64::total_cmp)
}

/// Each cell counts once, but all relative offsets of one length together count as one cell: there are
/// as many as one cares to measure.
fn weights(cells: &[&CellRecord]) -> Vec<f64> {
    let same = |a: &CellRecord, b: &CellRecord| a.routine == b.routine && a.group == b.group && a.bytes == b.bytes;
    let weight = |cell: &CellRecord| {
        if cell.group != Group::Offset {
            return 1.0;
        }
        let count = cells.iter().filter(|c| same(c, cell)).count() as f64;
        1.0 / count
    };
    cells.iter().map(|c| weight(c)).collect()
}

/// A cell in which ours is behind.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    pub(crate) id: String,
    pub(crate) best: String,
    pub(crate) best_ns: f64,
    pub(crate) ours_ns: f64,
    pub(crate) ratio: f64,
}

/// Where ours is behind the best peer by more than a core cycle (below 256 bytes) or 3 % (above),
/// the worst first.
pub(crate) fn behind(cells: &[CellRecord], clock: &Clock) -> Vec<Behind> {
    let of = |cell: &CellRecord| {
        let ours = cell.of(OURS).filter(|f| figures::is_behind(cell, f, clock))?;
        let best = cell.best_peer.clone()?;
        let best_ns = cell.of(&best)?.ns.value;
        let ratio = ours.beside_best?.value;
        Some(Behind { id: cell.id.clone(), best, best_ns, ours_ns: ours.ns.value, ratio })
    };
    let mut all: Vec<Behind> = cells.iter().filter_map(of).collect();
    all.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{cell, times};

    #[test]
    fn the_oracle_is_the_best_peer_of_each_cell() {
        let cells = [
            cell("8", Group::Fixed, 8.0, &times(4.0, 1.0, 8.0)),
            cell("16", Group::Fixed, 16.0, &times(4.0, 4.0, 1.0)),
        ];
        let rows = rows(&cells, Routine::Move);
        assert_eq!(rows.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["1-16", "all warm cells"]);
        // Ours 4 and 1: mean 2. The oracle is libc's 1, then musl's 4: mean 2.
        assert_eq!(rows[0].speed(OURS).unwrap().mean, 2.0);
        assert_eq!(rows[0].oracle, Some(2.0));
        assert_eq!(rows[0].ours_by_oracle(), Some(1.0));
        assert!(rows[0].speed("libc").unwrap().same && !rows[0].speed(OURS).unwrap().same);
    }

    #[test]
    fn all_offsets_of_a_length_count_as_one_cell() {
        let offset = |d: usize| cell(&format!("4K+{d}"), Group::Offset, 4096.0, &times(4.0, 1.0, 4.0));
        let mut cells: Vec<CellRecord> = (0..100).map(offset).collect();
        cells.push(cell("8", Group::Fixed, 8.0, &times(1.0, 1.0, 1.0)));
        let all = rows(&cells, Routine::Move).pop().unwrap();
        assert!((all.speed(OURS).unwrap().mean - 2.0).abs() < 1e-9);
    }
}
