//! The first call of a process, detection of the CPU included.

use crate::failure::Failure;
use crate::statistics::{self, Estimate};
use core::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Fresh processes.
const PROCESSES: usize = 15;

/// In the child: times one call and prints nanoseconds. Nothing of the crate may have run before.
pub(crate) fn child() -> ExitCode {
    let mut buffer = [1u8; 4096];
    let buffer = black_box(&mut buffer[..]);
    let start = Instant::now();
    fast_mem::set(buffer, black_box(2));
    println!("{}", start.elapsed().as_nanos());
    black_box(buffer);
    ExitCode::SUCCESS
}

/// Starts this executable a few times over for its first call. Fails where it cannot start itself, as
/// under a dynamic loader that was named on the command line.
pub(crate) fn measure() -> Result<Estimate, Failure> {
    let failed = |what: String| Failure::negative(format!("the first call could not be timed: {what}"));
    let this = std::env::current_exe().map_err(|e| failed(e.to_string()))?;
    let one = |_| {
        let output = Command::new(&this).arg("first-call").output().map_err(|e| failed(e.to_string()))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.trim().parse::<f64>().map_err(|_| failed(format!("the child answered `{}`", text.trim())))
    };
    let times: Vec<f64> = (0..PROCESSES).map(one).collect::<Result<_, _>>()?;
    Ok(statistics::median(&times))
}
