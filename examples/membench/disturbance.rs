//! Whether a neighbour disturbed a sample: a reference whose time is known is timed before and after it.

use crate::arch;
use crate::clock::timed;
use crate::failure::Failure;
use crate::memory::Arena;

/// Steps of the core reference: half a microsecond, long beside the clock's granularity and short
/// beside a sample.
const CORE_STEPS: u64 = 1600;
/// A core reference this much slower than usual means a lower clock or a shared core.
const CORE_SLACK: f64 = 1.06;
/// Bytes of the memory reference, walked in turn.
const MEMORY: usize = 32 << 20;
const PIECE: usize = 256 << 10;
/// Memory is shared with everybody: only a reference this much slower counts as disturbed.
const MEMORY_SLACK: f64 = 1.6;
/// Samples that the usual time is the median of.
const REMEMBERED: usize = 63;

/// The references and what they usually take.
#[derive(Debug)]
pub(crate) struct Reference {
    core: Usual,
    memory: Usual,
    arena: Arena,
    at: usize,
}

/// Which references a cell hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Against {
    Core,
    Memory,
}

impl Reference {
    pub(crate) fn new() -> Result<Self, Failure> {
        Ok(Self {
            core: Usual::new(CORE_SLACK),
            memory: Usual::new(MEMORY_SLACK),
            arena: Arena::touched(MEMORY)?,
            at: 0,
        })
    }

    /// Times the reference; whether it took about as long as usual.
    pub(crate) fn is_quiet(&mut self, against: Against) -> bool {
        // Its own code may have been evicted by what was measured.
        arch::chain(16);
        let core = self.core.judge(timed(|| arch::chain(CORE_STEPS)));
        core && match against {
            Against::Core => true,
            Against::Memory => {
                let took = timed(|| self.walk());
                self.memory.judge(took)
            }
        }
    }

    fn walk(&mut self) {
        self.at = (self.at + PIECE) % MEMORY;
        // SAFETY: `at + PIECE <= MEMORY`, since both are multiples of `PIECE`; the arena has been written.
        unsafe { read(self.arena.as_ptr().add(self.at), PIECE) };
    }
}

/// Reads one word of every line.
///
/// # Safety
/// `start` starts `n` initialised bytes.
pub(crate) unsafe fn read(start: *const u8, n: usize) {
    let mut sum = 0u8;
    for offset in (0..n).step_by(64) {
        // SAFETY: `offset < n`.
        sum = sum.wrapping_add(unsafe { start.add(offset).read_volatile() });
    }
    core::hint::black_box(sum);
}

/// The median of the last times, and how far above it still counts as usual.
#[derive(Debug)]
struct Usual {
    last: Vec<u64>,
    at: usize,
    slack: f64,
}

impl Usual {
    fn new(slack: f64) -> Self {
        Self { last: Vec::with_capacity(REMEMBERED), at: 0, slack }
    }

    /// Remembers `took`; whether it was usual. A lasting change becomes usual after half a memory, so a
    /// lower clock that stays does not stop the measurement.
    fn judge(&mut self, took: u64) -> bool {
        if self.last.len() < REMEMBERED {
            self.last.push(took);
        } else {
            self.last[self.at] = took;
            self.at = (self.at + 1) % REMEMBERED;
        }
        let mut sorted = self.last.clone();
        let (_, median, _) = sorted.select_nth_unstable(self.last.len() / 2);
        took as f64 <= *median as f64 * self.slack
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_reference_is_noticed_and_a_lasting_one_accepted() {
        let mut usual = Usual::new(1.06);
        assert!((0..100).all(|i| usual.judge(1000 + i % 3)));
        assert!(!usual.judge(1100));
        assert!(usual.judge(1050));
        let accepted = (0..100).position(|_| usual.judge(1300)).unwrap();
        assert!((25..40).contains(&accepted), "{accepted}");
    }
}
