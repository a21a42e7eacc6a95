//! Sizes that are not predictable: how likely each one is, and lists drawn from that.
//!
//! The format is google/fleetbench's: three lines, `value:probability,…`, for sizes, for whether source
//! and destination overlap (1) or not (0), and for the destination's alignment, all in bytes.
//! The built-in fleet tables are its whole-fleet ones (Apache-2.0) with neighbouring sizes merged to 40
//! points; the mean size is kept to 0.1 %.

use crate::contender::Routine;
use core::fmt;
use statrs::distribution::{Continuous, LogNormal};

/// Values with the probability that each one or an earlier one is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    values: Vec<usize>,
    cumulative: Vec<f64>,
}

/// What is wrong with a distribution, and where (both counted from 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    line: usize,
    column: usize,
    what: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what } = self;
        write!(f, "line {line}, column {column}: {what}; expected `value:probability,...`")
    }
}

impl Table {
    /// Each of `values` equally likely.
    pub(crate) fn uniform(values: impl IntoIterator<Item = usize>) -> Self {
        Self::of(values.into_iter().map(|v| (v, 1.0)).collect())
    }

    /// Sizes to `most` of which each doubling is as likely as any other.
    pub(crate) fn log_uniform(most: u32) -> Self {
        Self::of((1..=most).map(|n| (n as usize, 1.0 / f64::from(n))).collect())
    }

    /// Sizes to `most` whose logarithm is normally distributed.
    pub(crate) fn log_normal(median: f64, deviation: f64, most: u32) -> Self {
        let of = LogNormal::new(median.ln(), deviation).expect("a positive median and deviation");
        Self::of((1..=most).map(|n| (n as usize, of.pdf(f64::from(n)))).collect())
    }

    /// Each value with its weight, which need not add up to 1.
    fn of(points: Vec<(usize, f64)>) -> Self {
        let total: f64 = points.iter().map(|&(_, weight)| weight).sum();
        let mut sum = 0.0;
        let cumulative = points.iter().map(|&(_, weight)| {
            sum += weight / total;
            sum
        });
        Self { cumulative: cumulative.collect(), values: points.into_iter().map(|(v, _)| v).collect() }
    }

    fn parse(text: &str, line: usize) -> Result<Self, Malformed> {
        let mut points = Vec::new();
        let mut column = 1;
        for point in text.split(',') {
            let wrong = |what: String| Malformed { line, column, what };
            let (value, weight) = point.split_once(':').ok_or_else(|| wrong(format!("`{point}` has no colon")))?;
            let value = value.trim().parse().map_err(|_| wrong(format!("`{value}` is no whole number")))?;
            let weight: f64 = weight.trim().parse().map_err(|_| wrong(format!("`{weight}` is no number")))?;
            if !(0.0..=1.0).contains(&weight) {
                return Err(wrong(format!("`{weight}` is no probability between 0 and 1")));
            }
            points.push((value, weight));
            column += point.chars().count() + 1;
        }
        let sum: f64 = points.iter().map(|&(_, weight)| weight).sum();
        if (sum - 1.0).abs() > 0.01 {
            return Err(Malformed { line, column: 1, what: format!("the probabilities add up to {sum:.4}, not to 1") });
        }
        Ok(Self::of(points))
    }

    /// The value below which a share `u` of all draws lies.
    fn quantile(&self, u: f64) -> usize {
        let at = self.cumulative.partition_point(|&c| c <= u);
        self.values[at.min(self.values.len() - 1)]
    }

    /// `count` values in random order. Each lies in its own of `count` equal slices of probability, so
    /// the sum hardly varies from list to list while the order is new: a list of independent draws from
    /// a heavy tail would compare luck, not routines.
    pub(crate) fn draw(&self, count: usize, random: &mut fastrand::Rng) -> Vec<usize> {
        let mut list: Vec<_> = (0..count)
            .map(|i| {
                let u = (i as f64 + random.f64()) / count as f64;
                self.quantile(u)
            })
            .collect();
        random.shuffle(&mut list);
        list
    }

    pub(crate) fn greatest(&self) -> usize {
        self.values.iter().copied().max().unwrap_or(0)
    }

    /// The same with every value at most `limit`.
    fn clamped(mut self, limit: usize) -> Self {
        self.values.iter_mut().for_each(|v| *v = (*v).min(limit));
        self
    }
}

/// Sizes, overlaps and alignments that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distribution {
    pub(crate) sizes: Table,
    pub(crate) overlaps: Table,
    pub(crate) alignments: Table,
}

impl Distribution {
    /// Reads the three lines.
    pub(crate) fn parse(text: &str) -> Result<Self, Malformed> {
        let mut lines = text.lines();
        let mut next = |line: usize, name: &str| {
            let missing = || Malformed { line, column: 1, what: format!("there is no line of {name}") };
            Table::parse(lines.next().ok_or_else(missing)?, line)
        };
        let parsed =
            Self { sizes: next(1, "sizes")?, overlaps: next(2, "overlaps")?, alignments: next(3, "alignments")? };
        let wrong = |line, what: String| Err(Malformed { line, column: 1, what });
        if let Some(odd) = parsed.overlaps.values.iter().find(|&&v| v > 1) {
            return wrong(2, format!("overlap is 0 or 1, not {odd}"));
        }
        if let Some(odd) = parsed.alignments.values.iter().find(|v| !v.is_power_of_two() || **v > 4096) {
            return wrong(3, format!("an alignment is a power of two up to 4096, not {odd}"));
        }
        match lines.find(|l| !l.trim().is_empty()) {
            Some(_) => wrong(4, "more than three lines".to_owned()),
            None => Ok(parsed),
        }
    }

    /// The built-in fleet table for a routine, with sizes of at most `limit`.
    pub(crate) fn fleet(routine: Routine, limit: usize) -> Self {
        let text = match routine {
            Routine::Copy => include_str!("fleet/memcpy.csv"),
            Routine::Move => include_str!("fleet/memmove.csv"),
            _ => include_str!("fleet/memset.csv"),
        };
        let parsed = Self::parse(text).expect("the built-in tables are well formed: a test reads them");
        Self { sizes: parsed.sizes.clamped(limit), ..parsed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_three_lines() {
        let read = Distribution::parse("8:0.5,16:0.25,4096:0.25\n0:0.9,1:0.1\n1:0.5,64:0.5\n").unwrap();
        assert_eq!(read.sizes.values, [8, 16, 4096]);
        assert_eq!(read.sizes.cumulative, [0.5, 0.75, 1.0]);
        assert_eq!(read.sizes.greatest(), 4096);
    }

    #[test]
    fn says_where_it_is_malformed() {
        let fails = |text: &str| Distribution::parse(text).unwrap_err();
        assert_eq!((fails("8:0.5,16;0.5\n0:1\n1:1").line, fails("8:0.5,16;0.5\n0:1\n1:1").column), (1, 7));
        assert_eq!((fails("8:1\n0:x\n1:1").line, fails("8:1\n0:x\n1:1").column), (2, 1));
        assert_eq!(fails("8:1\n0:1").line, 3);
        assert_eq!(fails("8:1\n0:1\n3:1").line, 3);
        assert_eq!(fails("8:1\n2:1\n1:1").line, 2);
        assert_eq!(fails("8:1\n0:1\n1:1\nmore").line, 4);
        assert!(fails("8:0.2\n0:1\n1:1").what.contains("add up to 0.2"));
        assert!(fails("8:1.5\n0:1\n1:1").what.contains("no probability"));
    }

    #[test]
    fn lists_follow_the_table_and_never_repeat() {
        let table = Table::of(vec![(1, 0.5), (2, 0.25), (3, 0.25)]);
        let mut random = fastrand::Rng::with_seed(3);
        let (a, b) = (table.draw(400, &mut random), table.draw(400, &mut random));
        assert_ne!(a, b);
        for list in [a, b] {
            assert_eq!([1, 2, 3].map(|v| list.iter().filter(|&&x| x == v).count()), [200, 100, 100]);
        }
    }

    #[test]
    fn spreads_are_what_their_names_say() {
        let mut random = fastrand::Rng::with_seed(9);
        let mut median = |table: Table| {
            let mut list = table.draw(4000, &mut random);
            list.sort_unstable();
            list[2000]
        };
        // Half the weight of 1/n up to 4096 lies at about the square root.
        assert!((45..70).contains(&median(Table::log_uniform(4096))));
        assert!((30..35).contains(&median(Table::log_normal(32.0, 1.5, 4096))));
    }

    #[test]
    fn built_in_tables_are_well_formed() {
        for (routine, mean) in [(Routine::Set, 323.97), (Routine::Copy, 135.34), (Routine::Move, 38.75)] {
            let sizes = Distribution::fleet(routine, usize::MAX).sizes;
            assert!(sizes.values.len() <= 40);
            let sum: usize = sizes.draw(100_000, &mut fastrand::Rng::with_seed(5)).iter().sum();
            assert!((sum as f64 / 1e5 / mean - 1.0).abs() < 0.02, "{routine}: {sum}");
            assert_eq!(Distribution::fleet(routine, 100).sizes.greatest(), 100);
        }
    }
}
