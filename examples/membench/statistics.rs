//! The figures: how a handful of samples becomes one number with an interval, and when two differ.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, DiscreteCDF};
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Estimate {
    /// Every part times `factor` (which is positive).
    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    /// The interval, moved outwards to at least `share` of the value on either side.
    pub(crate) fn widened(self, share: f64) -> Self {
        let margin = self.value * share;
        Self { low: self.low.min(self.value - margin), high: self.high.max(self.value + margin), ..self }
    }

    /// Whether the intervals have a point in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// What a ratio of two speeds says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Verdict {
    /// Faster than what it is compared with.
    Faster,
    /// Too near, or too noisy, to tell.
    #[serde(rename = "=")]
    Same,
    /// Slower.
    Slower,
}

/// A ratio tells two routines apart only if its whole interval is more than `tolerance` away from 1.
pub(crate) fn verdict(ratio: &Estimate, tolerance: f64) -> Verdict {
    if ratio.low > 1.0 + tolerance {
        Verdict::Faster
    } else if ratio.high < 1.0 - tolerance {
        Verdict::Slower
    } else {
        Verdict::Same
    }
}

/// The median, with the interval between the two order statistics whose ranks a Binomial(n, 1/2)
/// leaves outside with at most 2.5 % on each side. Needs no assumption about the noise. With fewer than
/// six samples no such ranks exist, and the interval is the whole range.
///
/// # Panics
/// If there are no samples.
pub(crate) fn median(samples: &[f64]) -> Estimate {
    assert!(!samples.is_empty(), "no samples: a figure needs at least one");
    let n = samples.len();
    let mut data = Data::new(samples.to_vec());
    // The least k with P(X <= k) > 2.5 %: the k-th order statistic leaves less outside. `inverse_cdf`
    // panics where that is 0.
    let rank = Binomial::new(0.5, n as u64).ok().filter(|b| b.cdf(0) < 0.025).map_or(1, |b| b.inverse_cdf(0.025));
    let rank = usize::try_from(rank).unwrap_or(1).clamp(1, n);
    Estimate { value: data.median(), low: data.order_statistic(rank), high: data.order_statistic(n + 1 - rank) }
}

/// The mean of the fastest third, which neighbours and interrupts do not reach, with the middle 95 % of
/// the same figure over 200 resamples.
///
/// # Panics
/// If there are no samples.
pub(crate) fn fastest_third(samples: &[f64], random: &mut fastrand::Rng) -> Estimate {
    assert!(!samples.is_empty(), "no samples: a figure needs at least one");
    let figure = |mut of: Vec<f64>| {
        of.sort_unstable_by(f64::total_cmp);
        of.truncate(of.len().div_ceil(3));
        of.mean()
    };
    let mut resampled = Data::new(
        (0..200)
            .map(|_| figure((0..samples.len()).map(|_| samples[random.usize(..samples.len())]).collect()))
            .collect::<Vec<_>>(),
    );
    let value = figure(samples.to_vec());
    let (low, high) = (resampled.quantile(0.025), resampled.quantile(0.975));
    Estimate { value, low: low.min(value), high: high.max(value) }
}

/// The geometric mean, each value with its weight; `None` of nothing.
pub(crate) fn weighted_geometric_mean(values: impl IntoIterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut logs, mut weights) = (0.0, 0.0);
    for (value, weight) in values {
        logs += value.ln() * weight;
        weights += weight;
    }
    (weights > 0.0).then(|| (logs / weights).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_known_ranks() {
        // n = 10: P(X <= 1) = 11/1024 = 1.07 %, P(X <= 2) = 56/1024 = 5.5 %, so ranks 2 and 9 (the
        // table of Conover, "Practical Nonparametric Statistics").
        let ten: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!(median(&ten), Estimate { value: 5.5, low: 2.0, high: 9.0 });
        // n = 20: ranks 6 and 15; n = 5: no ranks reach 95 %, the whole range.
        let twenty: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(median(&twenty), Estimate { value: 10.5, low: 6.0, high: 15.0 });
        assert_eq!(median(&[3.0, 1.0, 2.0, 5.0, 4.0]), Estimate { value: 3.0, low: 1.0, high: 5.0 });
    }

    #[test]
    fn median_ignores_a_disturbed_sample() {
        assert_eq!(median(&[1.0, 1e9, 1.0]).value, 1.0);
    }

    #[test]
    fn fastest_third_of_known_samples() {
        let mut random = fastrand::Rng::with_seed(1);
        let estimate = fastest_third(&[9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 100.0, 50.0, 70.0], &mut random);
        assert_eq!(estimate.value, 2.0);
        assert!(estimate.low >= 1.0 && estimate.low < 2.0 && estimate.high > 2.0, "{estimate:?}");
        let constant = fastest_third(&[4.0; 7], &mut random);
        assert_eq!(constant, Estimate { value: 4.0, low: 4.0, high: 4.0 });
    }

    #[test]
    fn intervals_cover_what_they_promise() {
        // 400 times 25 uniform samples: the interval must hold the true median 0.5 in about 95 %.
        let mut random = fastrand::Rng::with_seed(7);
        let covered = (0..400)
            .map(|_| median(&(0..25).map(|_| random.f64()).collect::<Vec<_>>()))
            .filter(|e| e.low <= 0.5 && 0.5 <= e.high)
            .count();
        assert!((372..400).contains(&covered), "{covered} of 400 intervals hold the median");
    }

    #[test]
    fn geometric_mean_by_weight() {
        let mean = weighted_geometric_mean([(2.0, 1.0), (8.0, 1.0)]).unwrap();
        assert!((mean - 4.0).abs() < 1e-12);
        let mean = weighted_geometric_mean([(2.0, 3.0), (32.0, 1.0)]).unwrap();
        assert!((mean - 4.0).abs() < 1e-12);
        assert_eq!(weighted_geometric_mean([]), None);
    }

    #[test]
    fn verdict_needs_the_whole_interval() {
        let ratio = |low, value, high| Estimate { value, low, high };
        assert_eq!(verdict(&ratio(1.02, 1.03, 1.04), 0.01), Verdict::Faster);
        assert_eq!(verdict(&ratio(1.005, 1.03, 1.04), 0.01), Verdict::Same);
        assert_eq!(verdict(&ratio(0.95, 0.97, 0.98), 0.01), Verdict::Slower);
        assert_eq!(verdict(&ratio(0.5, 1.0, 2.0), 0.0), Verdict::Same);
    }

    #[test]
    fn estimates_scale_widen_and_overlap() {
        let estimate = Estimate { value: 2.0, low: 1.9, high: 2.5 };
        assert_eq!(estimate.scaled(2.0), Estimate { value: 4.0, low: 3.8, high: 5.0 });
        assert_eq!(estimate.widened(0.1), Estimate { value: 2.0, low: 1.8, high: 2.5 });
        assert!(estimate.overlaps(&Estimate { value: 3.0, low: 2.5, high: 4.0 }));
        assert!(!estimate.overlaps(&Estimate { value: 3.0, low: 2.6, high: 4.0 }));
    }
}
