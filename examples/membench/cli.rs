//! The command line.

use crate::cells::Group;
use crate::contender::Routine;
use crate::size::Bytes;
use clap::{Args, Parser, Subcommand, ValueEnum};
use core::time::Duration;
use std::path::PathBuf;

/// Measures fast_mem, its variants, the C library, the standard library and any peer, side by side.
///
/// First every contender's results are checked, byte for byte; then the cells are measured in
/// interleaved rounds. Speeds are relative to the C library's (1.25 is a quarter faster).
#[derive(Debug, Parser)]
#[command(name = "membench", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compares two JSON files cell by cell
    Compare(CompareArgs),
    /// Draws the pictures of a JSON file
    Plot {
        /// A file that --json wrote
        record: PathBuf,
        /// Where the pictures go
        folder: PathBuf,
    },
    /// Finds this machine's own thresholds
    Calibrate(CalibrateArgs),
    /// Times one call in a fresh process
    #[command(hide = true)]
    FirstCall,
    /// Answers `ROUTINE BYTES` lines with nanoseconds
    #[command(hide = true)]
    Worker,
}

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    Set,
    Zero,
    Copy,
    Move,
    Fill,
    All,
}

impl What {
    pub(crate) fn routines(self) -> Vec<Routine> {
        match self {
            Self::Set => vec![Routine::Set],
            Self::Zero => vec![Routine::Zero],
            Self::Copy => vec![Routine::Copy],
            Self::Move => vec![Routine::Move],
            Self::Fill => Routine::FILLS.to_vec(),
            Self::All => {
                [Self::Set, Self::Zero, Self::Copy, Self::Move, Self::Fill].iter().flat_map(|w| w.routines()).collect()
            }
        }
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RunArgs {
    /// The routines to measure
    #[arg(value_enum, default_value = "all")]
    pub(crate) what: What,
    /// Kinds of cells, separated by commas [default: all of them]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) cells: Vec<Group>,
    /// Exact sizes instead of the usual ones, for fixed, align and offset cells
    #[arg(long, value_delimiter = ',', value_name = "SIZES")]
    pub(crate) sizes: Vec<Bytes>,
    /// No fixed size below this one
    #[arg(long, value_name = "SIZE", default_value = "0")]
    pub(crate) min_size: Bytes,
    /// No fixed size above this one, up to 1G [default: 256M, or 64M with --quick]
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_size: Option<Bytes>,
    /// Only these variants beside fast_mem itself, separated by commas; `none` for none [default: all supported; with --quick the selected ones and the kernel's three]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) variants: Option<Vec<String>>,
    /// A shared object with memset, memcpy or memmove, to measure beside; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) peer: Vec<PathBuf>,
    /// Whom all others are compared with [default: libc, and std where libc has nothing]
    #[arg(long, value_name = "NAME")]
    pub(crate) reference: Option<String>,
    /// Sizes, overlaps and alignments for the fleet cells, in fleetbench's three-line format
    #[arg(long, value_name = "FILE")]
    pub(crate) distribution: Option<PathBuf>,
    /// All 4096 relative offsets in the offset cells, instead of 1 to 64 and steps of 64
    #[arg(long)]
    pub(crate) every_offset: bool,
    /// A file that each variant copies while verifying [default: this executable]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Fewer cells and rounds and wider intervals, in under a minute
    #[arg(long)]
    pub(crate) quick: bool,
    /// The time to take, such as 90s or 5m [default: 14m, or 50s with --quick]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub(crate) budget: Option<Duration>,
    /// The core to run on [default: the last one]
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,
    /// What draws sizes and orders; the same number draws the same [default: the time]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Write everything to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the figures to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the figures into this folder, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    pub(crate) plot: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct CompareArgs {
    /// The earlier run
    pub(crate) before: PathBuf,
    /// The later run
    pub(crate) after: PathBuf,
    /// Exit with 1 if fast_mem lost more than so many per cent in a cell, beyond the noise
    #[arg(long, value_name = "PCT")]
    pub(crate) fail_on_regression: Option<f64>,
    /// Compare nanoseconds, not speeds relative to the reference of each run
    #[arg(long)]
    pub(crate) absolute: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct CalibrateArgs {
    /// The core to run on [default: the last one]
    #[arg(long, value_name = "N")]
    pub(crate) cpu: Option<usize>,
    /// Draw the crossings into this folder, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    pub(crate) plot: Option<PathBuf>,
}
