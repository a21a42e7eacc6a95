//! A process with thresholds of its own, which times calls on request: thresholds are read once, at the
//! first call, so two of them need two processes.

use crate::clock::{Clock, timed};
use crate::contender::Routine;
use crate::failure::Failure;
use crate::memory::{Arena, PAGE};
use core::slice::{from_raw_parts, from_raw_parts_mut};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

/// What one answer should take, in ticks of the clock per nanosecond times this.
const ANSWER_NS: f64 = 200e3;

/// The parent's side.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

fn failed(what: impl core::fmt::Display) -> Failure {
    Failure::negative(format!("a measuring process failed: {what}"))
}

impl Worker {
    /// Starts this executable with `tunable=value` in force, which must make it `bytes`.
    pub(crate) fn start(variant: Option<&str>, tunable: &str, value: &str, bytes: usize) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped());
        command.env("FAST_MEM_TUNABLES", format!("{tunable}={value}")).env_remove("FAST_MEM_VARIANT");
        if let Some(variant) = variant {
            command.env("FAST_MEM_VARIANT", variant);
        }
        let mut child = command.spawn().map_err(failed)?;
        let requests = child.stdin.take().ok_or_else(|| failed("no pipe"))?;
        let answers = BufReader::new(child.stdout.take().ok_or_else(|| failed("no pipe"))?);
        let mut worker = Self { child, requests, answers };
        let found = worker.line(&format!("threshold {tunable}"))?;
        if found != bytes.to_string() {
            return Err(Failure::input(format!(
                "{tunable}={value} is not in force in a new process (it is {found}): build with the features `std` and `env`"
            )));
        }
        Ok(worker)
    }

    /// Nanoseconds of a call whose destination lies `above` bytes above the source modulo 4096.
    pub(crate) fn ask(&mut self, routine: Routine, n: usize, above: usize) -> Result<f64, Failure> {
        let answer = self.line(&format!("{routine} {n} {above}"))?;
        answer.parse().map_err(|_| failed(format!("it answered `{answer}`")))
    }

    fn line(&mut self, request: &str) -> Result<String, Failure> {
        writeln!(self.requests, "{request}").and_then(|()| self.requests.flush()).map_err(failed)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(failed)?;
        Ok(answer.trim().to_owned())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It ends when its requests do; killed, it ends at once. Either way it is gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The child's side: answers until there are no more requests.
pub(crate) fn serve() -> Result<ExitCode, Failure> {
    let clock = Clock::measure();
    let mut arena = Arena::touched(PAGE)?;
    for request in std::io::stdin().lines() {
        let request = request.map_err(failed)?;
        let (what, argument) = request.split_once(' ').unwrap_or((&request, ""));
        if what == "threshold" {
            println!("{}", fast_mem::tunables().get(argument).map_or(0, |t| t.bytes));
            continue;
        }
        let (n, above) = numbers(argument)
            .ok_or_else(|| Failure::input(format!("`{request}`: expected ROUTINE BYTES ABOVE, ABOVE up to {PAGE}")))?;
        if arena.len() < 2 * n + 2 * PAGE {
            arena = Arena::touched(2 * n + 2 * PAGE)?;
        }
        println!("{}", time(what, &arena, n, above, &clock)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// The length, and how far the destination lies above the source.
fn numbers(argument: &str) -> Option<(usize, usize)> {
    let (n, above) = argument.split_once(' ')?;
    Some((n.parse().ok()?, above.parse().ok().filter(|&above| above <= PAGE)?))
}

fn time(what: &str, arena: &Arena, n: usize, above: usize, clock: &Clock) -> Result<f64, Failure> {
    let source = n.next_multiple_of(PAGE) + PAGE - above;
    // SAFETY: two ranges of the arena, apart from one another, all of it written by `touched`.
    let (dst, src) = unsafe { (from_raw_parts_mut(arena.as_ptr(), n), from_raw_parts(arena.as_ptr().add(source), n)) };
    let mut call: Box<dyn FnMut()> = match what {
        "set" => Box::new(|| fast_mem::set(dst, 0xA5)),
        "zero" => Box::new(|| fast_mem::zero(dst)),
        "copy" => Box::new(|| fast_mem::copy(dst, src)),
        _ => return Err(Failure::input(format!("`{what}`: expected set, zero or copy"))),
    };
    call();
    let once = clock.ns(timed(&mut call) as f64 - clock.overhead).max(1.0);
    let calls = (ANSWER_NS / once).clamp(1.0, 1e5) as usize;
    let ticks = timed(|| (0..calls).for_each(|_| call())) as f64 - clock.overhead;
    Ok(clock.ns(ticks) / calls as f64)
}
