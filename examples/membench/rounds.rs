//! Rounds: everybody once, in random order, until the cell's time is spent.

use crate::cells::{Cell, Sizes, State};
use crate::clock::Clock;
use crate::contender::Contender;
use crate::counters::{Counters, Counts};
use crate::disturbance::{Against, Reference};
use crate::failure::Failure;
use crate::figures::Rounds;
use crate::sampler::{Plan, Sampler};
use crate::workload::{self, Layout};
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use core_affinity::CoreId;
use std::time::Instant;

/// How thorough a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// What a sample of short calls should take.
    pub(crate) sample: Duration,
    /// Fewer rounds make no interval.
    pub(crate) least_rounds: usize,
    /// More rounds bring nothing.
    pub(crate) most_rounds: usize,
    /// Single calls per sample where code is evicted between them.
    pub(crate) code_calls: usize,
}

/// From this arena size on, a sample hangs on the memory that everybody shares.
const SHARED: usize = 2 << 20;

/// Of so many rounds in a row that are disturbed, the last is kept.
const PATIENCE: usize = 20;

/// What the rounds of every cell need.
pub(crate) struct Track<'a> {
    pub(crate) clock: Clock,
    pub(crate) effort: Effort,
    pub(crate) reference: Reference,
    pub(crate) random: fastrand::Rng,
    /// Hardware counters, where there are any.
    pub(crate) counters: Option<Counters>,
    pub(crate) stop: &'a AtomicBool,
    /// Every core of the machine, as it was before this thread was pinned to one.
    pub(crate) cores: &'a [CoreId],
}

impl Track<'_> {
    /// Runs rounds of `cell` for about `slot`; `None` if it was stopped before there were enough.
    pub(crate) fn run(
        &mut self,
        cell: &Cell,
        contenders: &[&Contender],
        reference: usize,
        slot: Duration,
    ) -> Result<Option<Rounds>, Failure> {
        let end = Instant::now() + slot;
        let mut sampler = Sampler::new(cell, &self.clock, fast_mem::cpu().caches(), self.cores)?;
        let plan = self.plan(cell, contenders[reference], &mut sampler)?;
        let mut rounds = self.no_rounds(cell, contenders.len(), plan);
        let mut disturbed_in_a_row = 0;
        for number in 0.. {
            let done = rounds.ticks[0].len();
            let enough = done >= self.effort.least_rounds;
            if done >= self.effort.most_rounds || (enough && Instant::now() >= end) {
                break;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(enough.then_some(rounds));
            }
            let round = self.round(cell, contenders, &mut sampler, plan, number)?;
            // Once the time is over, a noisy figure is better than none.
            if round.quiet || disturbed_in_a_row >= PATIENCE || Instant::now() >= end {
                disturbed_in_a_row = 0;
                rounds.ticks.iter_mut().zip(round.ticks).for_each(|(all, one)| all.push(one));
            } else {
                disturbed_in_a_row += 1;
                rounds.dropped += 1;
            }
        }
        rounds.counts = self.counts(cell, contenders, &sampler, plan);
        Ok(Some(rounds))
    }

    /// What the hardware counts for each contender in one sample more.
    fn counts(
        &mut self,
        cell: &Cell,
        contenders: &[&Contender],
        sampler: &Sampler<'_>,
        plan: Plan,
    ) -> Vec<Option<Counts>> {
        let (counters, random) = (&mut self.counters, &mut self.random);
        let mut of = |contender: &&Contender| {
            let counters = counters.as_mut().filter(|_| cell.state == State::Warm)?;
            sampler.count(&*contender.calls, plan, counters, random)
        };
        contenders.iter().map(&mut of).collect()
    }

    fn no_rounds(&mut self, cell: &Cell, contenders: usize, plan: Plan) -> Rounds {
        let bytes = match &cell.sizes {
            Sizes::Fixed(n) => *n as f64,
            Sizes::Drawn(of) => of.sizes.draw(10_000, &mut self.random).iter().sum::<usize>() as f64 / 1e4,
        };
        let calls_per_sample = plan.count * plan.passes;
        Rounds {
            ticks: vec![Vec::new(); contenders],
            dropped: 0,
            calls_per_sample,
            bytes,
            counts: vec![None; contenders],
        }
    }

    /// How many calls fill a sample, from what the reference takes.
    fn plan(&mut self, cell: &Cell, reference: &Contender, sampler: &mut Sampler<'_>) -> Result<Plan, Failure> {
        let first = sampler.first_plan(self.effort.code_calls);
        if cell.state != State::Warm {
            return Ok(first);
        }
        let calls = &*reference.calls;
        let layout = Layout::draw(&mut self.random);
        let mut plan = Plan::filling(cell, 1.0, 1.0);
        let mut least = f64::INFINITY;
        // One call tells what a long one takes, many tell it of a short one; the least is undisturbed.
        for _ in 0..6 {
            least = least.min(sampler.take(calls, plan, 0, layout, &mut self.random)?);
            plan = Plan::filling(cell, self.sample_ticks(), least);
        }
        Ok(plan)
    }

    fn sample_ticks(&self) -> f64 {
        self.effort.sample.as_secs_f64() * 1e9 * self.clock.ticks_per_ns
    }

    fn round(
        &mut self,
        cell: &Cell,
        contenders: &[&Contender],
        sampler: &mut Sampler<'_>,
        plan: Plan,
        number: usize,
    ) -> Result<Round, Failure> {
        let layout = Layout::draw(&mut self.random);
        let against = if workload::arena_size(cell) < SHARED { Against::Core } else { Against::Memory };
        let mut order: Vec<usize> = (0..contenders.len()).collect();
        self.random.shuffle(&mut order);
        let mut round = Round { ticks: vec![0.0; contenders.len()], quiet: self.reference.is_quiet(against) };
        for i in order {
            round.ticks[i] = sampler.take(&*contenders[i].calls, plan, number, layout, &mut self.random)?;
            round.quiet &= self.reference.is_quiet(against);
        }
        Ok(round)
    }
}

struct Round {
    ticks: Vec<f64>,
    quiet: bool,
}
