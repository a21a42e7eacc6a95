//! The files of a run: JSON with everything, CSV with the figures, pictures.

use crate::cli::RunArgs;
use crate::contender::{Role, Routine};
use crate::failure::Failure;
use crate::record::{FORMAT, Record};
use crate::{files, plot};
use serde::Serialize;
use std::path::Path;

/// Refuses names that cannot be written, before anything is measured.
pub(crate) fn check(args: &RunArgs) -> Result<(), Failure> {
    for path in args.json.iter().chain(&args.csv) {
        files::can_write(path)?;
    }
    args.plot.as_deref().map_or(Ok(()), files::folder)
}

/// Writes what was asked for.
pub(crate) fn write(args: &RunArgs, record: &Record) -> Result<(), Failure> {
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(record).map_err(|e| Failure::input(e.to_string()))?;
        files::write(path, text + "\n")?;
    }
    if let Some(path) = &args.csv {
        files::write(path, csv(record).map_err(|e| Failure::input(e.to_string()))?)?;
    }
    args.plot.as_deref().map_or(Ok(()), |folder| plot::run(folder, record))
}

/// One line of the CSV file; its fields are the header.
#[derive(Serialize)]
struct Line<'a> {
    cell: &'a str,
    routine: Routine,
    bytes: f64,
    contender: &'a str,
    role: Role,
    ns: f64,
    ns_low: f64,
    ns_high: f64,
    bytes_per_tick: f64,
    reference: &'a str,
    speed: f64,
    speed_low: f64,
    speed_high: f64,
    beside_best_peer: Option<f64>,
    rounds: usize,
}

/// One line for each contender in each cell.
fn csv(record: &Record) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    for cell in &record.cells {
        for f in &cell.figures {
            out.serialize(Line {
                cell: &cell.id,
                routine: cell.routine,
                bytes: cell.bytes,
                contender: &f.contender,
                role: f.role,
                ns: f.ns.value,
                ns_low: f.ns.low,
                ns_high: f.ns.high,
                bytes_per_tick: f.bytes_per_tick,
                reference: &cell.reference,
                speed: f.speed.value,
                speed_low: f.speed.low,
                speed_high: f.speed.high,
                beside_best_peer: f.beside_best.map(|b| b.value),
                rounds: cell.rounds,
            })?;
        }
    }
    out.into_inner().map_err(|e| e.into_error().into())
}

/// Reads a file that `--json` wrote.
pub(crate) fn read(path: &Path) -> Result<Record, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::input(format!("{shown}: {e}; give a file that --json wrote")))?;
    let record: Record = serde_json::from_str(&text)
        .map_err(|e| Failure::input(format!("{shown}: {e}; expected a file that --json wrote")))?;
    if record.format != FORMAT {
        let found = record.format;
        return Err(Failure::input(format!(
            "{shown}: format {found}, expected {FORMAT}; measure again with this version"
        )));
    }
    Ok(record)
}
