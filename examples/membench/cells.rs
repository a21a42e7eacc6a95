//! The cells: one for each combination of routine, sizes, placement and state that is worth a figure.

use crate::contender::Routine;
use crate::distribution::{Distribution, Table};
use crate::lengths::{fixed_sizes, relative_offsets};
use crate::size::Bytes;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A kind of cell, as `--cells` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Group {
    /// One size, again and again
    Fixed,
    /// Sizes that are not predictable
    Random,
    /// Sizes, overlaps and alignments of a data-centre fleet, or of --distribution
    Fleet,
    /// Each side at 0, 1, 31 and 33 of 64
    Align,
    /// Relative offsets of destination and source modulo 4096
    Offset,
    /// Overlapping moves, forward and backward
    Overlap,
    /// Data in memory only: its lines are flushed before each sample
    ColdData,
    /// Data out of the first two caches
    ThrashedData,
    /// Code out of the nearer caches, branch predictors untouched
    ColdCode,
    /// A million bytes of other code before each call
    ThrashedCode,
    /// Pages that nobody has touched yet
    Fresh,
    /// The call and then reading what it wrote
    ReadBack,
    /// Every core at once
    Cores,
}

impl Group {
    /// Whether data and code are warm: what the overall means are made of.
    pub(crate) fn is_warm(self) -> bool {
        matches!(self, Self::Fixed | Self::Random | Self::Fleet | Self::Align | Self::Offset | Self::Overlap)
    }
}

/// The lengths of one cell.
#[derive(Clone, Debug)]
pub(crate) enum Sizes {
    Fixed(usize),
    Drawn(Rc<Distribution>),
}

/// Where the two sides lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// So many bytes behind a multiple of 64, half a page apart modulo 4096.
    Aligned { dst: usize, src: usize },
    /// `dst - src` modulo 4096, without overlap.
    Relative(usize),
    /// `dst - src`, with overlap: negative is a move that may go forward.
    Overlap(isize),
    /// Each call somewhere else, as the distribution says.
    Drawn,
    /// Each call on lines of its own, in an order without a pattern.
    Scattered,
}

/// What is done between calls or samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Warm,
    ColdData,
    ThrashedData,
    ColdCode,
    ThrashedCode,
    Fresh { huge: bool },
    ReadBack,
    Cores(usize),
}

/// One cell.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) routine: Routine,
    pub(crate) group: Group,
    pub(crate) label: String,
    pub(crate) sizes: Sizes,
    pub(crate) place: Place,
    pub(crate) state: State,
}

impl Cell {
    /// The name by which runs are compared: `copy/offset/4K+17`.
    pub(crate) fn id(&self) -> String {
        let group = clap::ValueEnum::to_possible_value(&self.group).map(|v| v.get_name().to_owned());
        format!("{}/{}/{}", self.routine, group.unwrap_or_default(), self.label)
    }

    /// The greatest length that can be asked for.
    pub(crate) fn greatest(&self) -> usize {
        match &self.sizes {
            Sizes::Fixed(n) => *n,
            Sizes::Drawn(d) => d.sizes.greatest(),
        }
    }

    /// Whether both sides start on a multiple of 64.
    pub(crate) fn is_aligned(&self) -> bool {
        matches!(self.place, Place::Aligned { dst: 0, src: 0 } | Place::Relative(0))
    }

    /// Whether it can be measured for its routine: a fill needs whole elements.
    fn is_possible(&self) -> bool {
        let whole = |n: usize| n % self.routine.element() == 0;
        match (&self.sizes, self.place) {
            (Sizes::Fixed(n), Place::Aligned { dst, .. }) => *n > 0 && whole(*n) && whole(dst),
            (Sizes::Fixed(n), Place::Scattered) => whole(*n),
            _ => !self.routine.is_fill(),
        }
    }

    fn warm(routine: Routine, group: Group, label: String, n: usize, place: Place) -> Self {
        Self { routine, group, label, sizes: Sizes::Fixed(n), place, state: State::Warm }
    }
}

/// Which cells are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) groups: Vec<Group>,
    pub(crate) sizes: Option<Vec<usize>>,
    pub(crate) least: usize,
    pub(crate) greatest: usize,
    pub(crate) thorough: bool,
    pub(crate) every_offset: bool,
    pub(crate) cores: usize,
    pub(crate) distribution: Option<Rc<Distribution>>,
}

const ALIGNED: Place = Place::Aligned { dst: 0, src: 0 };

impl Choice {
    /// Every cell of `routine` that is wanted.
    pub(crate) fn cells(&self, routine: Routine) -> Vec<Cell> {
        let all = self.groups.iter().flat_map(|&group| self.of_group(routine, group));
        let within = |cell: &Cell| match &cell.sizes {
            Sizes::Fixed(n) => (self.least..=self.greatest).contains(n),
            Sizes::Drawn(_) => true,
        };
        all.filter(|cell| cell.is_possible() && within(cell)).collect()
    }

    fn of_group(&self, routine: Routine, group: Group) -> Vec<Cell> {
        match group {
            Group::Fixed => self.fixed(routine),
            Group::Random => random(routine),
            Group::Fleet => vec![self.fleet(routine)],
            Group::Align => self.alignments(routine),
            Group::Offset if routine.has_source() => self.offsets(routine),
            Group::Overlap if routine == Routine::Move => self.overlaps(),
            Group::Offset | Group::Overlap => Vec::new(),
            Group::ColdData => scattered(routine, group, State::ColdData),
            Group::ThrashedData => scattered(routine, group, State::ThrashedData),
            Group::ColdCode if crate::arch::HAS_CODE_THRASH => scattered(routine, group, State::ColdCode),
            Group::ThrashedCode if crate::arch::HAS_CODE_THRASH => scattered(routine, group, State::ThrashedCode),
            Group::ColdCode | Group::ThrashedCode => Vec::new(),
            Group::Fresh => fresh(routine),
            Group::ReadBack => read_back(routine),
            Group::Cores => (1..=self.cores)
                .filter(|n| n.is_power_of_two() || *n == self.cores)
                .flat_map(|n| large(routine, group, &format!("x{n}"), State::Cores(n)))
                .collect(),
        }
    }

    fn fixed(&self, routine: Routine) -> Vec<Cell> {
        let sizes = self.sizes.clone().unwrap_or_else(|| fixed_sizes(self.thorough));
        let cell = |n: usize| Cell::warm(routine, Group::Fixed, Bytes(n).to_string(), n, ALIGNED);
        sizes.into_iter().map(cell).collect()
    }

    fn fleet(&self, routine: Routine) -> Cell {
        let built_in = || Rc::new(Distribution::fleet(routine, 256 << 10));
        let distribution = self.distribution.clone().unwrap_or_else(built_in);
        drawn(routine, Group::Fleet, "fleet", distribution)
    }

    fn alignments(&self, routine: Routine) -> Vec<Cell> {
        let sizes = self.sizes.clone().unwrap_or_else(|| vec![64, 256, 1 << 10, 4 << 10, 64 << 10]);
        let sources: &[usize] = if routine.has_source() { &[0, 1, 31, 33] } else { &[0] };
        let mut cells = Vec::new();
        for n in sizes {
            for dst in [0, 1, 31, 33] {
                for &src in sources.iter().filter(|&&src| self.thorough || src == 0 || src != dst) {
                    let label = format!("{}@{dst},{src}", Bytes(n));
                    cells.push(Cell::warm(routine, Group::Align, label, n, Place::Aligned { dst, src }));
                }
            }
        }
        cells
    }

    fn offsets(&self, routine: Routine) -> Vec<Cell> {
        let sizes = self.sizes.clone().unwrap_or_else(|| vec![64, 256, 1 << 10, 4 << 10, 64 << 10]);
        let offsets = if self.every_offset { (0..4096).collect() } else { relative_offsets(self.thorough) };
        let cell =
            |n: usize, d: usize| Cell::warm(routine, Group::Offset, format!("{}+{d}", Bytes(n)), n, Place::Relative(d));
        sizes.iter().flat_map(|&n| offsets.iter().map(move |&d| cell(n, d))).collect()
    }

    fn overlaps(&self) -> Vec<Cell> {
        let distances: &[isize] =
            if self.thorough { &[1, 8, 16, 31, 32, 33, 64, 100, 256, 1000, 4096] } else { &[8, 32, 100, 4096] };
        let sizes = [256, 4 << 10, 64 << 10];
        let cell = |n: usize, d: isize| {
            Cell::warm(Routine::Move, Group::Overlap, format!("{}{d:+}", Bytes(n)), n, Place::Overlap(d))
        };
        let signed = |n: usize| distances.iter().filter(move |&&d| d.unsigned_abs() < n).flat_map(|&d| [d, -d]);
        sizes.into_iter().flat_map(|n| signed(n).map(move |d| cell(n, d))).collect()
    }
}

fn drawn(routine: Routine, group: Group, label: &str, of: Rc<Distribution>) -> Cell {
    let label = label.to_owned();
    Cell { routine, group, label, sizes: Sizes::Drawn(of), place: Place::Drawn, state: State::Warm }
}

fn random(routine: Routine) -> Vec<Cell> {
    let uniform = [16, 32, 64, 128, 512].map(|most| (format!("1-{most}"), Table::uniform(1..=most)));
    // Half of all sizes at most 32 bytes, a sixth above 150: like the published fleet mixes.
    let spread = [
        ("log-4K".to_owned(), Table::log_uniform(4096)),
        ("log-normal".to_owned(), Table::log_normal(32.0, 1.5, 4096)),
    ];
    let any = |sizes| Distribution { sizes, overlaps: Table::uniform([0]), alignments: Table::uniform([0]) };
    uniform
        .into_iter()
        .chain(spread)
        .map(|(label, sizes)| drawn(routine, Group::Random, &label, Rc::new(any(sizes))))
        .collect()
}

fn scattered(routine: Routine, group: Group, state: State) -> Vec<Cell> {
    let sizes: &[usize] = if routine.is_fill() { &[] } else { &[10, 30, 100, 300, 1024] };
    let cell = |&n: &usize| Cell { state, ..Cell::warm(routine, group, Bytes(n).to_string(), n, Place::Scattered) };
    sizes.iter().map(cell).collect()
}

fn fresh(routine: Routine) -> Vec<Cell> {
    let of = |huge: bool| large(routine, Group::Fresh, if huge { "-huge" } else { "-4K" }, State::Fresh { huge });
    if cfg!(target_os = "linux") { [of(false), of(true)].concat() } else { of(false) }
}

/// Long ones, where what went around the caches has to come back; and short ones, where the caller reads
/// words of what may still be in the store buffer in other pieces.
fn read_back(routine: Routine) -> Vec<Cell> {
    let short = scattered(routine, Group::ReadBack, State::ReadBack);
    let short = short.into_iter().map(|cell| Cell { place: ALIGNED, ..cell });
    short.chain(large(routine, Group::ReadBack, "", State::ReadBack)).collect()
}

fn large(routine: Routine, group: Group, suffix: &str, state: State) -> Vec<Cell> {
    let sizes: &[usize] = if routine.is_fill() { &[] } else { &[256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20] };
    let cell = |&n: &usize| Cell { state, ..Cell::warm(routine, group, format!("{}{suffix}", Bytes(n)), n, ALIGNED) };
    sizes.iter().map(cell).collect()
}
