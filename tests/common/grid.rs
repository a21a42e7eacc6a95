//! Which lengths and offsets are tried.

use std::collections::BTreeSet;

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grid {
    /// Only where something changes: for emulated CPUs and repeated runs.
    Thin,
    /// Every length to 1024 at every offset to 64.
    Middle,
    /// And every pair of offsets.
    Full,
}

/// Nothing longer is tried here; the test `huge` is for that.
const LONGEST: usize = 64 << 20;

impl Grid {
    pub fn get() -> Self {
        match std::env::var("FAST_MEM_TEST_GRID").as_deref() {
            Ok("thin") => Self::Thin,
            Err(_) | Ok("middle") => Self::Middle,
            Ok("full") => Self::Full,
            Ok(other) => panic!("FAST_MEM_TEST_GRID is {other:?}: expected thin, middle or full"),
        }
    }

    /// Every length to 1024, or those around the ends of size classes.
    pub fn lengths(self) -> Vec<usize> {
        if self == Self::Thin { around_classes(1024) } else { (0..=1024).collect() }
    }

    /// Offsets from an aligned address.
    pub fn offsets(self) -> Vec<usize> {
        if self == Self::Thin { vec![0, 1, 7, 8, 15, 16, 31, 33, 63] } else { (0..=64).collect() }
    }

    /// Offsets of a source, for a destination at `offset`.
    pub fn sources(self, offset: usize) -> Vec<usize> {
        match self {
            Self::Thin => vec![(offset * 5 + 3) % 65],
            Self::Middle => vec![offset, (offset * 5 + 3) % 65, 64 - offset],
            Self::Full => (0..=64).collect(),
        }
    }

    /// How far apart the ranges of a move start: around every block, turn and class, and (above thin) all short ones.
    pub fn distances(self) -> Vec<usize> {
        let short = 0..if self == Self::Thin { 10 } else { 200 };
        around_classes(1100).into_iter().chain(short).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Every power of two up to `longest`, once and a half and three quarters of it, each with its neighbours.
pub fn around_classes(longest: usize) -> Vec<usize> {
    let powers = (0..usize::BITS).map(|shift| 1usize << shift).take_while(|&power| power <= longest);
    let centres = powers.flat_map(|power| [power, power + power / 4, power + power / 2]);
    let all: BTreeSet<usize> = centres.flat_map(neighbours).filter(|&n| n <= longest).collect();
    all.into_iter().collect()
}

/// Every threshold in force with its neighbours, as far as memory goes.
pub fn around_thresholds() -> Vec<usize> {
    let thresholds = fast_mem::tunables();
    let all: BTreeSet<usize> =
        thresholds.iter().map(|tunable| tunable.bytes).filter(|&bytes| bytes <= LONGEST).flat_map(neighbours).collect();
    all.into_iter().collect()
}

fn neighbours(n: usize) -> [usize; 3] {
    [n.saturating_sub(1), n, n + 1]
}
