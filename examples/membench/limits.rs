//! This machine's own limits: the plain peak kernels in each cache and beyond.

use crate::arch::{self, Peak};
use crate::clock::{Clock, timed};
use crate::contender::BYTE;
use crate::failure::Failure;
use crate::memory::Arena;
use crate::record::LimitFigure;
use fast_mem::Caches;

/// Every kernel runs so often at each level; the fastest run is the limit.
const RUNS: usize = 7;

/// Bytes a run touches at least, so that it is long beside the clock.
const LEAST: usize = 1 << 20;

/// A size that lies well within each level, and one beyond all of them.
fn levels(caches: Caches) -> [(&'static str, usize); 4] {
    let known = |n: usize, otherwise: usize| if n == 0 { otherwise } else { n };
    let (l1, l2) = (known(caches.l1d, 32 << 10), known(caches.l2, 512 << 10));
    let (l3, step) = (known(caches.l3, 8 << 20).min(64 << 20), arch::PEAK_STEP);
    let whole = |n: usize| n / step * step;
    // A copy has two sides, so half as much of each would still fit; a quarter leaves room for both.
    [("L1", whole(l1 / 4)), ("L2", whole(l2 / 4)), ("L3", whole((l3 / 8).max(2 * l2))), ("memory", whole(2 * l3))]
}

/// Every kernel at every level; takes about a second.
pub(crate) fn measure(clock: &Clock, caches: Caches) -> Result<Vec<LimitFigure>, Failure> {
    let levels = levels(caches);
    let greatest = levels[3].1;
    let arena = Arena::touched(2 * greatest)?;
    let mut all = Vec::new();
    for peak in arch::kernels() {
        for (level, bytes) in levels {
            let gb_per_s = speed(&peak, &arena, bytes, clock);
            all.push(LimitFigure { level: level.to_owned(), bytes, kernel: peak.name.to_owned(), gb_per_s });
        }
    }
    Ok(all)
}

fn speed(peak: &Peak, arena: &Arena, n: usize, clock: &Clock) -> f64 {
    let passes = LEAST.div_ceil(n);
    let dst = arena.as_ptr();
    // SAFETY: both halves of the arena hold `n` bytes, a multiple of the kernel's step; mappings begin
    // with a page, and half of the arena is a multiple of 64.
    let run = || unsafe { (0..passes).for_each(|_| (peak.run)(dst, dst.add(arena.len() / 2), n, BYTE)) };
    run();
    let ticks = (0..RUNS).map(|_| timed(run)).min().unwrap_or(1);
    (n * passes) as f64 / clock.ns(ticks as f64 - clock.overhead)
}
