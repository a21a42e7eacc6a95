//! One sample: the time that a contender takes for one list of operations in the state that a cell asks for.

use crate::arch;
use crate::callsite::{CallLoop, Operation, SITES};
use crate::cells::{Cell, Sizes, State};
use crate::clock::{Clock, timed};
use crate::counters::{Counters, Counts};
use crate::disturbance::read;
use crate::failure::Failure;
use crate::memory::{Arena, huge_pages};
use crate::workload::{self, LIST, Layout, SCATTERED};
use core::hint::black_box;
use core_affinity::CoreId;
use fast_mem::Caches;

/// How many calls are in one sample, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Operations in the list.
    pub(crate) count: usize,
    /// How often the list is gone through; more than once only where it is not drawn.
    pub(crate) passes: usize,
}

/// From so many calls in a sample on, they are short enough for what the branch predictor happens to have
/// learned to count. It is made to forget before each sample: on a Zen 5 the same call of the same routine
/// otherwise takes 5.2 cycles from one call site and 7.2 from another for as long as the process lives, and
/// the next process throws the dice again.
const SHORT: usize = 64;

/// From this length on, one call is a sample where what it wrote is read back.
const LONG: usize = 64 << 10;

impl Plan {
    /// As many calls of `ticks` each as fill `sample` ticks, the same number from each call site. Lists
    /// are long, because the end of each costs a mispredicted branch, and that would otherwise be a
    /// twentieth of the shortest calls. Where sizes are drawn, it is one whole list, so that every sample
    /// holds the whole distribution.
    pub(crate) fn filling(cell: &Cell, sample: f64, ticks: f64) -> Self {
        if matches!(cell.sizes, Sizes::Drawn(_)) {
            return Self { count: LIST, passes: 1 };
        }
        match (sample / ticks.max(1.0)) as usize {
            calls @ 0..4 => Self { count: 1, passes: calls.max(1) },
            calls => {
                let count = (calls / SITES).min(LIST);
                Self { count, passes: SITES * (calls / SITES / count) }
            }
        }
    }
}

/// Takes the samples of one cell.
#[derive(Debug)]
pub(crate) struct Sampler<'a> {
    cell: &'a Cell,
    overhead: f64,
    arenas: Vec<Arena>,
    /// What pushes data out of the first two caches.
    other: Arena,
    cores: &'a [CoreId],
}

impl<'a> Sampler<'a> {
    /// Maps and touches what `cell` needs.
    pub(crate) fn new(cell: &'a Cell, clock: &Clock, caches: Caches, cores: &'a [CoreId]) -> Result<Self, Failure> {
        let threads = if let State::Cores(n) = cell.state { n } else { 1 };
        let size = workload::arena_size(cell);
        let arenas = (0..threads).map(|_| Arena::touched(size)).collect::<Result<_, _>>()?;
        let other = Arena::touched(2 * caches.l2.clamp(1 << 20, 16 << 20))?;
        Ok(Self { cell, overhead: clock.overhead, arenas, other, cores })
    }

    /// Ticks per call of one sample.
    pub(crate) fn take(
        &mut self,
        calls: &dyn CallLoop,
        plan: Plan,
        round: usize,
        layout: Layout,
        random: &mut fastrand::Rng,
    ) -> Result<f64, Failure> {
        arch::clean_registers();
        let list = workload::operations(self.cell, layout, plan.count, random);
        // Warmed up on another draw: whoever came before may have chilled the caches, and a list that
        // is timed must not have been seen.
        let warm_up = workload::operations(self.cell, layout, plan.count, random);
        if self.cell.state == State::Warm && plan.count * plan.passes >= SHORT {
            black_box(arch::forget_branches(random.u32(..)));
        }
        let ticks = match self.cell.state {
            State::Warm => self.warm(calls, &list, &warm_up, plan.passes, round),
            State::ColdData | State::ThrashedData => self.out_of_cache(calls, &list, &warm_up, round),
            State::ColdCode | State::ThrashedCode => return Ok(self.code_evicted(calls, &list, random)),
            State::Fresh { huge } => self.fresh(calls, &list[..1], huge, round)?,
            State::ReadBack if plan.count > 1 => self.read_words(calls, &list, round),
            State::ReadBack => self.read_back(calls, &list[..1], round),
            State::Cores(_) => self.on_cores(calls, &list[..1], round),
        };
        let each = match self.cell.state {
            State::Warm => list.len() * plan.passes,
            State::ColdData | State::ThrashedData | State::ReadBack => list.len(),
            _ => 1,
        };
        let per_call = (ticks as f64 - self.overhead).max(1.0) / each as f64;
        Ok(per_call)
    }

    /// Cycles and instructions per call, counted over one sample.
    pub(crate) fn count(
        &self,
        calls: &dyn CallLoop,
        plan: Plan,
        counters: &mut Counters,
        random: &mut fastrand::Rng,
    ) -> Option<Counts> {
        let layout = Layout::draw(random);
        let list = workload::operations(self.cell, layout, plan.count, random);
        self.pass(calls, &workload::operations(self.cell, layout, plan.count, random), 0);
        let counts = counters.count(|| (0..plan.passes).for_each(|pass| self.pass(calls, &list, pass))).ok()?;
        let each = (plan.count * plan.passes) as f64;
        Some(Counts { cycles: counts.cycles / each, instructions: counts.instructions / each })
    }

    fn arena(&self) -> *mut u8 {
        self.arenas[0].as_ptr()
    }

    /// All operations from one call site.
    fn at_one_site(&self, calls: &dyn CallLoop, list: &[Operation], site: usize) {
        // SAFETY: `workload` keeps operations within `arena_size`, and lets only moves overlap.
        unsafe { calls.run(site, list, self.arena()) };
    }

    /// All operations, shared out among the call sites, beginning with another one in each round.
    fn pass(&self, calls: &dyn CallLoop, list: &[Operation], first: usize) {
        for (i, part) in list.chunks(list.len().div_ceil(SITES)).enumerate() {
            self.at_one_site(calls, part, first + i);
        }
    }

    fn warm(
        &self,
        calls: &dyn CallLoop,
        list: &[Operation],
        warm_up: &[Operation],
        passes: usize,
        round: usize,
    ) -> u64 {
        at_stack_depth(round % 64, || {
            self.pass(calls, warm_up, round);
            match passes {
                1 => timed(|| self.pass(calls, list, round)),
                _ => timed(|| (0..passes).for_each(|pass| self.at_one_site(calls, list, round + pass))),
            }
        })
    }

    fn out_of_cache(&mut self, calls: &dyn CallLoop, list: &[Operation], warm_up: &[Operation], round: usize) -> u64 {
        self.pass(calls, warm_up, round);
        if self.cell.state == State::ColdData {
            // SAFETY: the whole arena.
            unsafe { arch::flush(self.arena(), self.arenas[0].len()) };
        } else {
            // SAFETY: the other arena's own bytes; written, so that they own the cache lines.
            unsafe { self.other.as_ptr().write_bytes(black_box(1), self.other.len()) };
        }
        timed(|| self.pass(calls, list, round))
    }

    /// The mean of the faster half of single calls, each after other code has run: one interrupt would
    /// outweigh all of them. A call takes hundreds of ticks here, and the clock's steps average out over
    /// the list and the rounds. The caller's own code, the same loop for everybody, is as cold and is part
    /// of the figure: subtracting a call of nothing was tried and left less than the noise.
    fn code_evicted(&self, calls: &dyn CallLoop, list: &[Operation], random: &mut fastrand::Rng) -> f64 {
        let one = |(i, one): (usize, &Operation)| {
            if self.cell.state == State::ColdCode {
                arch::chill_code();
            } else {
                black_box(arch::thrash_code(random.u32(..)));
            }
            // The data is not what is cold here.
            // SAFETY: the operation lies within the arena, all of it written.
            unsafe {
                read(self.arena().add(one.dst as usize), one.len as usize);
                read(self.arena().add(one.src as usize), one.len as usize);
            }
            timed(|| self.at_one_site(calls, core::slice::from_ref(one), i))
        };
        let mut ticks: Vec<u64> = list.iter().enumerate().map(one).collect();
        ticks.sort_unstable();
        ticks.truncate(list.len().div_ceil(2));
        ticks.iter().sum::<u64>() as f64 / ticks.len() as f64 - self.overhead
    }

    fn fresh(&self, calls: &dyn CallLoop, list: &[Operation], huge: bool, round: usize) -> Result<u64, Failure> {
        let arena = Arena::untouched(self.arenas[0].len())?;
        huge_pages(&arena, huge);
        if self.cell.routine.has_source() {
            // SAFETY: the source's own bytes, which lie in pages of their own behind the destination.
            unsafe { arena.as_ptr().add(list[0].src as usize).write_bytes(1, list[0].len as usize) };
        }
        // SAFETY: as in `at_one_site`; this arena is as large as the other.
        Ok(timed(|| unsafe { calls.run(round, list, arena.as_ptr()) }))
    }

    fn read_back(&self, calls: &dyn CallLoop, list: &[Operation], round: usize) -> u64 {
        self.pass(calls, list, round);
        timed(|| {
            self.pass(calls, list, round);
            // SAFETY: what has just been written.
            unsafe { read(self.arena().add(list[0].dst as usize), list[0].len as usize) };
        })
    }

    /// After each call the caller reads the first and the last word, and the next call waits for them: what
    /// is stored in pieces, or under a mask, reaches a load of other pieces late.
    fn read_words(&self, calls: &dyn CallLoop, list: &[Operation], round: usize) -> u64 {
        self.pass(calls, list, round);
        timed(|| {
            let mut word = 0usize;
            for one in list {
                let (first, last) = (one.dst as usize, (one.dst + one.len) as usize - size_of::<usize>());
                // Adds nothing; the processor learns that only from the words.
                let arena = self.arena().wrapping_add(black_box(word) & black_box(0));
                // SAFETY: as in `at_one_site`; lengths here are at least a word, and all of it was written.
                unsafe {
                    calls.run(round, core::slice::from_ref(one), arena);
                    word = arena.add(first).cast::<usize>().read_unaligned();
                    word ^= arena.add(last).cast::<usize>().read_unaligned();
                }
            }
            black_box(word);
        })
    }

    /// From the first thread's start to the last one's end.
    fn on_cores(&mut self, calls: &dyn CallLoop, list: &[Operation], round: usize) -> u64 {
        let barrier = std::sync::Barrier::new(self.arenas.len());
        let cores = self.cores;
        let one = |arena: &mut Arena, thread: usize| {
            if let Some(&core) = cores.get(thread) {
                core_affinity::set_for_current(core);
            }
            // SAFETY: as in `at_one_site`; each thread has an arena of its own.
            let run = || unsafe { calls.run(round, list, arena.as_ptr()) };
            run();
            barrier.wait();
            let start = arch::ticks();
            run();
            (start, arch::ticks())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                self.arenas.iter_mut().enumerate().map(|(i, arena)| scope.spawn(move || one(arena, i))).collect();
            let times: Vec<_> = threads.into_iter().map(|t| t.join().expect("a routine does not panic")).collect();
            let start = times.iter().map(|t| t.0).min().unwrap_or(0);
            times.iter().map(|t| t.1).max().unwrap_or(0).wrapping_sub(start)
        })
    }

    /// How a cell's samples are made before anything is known about its speed.
    pub(crate) fn first_plan(&self, code_calls: usize) -> Plan {
        match self.cell.state {
            State::ColdData | State::ThrashedData => Plan { count: SCATTERED, passes: 1 },
            State::ColdCode | State::ThrashedCode => Plan { count: code_calls, passes: 1 },
            State::ReadBack if self.cell.greatest() < LONG => Plan { count: LIST, passes: 1 },
            _ => Plan { count: 1, passes: 1 },
        }
    }
}

/// Calls `work` with the stack moved down by `depth` times 64 bytes or a little more.
#[inline(never)]
fn at_stack_depth<R>(depth: usize, work: impl FnOnce() -> R) -> R {
    fn deeper<R>(depth: usize, work: &mut dyn FnMut() -> R) -> R {
        let frame = [0u8; 48];
        black_box(&frame);
        let result = if depth == 0 { work() } else { deeper(depth - 1, work) };
        black_box(&frame);
        result
    }
    let mut work = Some(work);
    deeper(depth, &mut || work.take().expect("called once, at the bottom")())
}
