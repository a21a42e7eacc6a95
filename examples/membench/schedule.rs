//! Which cells fit the time there is, and how much of it each one gets.

use crate::cells::{Cell, Group, State};
use crate::rounds::Effort;
use core::time::Duration;
use std::collections::HashMap;

/// A plain guess, on the slow side, of what a byte takes far from the caches.
const NS_PER_BYTE: f64 = 0.08;

/// Making the branch predictor forget, drawing lists, the references around.
const FORGET: f64 = 150e3;

/// What the fewest rounds of a cell take, in seconds, with so many contenders.
pub(crate) fn least_seconds(cell: &Cell, contenders: usize, effort: &Effort) -> f64 {
    let (bytes, contenders, rounds, code_calls) =
        (cell.greatest() as f64, contenders as f64, effort.least_rounds as f64, effort.code_calls as f64);
    let touched = if cell.routine.has_source() { 2.0 } else { 1.0 } * bytes;
    let sample = match cell.state {
        // Measured and warmed up.
        State::Warm => {
            (effort.sample.as_secs_f64() * 1e9).max(bytes * NS_PER_BYTE) * 1.5 + bytes * NS_PER_BYTE + FORGET
        }
        State::ColdData | State::ThrashedData => 60e3,
        State::ColdCode => code_calls * 100e3,
        State::ThrashedCode => code_calls * 200e3,
        State::Fresh { .. } => touched * 0.5 + 100e3,
        State::ReadBack => bytes * NS_PER_BYTE * 3.0 + 80e3,
        State::Cores(n) => bytes * NS_PER_BYTE * 3.0 + 100e3 * n as f64,
    };
    // Mapping and touching the arena, once.
    (sample * contenders * rounds + touched * 0.3 + 1e6) / 1e9
}

/// Leaves out cells until the rest fits: every second one of the kind that takes most, time after time.
/// A kind is a group and a power of two of the length, so that what is long is thinned before what is
/// short. Returns what was left out.
pub(crate) fn fit(cells: &mut Vec<Cell>, budget: Duration, cost: impl Fn(&Cell) -> f64) -> Vec<Cell> {
    let kind = |cell: &Cell| (cell.group, cell.greatest().checked_ilog2());
    let mut left_out = Vec::new();
    while cells.len() > 1 && cells.iter().map(&cost).sum::<f64>() > budget.as_secs_f64() {
        let mut costs: HashMap<(Group, Option<u32>), (f64, usize)> = HashMap::new();
        for cell in cells.iter() {
            let entry = costs.entry(kind(cell)).or_default();
            *entry = (entry.0 + cost(cell), entry.1 + 1);
        }
        let Some((dearest, (_, count))) = costs.into_iter().max_by(|a, b| (a.1.0).total_cmp(&b.1.0)) else { break };
        let mut seen = 0;
        cells.retain(|cell| {
            let candidate = kind(cell) == dearest;
            seen += usize::from(candidate);
            let kept = !candidate || (count > 1 && seen % 2 == 1);
            if !kept {
                left_out.push(cell.clone());
            }
            kept
        });
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Choice;
    use crate::contender::Routine;

    fn cells() -> Vec<Cell> {
        let groups = vec![Group::Fixed, Group::Random, Group::Fleet];
        let choice = Choice {
            groups,
            sizes: None,
            least: 0,
            greatest: 1 << 20,
            thorough: true,
            every_offset: false,
            cores: 1,
            distribution: None,
        };
        choice.cells(Routine::Set)
    }

    #[test]
    fn everything_stays_where_there_is_time() {
        let mut all = cells();
        let count = all.len();
        assert!(fit(&mut all, Duration::from_secs(count as u64), |_| 1.0).is_empty());
        assert_eq!(all.len(), count);
    }

    #[test]
    fn the_dearest_kind_is_thinned_first() {
        let mut all = cells();
        let count = all.len();
        let out = fit(&mut all, Duration::from_secs(count as u64 - 1), |_| 1.0);
        assert!(out.iter().all(|c| c.group == Group::Fixed) && !out.is_empty());
        assert_eq!(all.len() + out.len(), count);
        assert_eq!(all.iter().filter(|c| c.group == Group::Random).count(), 7);
    }

    #[test]
    fn something_is_measured_in_no_time_at_all() {
        let mut all = cells();
        fit(&mut all, Duration::ZERO, |_| 1.0);
        assert_eq!(all.len(), 1);
    }
}
