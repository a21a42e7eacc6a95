//! Set: every length, every offset, nothing outside.

mod common;

use common::{Grid, each_subject, grid, sweep};

#[test]
fn every_length_at_every_offset() {
    let grid = Grid::get();
    for subject in each_subject() {
        sweep::set(subject, &grid.lengths(), &grid.offsets());
    }
}

#[test]
fn classes_above() {
    for subject in each_subject() {
        sweep::set(subject, &grid::around_classes(32 << 10), &[0, 1, 31, 63]);
    }
}

#[test]
fn flush_against_guard_pages() {
    let lengths: Vec<_> = Grid::get().lengths().into_iter().chain(grid::around_classes(32 << 10)).collect();
    for subject in each_subject() {
        sweep::set_at_guards(subject, &lengths);
    }
}

/// Three names of one thing.
#[test]
fn zero_is_set_with_zero() {
    let (mut zeroed, mut set, mut explicit) = ([7; 300], [7; 300], [7; 300]);
    fast_mem::zero(&mut zeroed);
    fast_mem::set(&mut set, 0);
    fast_mem::zero_explicit(&mut explicit);
    assert_eq!([zeroed, set, explicit], [[0; 300]; 3]);
}
