//! membench: measures fast_mem beside the platform's C library, the standard library and any peer.
//!
//! How a number comes about: [`cells`] says what is measured, [`workload`] makes the list of calls of one
//! sample, [`callsite`] and [`calls`] are the loop that is timed, [`sampler`] times it, [`rounds`] repeats
//! that for everybody in random order and drops what [`disturbance`] noticed, [`statistics`] and
//! [`figures`] make figures of it, [`summary`] and [`report`] a table.

mod arch;
mod calibrate;
mod calls;
mod callsite;
mod cells;
mod cli;
mod clock;
mod compare;
mod contender;
mod counters;
mod course;
mod distribution;
mod disturbance;
mod failure;
mod field;
mod figures;
mod files;
mod first_call;
mod lengths;
mod limits;
mod machine;
mod measure;
mod memory;
mod output;
mod peers;
mod plot;
mod record;
mod report;
mod rounds;
mod sampler;
mod schedule;
mod setup;
mod shares;
mod size;
mod spreads;
mod statistics;
mod summary;
mod verify;
mod worker;
mod workload;

use clap::Parser;
use cli::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        None => measure::run(&cli.run),
        Some(Command::Compare(args)) => compare::run(args),
        Some(Command::Plot { record, folder }) => {
            output::read(record).and_then(|record| plot::run(folder, &record)).map(|()| ExitCode::SUCCESS)
        }
        Some(Command::Calibrate(args)) => calibrate::run(args),
        Some(Command::FirstCall) => Ok(first_call::child()),
        Some(Command::Worker) => worker::serve(),
    };
    match done {
        Ok(status) => status,
        Err(failure) => {
            eprintln!("membench: {failure}");
            ExitCode::from(failure.status)
        }
    }
}
