//! Move: every overlap around every block size, up and down.

mod common;

use common::{Grid, each_subject, grid, sweep};

#[test]
fn every_overlap() {
    let grid = Grid::get();
    let offsets: &[usize] = if grid == Grid::Full { &[0, 1, 8, 29, 63] } else { &[0, 29] };
    for subject in each_subject() {
        sweep::moves(subject, &grid::around_classes(1100), &grid.distances(), offsets);
    }
}

#[test]
fn long_ranges_over_short_distances() {
    let (lengths, distances) = ([3000, 4096, 4097, 20_000], grid::around_classes(4200));
    for subject in each_subject() {
        sweep::moves(subject, &lengths, &distances, &[0, 13]);
    }
}

/// Out of the first cache and out of the second a move downwards takes other loops; by a long distance it goes in pieces.
#[test]
fn ranges_longer_than_caches() {
    for subject in each_subject() {
        sweep::moves(subject, &[49_151, 49_152, (1 << 20) + 77], &[1, 20_001], &[3]);
    }
}

#[test]
fn flush_against_guard_pages() {
    let step = if Grid::get() == Grid::Thin { 5 } else { 1 };
    let distances: Vec<_> = grid::around_classes(300).into_iter().step_by(step).collect();
    for subject in each_subject() {
        sweep::moves_at_guards(subject, &grid::around_classes(1100), &distances);
    }
}

/// The same range twice: nothing changes, whatever the length.
#[test]
fn onto_itself() {
    let before = common::noise(5000);
    let mut buf = before.clone();
    for subject in each_subject() {
        for n in grid::around_classes(4096) {
            subject.copy_within(&mut buf, 5..5 + n, 5);
            common::expect_same(&buf, &before, || format!("{subject} move onto itself, n={n}"));
        }
    }
}
