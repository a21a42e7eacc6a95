//! A run: verify, measure, show, write.

use crate::cells::Cell;
use crate::cli::RunArgs;
use crate::clock::Clock;
use crate::counters::Counters;
use crate::course::{Course, Outcome};
use crate::disturbance::Reference;
use crate::failure::Failure;
use crate::field::Field;
use crate::record::{FORMAT, Machine, Record};
use crate::rounds::Track;
use crate::{first_call, limits, machine, output, report, setup, verify};
use core::sync::atomic::{AtomicBool, Ordering};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// Verified lengths go up to this, or to the greatest size measured.
const VERIFIED: usize = 64 << 20;

/// Runs what the command line says.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let started = Instant::now();
    output::check(args)?;
    let stop = stopped_by_interrupt();
    let cores = machine::cores();
    let choice = setup::choice(args, cores.len())?;
    let peers = setup::load_peers(args)?;
    let field = Field::new(args.what.routines(), &setup::variants(args)?, &peers).beside(args.reference.as_deref())?;
    let cells: Vec<Cell> = field.iter().flat_map(|(routine, _)| choice.cells(routine)).collect();
    if cells.is_empty() {
        return Err(Failure::input("no cell is left to measure: the sizes and kinds asked for have none in common"));
    }
    let pinned_to = machine::pin(args.cpu, &cores)?;
    let clock = Clock::measure();
    let mut record = Record::new(machine::describe(clock, cores.len(), pinned_to));
    record.contenders = setup::participants(&field, &peers);
    report::heading(&record);
    record.verified = verify::everybody(&field, choice.greatest.min(VERIFIED), args.file.as_deref(), &stop)?;
    report::verified(&record.verified);
    record.limits = limits::measure(&clock, fast_mem::cpu().caches())?;
    report::limits(&record.limits);
    record.first_call_ns = first_call::measure().inspect_err(|e| eprintln!("membench: {e}")).ok();
    report::first_call(&record);
    let counters = counters();
    record.machine.hardware_counters = counters.is_some();
    let (effort, random) = (setup::effort(args.quick), setup::generator(args));
    let track = Track { clock, effort, reference: Reference::new()?, random, counters, stop: &stop, cores: &cores };
    let outcome = Course::new(track, &field, started + setup::budget(args)).run(cells)?;
    record.take(outcome);
    report::everything(&record);
    output::write(args, &record)?;
    Ok(if record.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// What shells expect of a process that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

impl Record {
    /// What is known before anything is measured.
    fn new(machine: Machine) -> Self {
        Self {
            format: FORMAT,
            command: std::env::args().collect(),
            machine,
            contenders: Vec::new(),
            limits: Vec::new(),
            first_call_ns: None,
            verified: Vec::new(),
            dropped_share: 0.0,
            not_measured: Vec::new(),
            interrupted: false,
            cells: Vec::new(),
        }
    }

    fn take(&mut self, outcome: Outcome) {
        self.not_measured = outcome.left_out.iter().map(Cell::id).collect();
        (self.cells, self.dropped_share) = (outcome.cells, outcome.dropped_share);
        self.interrupted = outcome.interrupted;
    }
}

/// Hardware counters, or a word that there are none.
fn counters() -> Option<Counters> {
    Counters::open()
        .inspect_err(|e| {
            eprintln!("membench: no hardware counters here ({e}): cycles and instructions are not reported")
        })
        .ok()
}

/// Set by Ctrl-C. A second one ends the process at once.
fn stopped_by_interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        eprintln!("membench: stopping; what is finished follows");
    };
    if let Err(e) = ctrlc::set_handler(handler) {
        eprintln!("membench: Ctrl-C will end the run without a table ({e})");
    }
    stop
}
