//! Two runs, cell by cell: what changed by more than the noise.

use crate::cli::CompareArgs;
use crate::contender::OURS;
use crate::failure::Failure;
use crate::output;
use crate::record::{CellRecord, Figure, Record};
use crate::statistics::{Estimate, weighted_geometric_mean};
use comfy_table::{CellAlignment, Table, presets};
use std::process::ExitCode;

/// Between two processes, code and data lie elsewhere: intervals are at least this wide on either side.
const BETWEEN_RUNS: f64 = 0.01;

/// One contender in one cell of both runs. Speeds: more is better.
#[derive(Clone, Debug)]
struct Change {
    id: String,
    contender: String,
    before: Estimate,
    after: Estimate,
}

impl Change {
    fn ratio(&self) -> f64 {
        self.after.value / self.before.value
    }

    /// Whether the intervals have nothing in common.
    fn exceeds_noise(&self) -> bool {
        !self.before.widened(BETWEEN_RUNS).overlaps(&self.after.widened(BETWEEN_RUNS))
    }

    fn is_regression(&self, percent: f64) -> bool {
        self.contender == OURS && self.exceeds_noise() && self.ratio() < 1.0 - percent / 100.0
    }
}

/// Compares and prints; status 1 where a regression is one to fail on.
pub(crate) fn run(args: &CompareArgs) -> Result<ExitCode, Failure> {
    let (before, after) = (output::read(&args.before)?, output::read(&args.after)?);
    if before.machine.cpu != after.machine.cpu {
        println!("The machines differ: {} and {}.", before.machine.cpu, after.machine.cpu);
    }
    let changes = changes(&before, &after, args.absolute);
    if changes.is_empty() {
        return Err(Failure::input("the two files have no cell in common; measure the same cells in both"));
    }
    print(&changes, args.absolute);
    let Some(percent) = args.fail_on_regression else { return Ok(ExitCode::SUCCESS) };
    let worse: Vec<&Change> = changes.iter().filter(|c| c.is_regression(percent)).collect();
    match worse.len() {
        0 => Ok(ExitCode::SUCCESS),
        n => Err(Failure::negative(format!(
            "{OURS} lost more than {percent} % beyond the noise in {n} cells, first of all {}",
            worse[0].id
        ))),
    }
}

fn changes(before: &Record, after: &Record, absolute: bool) -> Vec<Change> {
    let both = |b: &CellRecord| after.cells.iter().find(|a| a.id == b.id).map(|a| (b.clone(), a.clone()));
    let speed = |f: &Figure| if absolute { inverse(f.ns) } else { f.speed };
    let pairs: Vec<(CellRecord, CellRecord)> = before.cells.iter().filter_map(both).collect();
    let mut all = Vec::new();
    for (b, a) in &pairs {
        // The reference beside itself says nothing.
        for figure in b.figures.iter().filter(|f| absolute || f.contender != b.reference) {
            if let Some(later) = a.of(&figure.contender) {
                let (id, contender) = (b.id.clone(), figure.contender.clone());
                all.push(Change { id, contender, before: speed(figure), after: speed(later) });
            }
        }
    }
    all
}

/// Calls a nanosecond instead of nanoseconds a call.
fn inverse(ns: Estimate) -> Estimate {
    Estimate { value: 1.0 / ns.value, low: 1.0 / ns.high, high: 1.0 / ns.low }
}

fn print(changes: &[Change], absolute: bool) {
    let of = if absolute { "calls a nanosecond" } else { "speed relative to the reference" };
    println!("Changes beyond the noise, by {of}; above 1.00 is faster\n");
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(["cell", "contender", "before", "after", "after/before"]);
    let mut beyond: Vec<&Change> = changes.iter().filter(|c| c.exceeds_noise()).collect();
    beyond.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    for c in &beyond {
        let number = |e: &Estimate| format!("{:.3} [{:.3} {:.3}]", e.value, e.low, e.high);
        table.add_row([
            c.id.clone(),
            c.contender.clone(),
            number(&c.before),
            number(&c.after),
            format!("{:.3}", c.ratio()),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}\n");
    let ours = || changes.iter().filter(|c| c.contender == OURS);
    if let Some(mean) = weighted_geometric_mean(ours().map(|c| (c.ratio(), 1.0))) {
        println!("{OURS}: {mean:.3} in the mean of {} cells", ours().count());
    }
    let share = 100.0 * (changes.len() - beyond.len()) as f64 / changes.len() as f64;
    println!(
        "{} of {} figures agree within their intervals ({share:.1} %)",
        changes.len() - beyond.len(),
        changes.len()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(contender: &str, before: (f64, f64, f64), after: (f64, f64, f64)) -> Change {
        let of = |(low, value, high)| Estimate { value, low, high };
        Change { id: "set/fixed/8".to_owned(), contender: contender.to_owned(), before: of(before), after: of(after) }
    }

    #[test]
    fn noise_is_no_change() {
        assert!(!change(OURS, (0.9, 1.0, 1.1), (1.05, 1.2, 1.3)).exceeds_noise());
        assert!(!change(OURS, (1.0, 1.0, 1.0), (1.015, 1.015, 1.015)).exceeds_noise());
        assert!(change(OURS, (1.0, 1.0, 1.0), (1.05, 1.05, 1.05)).exceeds_noise());
    }

    #[test]
    fn only_ours_regresses() {
        let slower = |name| change(name, (1.0, 1.0, 1.0), (0.9, 0.9, 0.9));
        assert!(slower(OURS).is_regression(5.0));
        assert!(!slower(OURS).is_regression(15.0));
        assert!(!slower("libc").is_regression(5.0));
        assert!(!change(OURS, (1.0, 1.0, 1.0), (1.1, 1.1, 1.1)).is_regression(0.0));
    }
}
