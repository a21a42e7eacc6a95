//! Which lengths and alignments are tried.

use std::collections::BTreeSet;

/// Every length up to here in the full grid.
const DENSE: usize = 8192;
/// A threshold above this is tried at few alignments.
pub(crate) const LONG: usize = 32 << 10;

/// The full grid is for a release build on real hardware: `FAST_MEM_TEST_GRID=full`.
pub(crate) fn full() -> bool {
    std::env::var_os("FAST_MEM_TEST_GRID").is_some_and(|grid| grid == "full")
}

/// The lengths at which the code in force changes its mind: the tunables.
fn thresholds() -> impl Iterator<Item = usize> {
    let most = if full() { 64 << 20 } else { 3 << 20 };
    let numbers: Vec<usize> = fast_mem::tunables().iter().map(|tunable| tunable.bytes).collect();
    numbers.into_iter().filter(move |&bytes| bytes <= most)
}

/// The lengths up to [`LONG`].
pub(crate) fn lengths() -> Vec<usize> {
    let mut lengths = BTreeSet::new();
    lengths.extend(0..=if full() { DENSE } else { 300 });
    // Class boundaries are sums of two powers of two; loops turn at 64, 128 and 256 bytes.
    for big in 8..14 {
        for small in [0, 64, 128, 256, 512] {
            let edge = (1 << big) + small;
            lengths.extend(edge - 2..=edge + 2);
        }
    }
    for edge in thresholds().filter(|&edge| edge <= LONG) {
        lengths.extend(edge.saturating_sub(1)..=edge + 1);
        lengths.extend([edge + 63, edge + 64, edge + 65, edge + 319, edge + 320, edge + 321]);
    }
    lengths.into_iter().collect()
}

/// The lengths above [`LONG`].
pub(crate) fn long_lengths() -> Vec<usize> {
    let mut lengths: BTreeSet<usize> = [LONG + 1, (64 << 10) + 63, (2 << 20) - 1, 2 << 20, (2 << 20) + 1].into();
    for edge in thresholds().filter(|&edge| edge > LONG) {
        lengths.extend([edge - 1, edge, edge + 1, edge + 4095]);
    }
    lengths.into_iter().collect()
}

/// Distances of a range from the page that may not be touched, hence its alignments.
pub(crate) fn gaps(n: usize) -> Vec<usize> {
    match n {
        _ if n > LONG => vec![0, 1, 33],
        _ if full() => (0..64).collect(),
        0..=130 => vec![0, 1, 2, 3, 5, 8, 15, 16, 31, 32, 33, 63],
        _ => vec![0, 1, 7, 16, 33, 63],
    }
}

/// By how much the destination lies above the source in an overlapping move.
pub(crate) fn distances() -> Vec<isize> {
    let mut distances: BTreeSet<isize> = if full() {
        (-130..=130).collect()
    } else {
        [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129]
            .into_iter()
            .flat_map(|d| [d, -d])
            .collect()
    };
    for page in 1..=if full() { 3 } else { 1 } {
        for near in [-65, -64, -1, 0, 1, 31, 63, 64, 65] {
            distances.extend([page * 4096 + near, -(page * 4096 + near)]);
        }
    }
    distances.into_iter().collect()
}

/// Out of the first cache and out of the second, where a move downwards goes over to other loops; and, by a distance that is worth
/// it, in pieces.
pub(crate) const LONG_MOVES: [usize; 6] = [33_000, 49_151, 49_152, 70_001, 1 << 20, (1 << 20) + 4099];
pub(crate) const LONG_DISTANCES: [isize; 6] = [1, -1, 5000, -5000, 20_001, -20_001];

/// Lengths for overlapping moves: fewer, since each is tried at every distance.
pub(crate) fn move_lengths() -> Vec<usize> {
    let mut lengths = BTreeSet::new();
    lengths.extend(0..=if full() { 700 } else { 40 });
    for edge in [64, 128, 256, 512, 1024, 2048, 4096, 4352, 8192] {
        lengths.extend(edge - 1..=edge + 1);
    }
    for edge in thresholds().filter(|&edge| edge <= LONG) {
        lengths.extend(edge.saturating_sub(1)..=edge + 1);
    }
    lengths.into_iter().collect()
}
