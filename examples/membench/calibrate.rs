//! This machine's own thresholds: two processes, one in which a way is never taken and one in which it
//! always is, are asked in turn for the same sizes.

use crate::cli::CalibrateArgs;
use crate::clock::Clock;
use crate::contender::Routine;
use crate::failure::Failure;
use crate::memory::PAGE;
use crate::plot::{self, Crossing};
use crate::size::Bytes;
use crate::worker::Worker;
use crate::{files, machine, statistics};
use std::process::ExitCode;

/// Rounds of both processes at each size.
const ROUNDS: usize = 25;

/// A way that wins less than this in the sum over all sizes above a threshold is not worth it.
const WORTH: f64 = 0.02;

/// Nanoseconds by size.
type Times = Vec<(usize, f64)>;

/// One threshold.
struct Threshold {
    tunable: &'static str,
    routine: Routine,
    /// Whose code reads it, where that need not be the selected variant.
    variant: Option<&'static str>,
    /// The least number that it can be set to.
    least: usize,
    sizes: (u32, u32),
    /// How far the destination lies above the source, modulo 4096.
    above: usize,
}

/// Powers of two between which each threshold is looked for.
const STREAMING: (u32, u32) = (18, 26);
const REP: (u32, u32) = (9, 24);
const ALIGN: (u32, u32) = (9, 11);

/// Half a page: no load seems to depend on a store in flight.
const APART: usize = PAGE / 2;

const THRESHOLDS: [Threshold; 8] = [
    Threshold::of("set_streaming", Routine::Set, 2048, STREAMING),
    Threshold::of("zero_streaming", Routine::Zero, 2048, STREAMING),
    Threshold::of("copy_streaming", Routine::Copy, 2048, STREAMING),
    Threshold::of("set_rep", Routine::Set, 256, REP),
    Threshold::of("copy_rep", Routine::Copy, 256, REP),
    // Where nothing copies by strings, this is never: the default of copy_rep is in force. fresh_rep is not looked for: a page
    // is fresh only once.
    Threshold { above: 16, ..Threshold::of("aliased_rep", Routine::Copy, 256, REP) },
    // Half a line farther apart, so that only one of them can be aligned.
    Threshold { variant: Some("avx512"), above: APART + 32, ..Threshold::of("source_align", Routine::Copy, 0, ALIGN) },
    Threshold { variant: Some("nehalem"), ..Threshold::of("nehalem_rep", Routine::Copy, 0, REP) },
];

/// Finds every threshold, prints them and the line that puts them in force.
pub(crate) fn run(args: &CalibrateArgs) -> Result<ExitCode, Failure> {
    if let Some(folder) = &args.plot {
        files::folder(folder)?;
    }
    let cores = machine::cores();
    let pinned_to = machine::pin(args.cpu, &cores)?;
    let about = machine::describe(Clock::measure(), cores.len(), pinned_to);
    let mut line = Vec::new();
    for threshold in &THRESHOLDS {
        let Some(variant) = threshold.variant() else {
            println!("{}: no variant that reads it runs on this CPU\n", threshold.tunable);
            continue;
        };
        let (without, with) = threshold.measure(variant)?;
        let at = crossing(&without, &with);
        show(threshold, variant, &without, &with, at);
        line.push(format!("{}={}", threshold.tunable, at.map_or_else(|| "never".to_owned(), tunable_size)));
        if let Some(folder) = &args.plot {
            let machine = format!("{}, variant {}", about.cpu, variant.unwrap_or("as selected"));
            let (without, with) = (speeds(&without), speeds(&with));
            plot::crossing(folder, &Crossing { name: threshold.tunable.to_owned(), machine, without, with, at })?;
        }
    }
    println!("FAST_MEM_TUNABLES={}", line.join(","));
    Ok(ExitCode::SUCCESS)
}

impl Threshold {
    /// One of the selected variant, with source and destination apart.
    const fn of(tunable: &'static str, routine: Routine, least: usize, sizes: (u32, u32)) -> Self {
        Self { tunable, routine, variant: None, least, sizes, above: APART }
    }

    /// The variant to ask for: `Some(None)` is the selected one, `None` is that there is none.
    fn variant(&self) -> Option<Option<&'static str>> {
        let Some(ending) = self.variant else { return Some(None) };
        let name = fast_mem::variants().find(|v| v.is_supported() && v.name().ends_with(ending))?.name();
        Some(Some(name))
    }

    /// Nanoseconds by size, without and with.
    fn measure(&self, variant: Option<&str>) -> Result<(Times, Times), Failure> {
        let start = |value: &str, bytes| Worker::start(variant, self.tunable, value, bytes);
        let mut never = start("never", usize::MAX)?;
        let mut always = start(&self.least.to_string(), self.least)?;
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for n in sizes(self.sizes) {
            let (mut slow, mut fast) = (Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                slow.push(never.ask(self.routine, n, self.above)?);
                fast.push(always.ask(self.routine, n, self.above)?);
            }
            without.push((n, statistics::median(&slow).value));
            with.push((n, statistics::median(&fast).value));
        }
        Ok((without, with))
    }
}

/// Powers of two and one and a half times as much.
fn sizes((from, to): (u32, u32)) -> Vec<usize> {
    (from..=to).flat_map(|p| [1usize << p, 3 << (p - 1)]).take_while(|&n| n <= 1 << to).collect()
}

/// The size from which on `with` should be taken: where the sum of all logarithms of times is least.
/// Noise at one size moves that hardly, while it moves the first or last size at which a line is below
/// the other a lot. `None` is never.
fn crossing(without: &[(usize, f64)], with: &[(usize, f64)]) -> Option<usize> {
    let gain = |i: usize| (without[i].1 / with[i].1).ln();
    let total = |from: usize| (from..with.len()).map(gain).sum::<f64>();
    let best = (0..with.len()).max_by(|&a, &b| total(a).total_cmp(&total(b)))?;
    let sizes = (with.len() - best) as f64;
    (total(best) > WORTH * sizes).then(|| with[best].0)
}

fn speeds(times: &[(usize, f64)]) -> Vec<(f64, f64)> {
    times.iter().map(|&(n, ns)| (n as f64, n as f64 / ns)).collect()
}

/// As `FAST_MEM_TUNABLES` reads it.
fn tunable_size(n: usize) -> String {
    match n {
        _ if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{}MiB", n >> 20),
        _ if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{}KiB", n >> 10),
        _ => n.to_string(),
    }
}

/// Both lines as bars, one below the other, so that the crossing can be seen in a terminal.
fn show(
    threshold: &Threshold,
    variant: Option<&str>,
    without: &[(usize, f64)],
    with: &[(usize, f64)],
    at: Option<usize>,
) {
    let chosen = at.map_or_else(|| "never".to_owned(), tunable_size);
    let by = variant.map_or_else(|| "the selected variant".to_owned(), |v| format!("variant {v}"));
    println!("{}={chosen}, for {} by {by}: - never, # always", threshold.tunable, threshold.routine);
    let (without, with) = (speeds(without), speeds(with));
    let top = without.iter().chain(&with).map(|p| p.1).fold(1e-9, f64::max);
    let column = |speed: f64| (speed / top * 59.0) as usize;
    for (a, b) in without.iter().zip(&with) {
        let mut line = vec![' '; 60];
        line[column(a.1)] = '-';
        line[column(b.1)] = '#';
        let n = a.0 as usize;
        let mark = if Some(n) == at { '>' } else { ' ' };
        let line: String = line.into_iter().collect();
        println!("{mark} {:>6}  |{line}| {:7.1} {:7.1} GB/s", Bytes(n), a.1, b.1);
    }
    println!();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(of: &[f64]) -> Vec<(usize, f64)> {
        of.iter().enumerate().map(|(i, &t)| (1 << i, t)).collect()
    }

    #[test]
    fn crossing_of_known_lines() {
        let without = times(&[1.0, 2.0, 4.0, 8.0, 16.0]);
        assert_eq!(crossing(&without, &times(&[2.0, 3.0, 3.0, 4.0, 8.0])), Some(4));
        assert_eq!(crossing(&without, &times(&[2.0, 3.0, 5.0, 9.0, 17.0])), None);
        assert_eq!(crossing(&without, &times(&[0.5, 1.0, 2.0, 4.0, 8.0])), Some(1));
    }

    #[test]
    fn one_noisy_size_does_not_move_it() {
        let without = times(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        assert_eq!(crossing(&without, &times(&[2.0, 1.99, 6.0, 4.0, 17.0, 16.0])), Some(8));
    }

    #[test]
    fn no_gain_worth_a_word_is_never() {
        let without = times(&[1.0, 1.0, 1.0, 1.0]);
        assert_eq!(crossing(&without, &times(&[1.0, 1.0, 0.99, 0.99])), None);
    }

    #[test]
    fn sizes_as_tunables_are_read() {
        assert_eq!([300, 2048, 3 << 19, 8 << 20].map(tunable_size), ["300", "2KiB", "1536KiB", "8MiB"]);
        assert_eq!(sizes((9, 11)), [512, 768, 1024, 1536, 2048]);
    }
}
