//! All cells of a run: in random order, each for its share of the time, fewer of them if time runs short.

use crate::cells::Cell;
use crate::contender::Contender;
use crate::failure::Failure;
use crate::field::Field;
use crate::figures;
use crate::record::CellRecord;
use crate::rounds::Track;
use crate::schedule;
use core::sync::atomic::Ordering;
use core::time::Duration;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::time::Instant;

/// After so many cells, what is left is fitted into the time again.
const REFIT: usize = 16;

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) cells: Vec<CellRecord>,
    pub(crate) dropped_share: f64,
    /// Cells for which there was no time.
    pub(crate) left_out: Vec<Cell>,
    pub(crate) interrupted: bool,
}

/// The way through the cells.
pub(crate) struct Course<'a, 'b> {
    pub(crate) track: Track<'b>,
    pub(crate) field: &'a Field,
    pub(crate) end: Instant,
    pace: Pace,
}

/// What the cells so far have taken.
#[derive(Debug, Default)]
struct Pace {
    kept: usize,
    dropped: usize,
    expected: f64,
    taken: f64,
}

impl Pace {
    /// How much longer things take than expected: other processes have their share of the machine.
    fn slowdown(&self) -> f64 {
        if self.expected > 0.0 { self.taken / self.expected } else { 1.0 }
    }

    fn dropped_share(&self) -> f64 {
        self.dropped as f64 / (self.kept + self.dropped).max(1) as f64
    }
}

impl<'a, 'b> Course<'a, 'b> {
    pub(crate) fn new(track: Track<'b>, field: &'a Field, end: Instant) -> Self {
        Self { track, field, end, pace: Pace::default() }
    }

    /// Seconds that the fewest rounds of a cell should take.
    fn least(&self, cell: &Cell) -> f64 {
        schedule::least_seconds(cell, self.field.of(cell.routine).len(), &self.track.effort)
    }

    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Measures the cells.
    ///
    /// They come in random order, so that no routine has the quiet hours to itself, and what is not
    /// reached is spread over all; the result has them in the order given.
    pub(crate) fn run(&mut self, cells: Vec<Cell>) -> Result<Outcome, Failure> {
        let mut outcome = Outcome::default();
        let order: HashMap<String, usize> = cells.iter().enumerate().map(|(i, cell)| (cell.id(), i)).collect();
        let mut waiting = cells;
        self.track.random.shuffle(&mut waiting);
        let bar = progress(waiting.len());
        let mut all = 0.0;
        for number in 0.. {
            outcome.interrupted = self.track.stop.load(Ordering::Relaxed);
            // However little time there is, one cell is measured.
            let over = self.left().is_zero() && !outcome.cells.is_empty();
            if outcome.interrupted || waiting.is_empty() || over {
                break;
            }
            if number % REFIT == 0 {
                let out = schedule::fit(&mut waiting, self.left(), |c| self.least(c) * self.pace.slowdown());
                outcome.left_out.extend(out);
                bar.set_length((outcome.cells.len() + waiting.len()) as u64);
                all = waiting.iter().map(|c| self.least(c)).sum();
            }
            let Some(cell) = waiting.pop() else { break };
            bar.set_message(cell.id());
            let least = self.least(&cell);
            let slot = self.left().mul_f64((least / all).min(1.0));
            all -= least;
            match self.cell(&cell, slot)? {
                Some(record) => outcome.cells.push(record),
                None => outcome.left_out.push(cell),
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        outcome.left_out.append(&mut waiting);
        outcome.cells.sort_by_key(|c| order.get(&c.id));
        outcome.dropped_share = self.pace.dropped_share();
        Ok(outcome)
    }

    /// One cell.
    fn cell(&mut self, cell: &Cell, slot: Duration) -> Result<Option<CellRecord>, Failure> {
        let start = Instant::now();
        let takes = |c: &&Contender| c.takes(cell.greatest(), cell.is_aligned());
        let taking: Vec<&Contender> = self.field.of(cell.routine).iter().filter(takes).collect();
        let reference = figures::reference(&taking, self.field.reference());
        let Some(rounds) = self.track.run(cell, &taking, reference, slot)? else { return Ok(None) };
        let kept = rounds.ticks[0].len();
        let share = (kept + rounds.dropped) as f64 / self.track.effort.least_rounds as f64;
        self.pace.kept += kept;
        self.pace.dropped += rounds.dropped;
        self.pace.expected += self.least(cell) * share;
        self.pace.taken += start.elapsed().as_secs_f64();
        let (clock, random) = (&self.track.clock, &mut self.track.random);
        Ok(Some(figures::figures(cell, &taking, reference, &rounds, clock, random)))
    }
}

/// On stderr, and only where that is a terminal.
fn progress(cells: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {eta} left  {wide_msg}");
    ProgressBar::new(cells as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
