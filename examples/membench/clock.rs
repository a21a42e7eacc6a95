//! From ticks to nanoseconds and core cycles.

use crate::arch;
use core::time::Duration;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// How fast this machine's two clocks run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Clock {
    /// Ticks of [`arch::ticks`] in a nanosecond.
    pub(crate) ticks_per_ns: f64,
    /// Core cycles in a nanosecond, by the fastest chain of dependent additions; `None` where the
    /// latency of that chain is not known.
    pub(crate) cycles_per_ns: Option<f64>,
    /// Ticks that reading the clock twice takes when nothing is in between.
    pub(crate) overhead: f64,
}

impl Clock {
    /// Takes about 60 ms.
    pub(crate) fn measure() -> Self {
        let ticks_per_ns = ticks_per_ns(Duration::from_millis(40));
        let steps = 20_000u64;
        let chain = fastest(400, || arch::chain(steps));
        let overhead = fastest(1000, || {});
        let ns = (chain - overhead) / ticks_per_ns;
        let cycles_per_ns = arch::CHAIN_CYCLES.map(|cycles| cycles * 20_000.0 / ns);
        Self { ticks_per_ns, cycles_per_ns, overhead }
    }

    /// Nanoseconds of so many ticks.
    pub(crate) fn ns(&self, ticks: f64) -> f64 {
        ticks / self.ticks_per_ns
    }
}

/// The time that `work` takes, in ticks, clock included.
#[inline(always)]
pub(crate) fn timed(work: impl FnOnce()) -> u64 {
    let start = arch::ticks();
    work();
    arch::ticks().wrapping_sub(start)
}

fn fastest(times: u32, work: impl Fn()) -> f64 {
    (0..times).map(|_| timed(&work)).min().unwrap_or(0) as f64
}

fn ticks_per_ns(during: Duration) -> f64 {
    let (start, first) = (Instant::now(), arch::ticks());
    while start.elapsed() < during {
        core::hint::spin_loop();
    }
    let (elapsed, last) = (start.elapsed(), arch::ticks());
    last.wrapping_sub(first) as f64 / elapsed.as_nanos() as f64
}
