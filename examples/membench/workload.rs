//! From a cell to the list of operations of one sample.

use crate::callsite::Operation;
use crate::cells::{Cell, Place, Sizes};
use crate::contender::Routine;
use crate::distribution::Distribution;
use crate::memory::PAGE;

/// Where calls of drawn sizes start: anywhere in this many bytes, so that all data stays in the
/// first-level cache while no two calls in a row hit the same line.
const WINDOW: usize = 4096;

/// Lines by which a whole layout is moved from round to round.
const SHIFTS: usize = 1024;

/// The greatest number of calls in one list: 12 KiB of operations.
pub(crate) const LIST: usize = 1024;

/// Calls in one list of scattered ones: each has lines of its own.
pub(crate) const SCATTERED: usize = 256;

/// The layout of one round: the same for all contenders, another in each round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bytes by which everything is moved; a multiple of 64.
    pub(crate) shift: usize,
}

impl Layout {
    pub(crate) fn draw(random: &mut fastrand::Rng) -> Self {
        Self { shift: 64 * random.usize(..SHIFTS) }
    }
}

/// Bytes that an arena needs to hold every operation of a cell under every layout.
pub(crate) fn arena_size(cell: &Cell) -> usize {
    let sides = if cell.routine.has_source() { 2 } else { 1 };
    let one = match cell.place {
        Place::Scattered => SCATTERED * stride(cell.greatest()),
        _ => region(cell.greatest()) + WINDOW,
    };
    64 * SHIFTS + sides * one + 4 * PAGE
}

/// Whole pages that hold `n` bytes at any start in the first page.
fn region(n: usize) -> usize {
    (n + 2 * PAGE).next_multiple_of(PAGE)
}

/// Lines for one scattered operation, with one between it and the next so that a prefetcher of
/// neighbours brings nothing that counts.
fn stride(n: usize) -> usize {
    (n + 64).next_multiple_of(64) + 64
}

/// `count` operations of `cell`. Sizes and places that are drawn are drawn anew at each call.
pub(crate) fn operations(cell: &Cell, layout: Layout, count: usize, random: &mut fastrand::Rng) -> Vec<Operation> {
    let start = layout.shift;
    let mut list = match (&cell.sizes, cell.place) {
        (Sizes::Drawn(of), _) => drawn(of, cell.routine == Routine::Move, start, count, random),
        (Sizes::Fixed(n), Place::Scattered) => scattered(*n, start, count, random),
        (Sizes::Fixed(n), place) => {
            let (dst, src) = two_sides(*n, place);
            vec![operation(start + dst, start + src, *n); count]
        }
    };
    if !cell.routine.has_source() {
        // The arena has no second side: what stands for a source must lie within the first.
        list.iter_mut().for_each(|o| o.src = o.dst);
    }
    list
}

/// Offsets of the two sides for a single size.
fn two_sides(n: usize, place: Place) -> (usize, usize) {
    match place {
        // Half a page apart modulo 4096: no load seems to depend on a store in flight, which is what
        // the cells of relative offsets are for.
        Place::Aligned { dst, src } => (dst, region(n) + PAGE / 2 + src),
        Place::Relative(d) => (region(n) + d, 0),
        Place::Overlap(d) if d < 0 => (0, d.unsigned_abs()),
        Place::Overlap(d) => (d.unsigned_abs(), 0),
        Place::Drawn | Place::Scattered => unreachable!("these have lists of their own"),
    }
}

/// Places and sizes as `of` says; a routine that is no move gets no overlap, whatever the distribution holds.
fn drawn(
    of: &Distribution,
    may_overlap: bool,
    start: usize,
    count: usize,
    random: &mut fastrand::Rng,
) -> Vec<Operation> {
    let sizes = of.sizes.draw(count, random);
    let overlaps = of.overlaps.draw(count, random);
    let alignments = of.alignments.draw(count, random);
    let apart = region(of.sizes.greatest() + WINDOW);
    let each = sizes.into_iter().zip(overlaps).zip(alignments);
    each.map(|((n, overlap), alignment)| {
        let dst = start + aligned_exactly(random.usize(..WINDOW), alignment);
        if may_overlap && overlap == 1 && n > 1 {
            let distance = random.usize(1..n);
            // Below the destination where there is room, else above it.
            let below = dst.checked_sub(distance).filter(|_| random.bool());
            operation(dst, below.unwrap_or(dst + distance), n)
        } else {
            operation(dst, start + apart + random.usize(..WINDOW), n)
        }
    })
    .collect()
}

/// `at`, moved to a multiple of `alignment` that is no multiple of twice as much; 64 stands for 64 or
/// more, and 0 for any alignment at all.
fn aligned_exactly(at: usize, alignment: usize) -> usize {
    match alignment {
        0 => at,
        64.. => at / alignment * alignment,
        _ => ((at / alignment) | 1) * alignment,
    }
}

fn scattered(n: usize, start: usize, count: usize, random: &mut fastrand::Rng) -> Vec<Operation> {
    let count = count.min(SCATTERED);
    let mut order: Vec<usize> = (0..count).collect();
    random.shuffle(&mut order);
    let apart = SCATTERED * stride(n);
    order
        .into_iter()
        .map(|i| {
            let (to, from) = (random.usize(..16), random.usize(..16));
            operation(start + i * stride(n) + to, start + apart + i * stride(n) + from, n)
        })
        .collect()
}

fn operation(dst: usize, src: usize, len: usize) -> Operation {
    let narrow = |n: usize| u32::try_from(n).expect("sizes are capped at 1 GiB, so arenas lie below 4 GiB");
    Operation { dst: narrow(dst), src: narrow(src), len: narrow(len) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{Choice, Group};
    use clap::ValueEnum;

    fn every_cell() -> Vec<Cell> {
        let groups = Group::value_variants().to_vec();
        let choice = Choice {
            groups,
            sizes: None,
            least: 0,
            greatest: 1 << 30,
            thorough: true,
            every_offset: false,
            cores: 2,
            distribution: None,
        };
        [Routine::Set, Routine::Zero, Routine::Copy, Routine::Move, Routine::FillU16, Routine::FillU128]
            .into_iter()
            .flat_map(|routine| choice.cells(routine))
            .collect()
    }

    #[test]
    fn operations_lie_within_the_arena() {
        let mut random = fastrand::Rng::with_seed(11);
        for cell in every_cell() {
            let size = arena_size(&cell);
            for shift in [0, 64 * (SHIFTS - 1)] {
                for o in operations(&cell, Layout { shift }, LIST, &mut random) {
                    assert!(o.dst as usize + o.len as usize <= size, "{}: {o:?} in {size}", cell.id());
                    assert!(o.src as usize + o.len as usize <= size, "{}: {o:?} in {size}", cell.id());
                    assert_eq!(o.dst as usize % cell.routine.element(), 0, "{}: {o:?}", cell.id());
                }
            }
        }
    }

    #[test]
    fn only_moves_overlap() {
        let always = Distribution::parse("100:1\n1:1\n1:1").unwrap();
        let mut random = fastrand::Rng::with_seed(12);
        for cell in every_cell().iter().filter(|c| c.routine == Routine::Copy) {
            for o in operations(cell, Layout { shift: 0 }, LIST, &mut random) {
                assert!(o.dst.abs_diff(o.src) >= o.len, "{}: {o:?}", cell.id());
            }
        }
        let overlap = |o: &Operation| o.dst.abs_diff(o.src) < o.len;
        assert!(drawn(&always, true, 0, 100, &mut random).iter().all(overlap));
        assert!(!drawn(&always, false, 0, 100, &mut random).iter().any(overlap));
    }

    #[test]
    fn relative_offsets_and_overlaps_are_what_the_label_says() {
        let mut random = fastrand::Rng::with_seed(13);
        for cell in every_cell().iter().filter(|c| c.routine == Routine::Move) {
            let o = operations(cell, Layout { shift: 640 }, 1, &mut random)[0];
            match cell.place {
                Place::Relative(d) => assert_eq!((o.dst - o.src) % 4096, d as u32, "{}", cell.id()),
                Place::Overlap(d) => assert_eq!(i64::from(o.dst) - i64::from(o.src), d as i64, "{}", cell.id()),
                _ => {}
            }
        }
    }

    #[test]
    fn exact_alignment() {
        for at in 0..300 {
            assert_eq!(aligned_exactly(at, 64) % 64, 0);
            assert_eq!(aligned_exactly(at, 8) % 16, 8);
            assert_eq!(aligned_exactly(at, 1) % 2, 1);
            assert_eq!(aligned_exactly(at, 0), at);
        }
    }

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<_> = every_cell().iter().map(Cell::id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
