//! What addresses do to a move or copy of one length: relative offsets and overlap.

use crate::cells::Group;
use crate::contender::{OURS, Routine};
use crate::record::CellRecord;

/// The greatest and the least time over all relative offsets of one length.
#[derive(Clone, Debug)]
pub(crate) struct Spread {
    pub(crate) routine: Routine,
    pub(crate) bytes: f64,
    pub(crate) contender: String,
    pub(crate) worst_by_best: f64,
    pub(crate) worst_at: String,
}

/// For ours and the reference, worst over best.
pub(crate) fn spreads(cells: &[CellRecord], routine: Routine) -> Vec<Spread> {
    let mine: Vec<&CellRecord> = cells.iter().filter(|c| c.routine == routine && c.group == Group::Offset).collect();
    let mut lengths: Vec<f64> = mine.iter().map(|c| c.bytes).collect();
    lengths.sort_by(f64::total_cmp);
    lengths.dedup();
    let names = mine.first().map(|c| [OURS.to_owned(), c.reference.clone()]);
    let spread = |bytes: f64, contender: &String| {
        let times = || mine.iter().filter(|c| c.bytes == bytes).filter_map(|c| Some((c, c.of(contender)?.ns.value)));
        let (worst_cell, worst) = times().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (_, best) = times().min_by(|a, b| a.1.total_cmp(&b.1))?;
        let worst_at = worst_cell.label.rsplit('+').next().unwrap_or_default().to_owned();
        Some(Spread { routine, bytes, contender: contender.clone(), worst_by_best: worst / best, worst_at })
    };
    lengths.iter().flat_map(|&n| names.iter().flatten().filter_map(move |name| spread(n, name))).collect()
}

/// How fast overlapping moves go backward beside forward.
#[derive(Clone, Debug)]
pub(crate) struct Backward {
    pub(crate) bytes: f64,
    pub(crate) contender: String,
    /// The least share of the forward speed at the same distance, of 32 bytes or more.
    pub(crate) least: f64,
    pub(crate) distance: String,
}

/// For ours and the reference at each length.
pub(crate) fn backward(cells: &[CellRecord]) -> Vec<Backward> {
    let overlaps = || cells.iter().filter(|c| c.group == Group::Overlap);
    let twin = |up: &CellRecord| overlaps().find(|down| down.label == up.label.replace('+', "-"));
    let mut all: Vec<Backward> = Vec::new();
    for up in overlaps().filter(|c| c.label.contains('+')) {
        let distance = up.label.rsplit('+').next().unwrap_or_default();
        let far = distance.parse::<usize>().is_ok_and(|d| d >= 32);
        let Some(down) = twin(up).filter(|_| far) else { continue };
        for name in [OURS, &up.reference] {
            let (Some(back), Some(forth)) = (up.of(name), down.of(name)) else { continue };
            let least = forth.ns.value / back.ns.value;
            let found = Backward { bytes: up.bytes, contender: name.to_owned(), least, distance: distance.to_owned() };
            match all.iter_mut().find(|b| b.bytes == up.bytes && b.contender == name) {
                Some(known) if known.least <= least => {}
                Some(known) => *known = found,
                None => all.push(found),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{cell, times};

    #[test]
    fn spread_is_worst_over_best() {
        let cells = [
            cell("4K+0", Group::Offset, 4096.0, &times(4.0, 1.0, 4.0)),
            cell("4K+1", Group::Offset, 4096.0, &times(4.0, 3.0, 4.0)),
        ];
        let spread = &spreads(&cells, Routine::Move)[0];
        assert_eq!((spread.contender.as_str(), spread.worst_by_best, spread.worst_at.as_str()), (OURS, 3.0, "1"));
    }

    #[test]
    fn backward_is_judged_at_its_worst_distance() {
        let cells = [
            cell("64K+8", Group::Overlap, 65536.0, &times(9.0, 9.0, 9.0)),
            cell("64K-8", Group::Overlap, 65536.0, &times(1.0, 1.0, 1.0)),
            cell("64K+32", Group::Overlap, 65536.0, &times(4.0, 2.0, 4.0)),
            cell("64K-32", Group::Overlap, 65536.0, &times(4.0, 1.0, 4.0)),
            cell("64K+64", Group::Overlap, 65536.0, &times(4.0, 1.0, 4.0)),
            cell("64K-64", Group::Overlap, 65536.0, &times(4.0, 1.0, 4.0)),
        ];
        let ours: Vec<Backward> = backward(&cells).into_iter().filter(|b| b.contender == OURS).collect();
        assert_eq!(ours.len(), 1);
        assert_eq!((ours[0].least, ours[0].distance.as_str()), (0.5, "32"));
    }
}
