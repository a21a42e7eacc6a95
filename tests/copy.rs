//! Copy: every length, every pair of alignments, nothing outside, and the source as it was.

mod common;

use common::{Grid, each_subject, grid, sweep};

#[test]
fn every_length_at_every_offset() {
    let grid = Grid::get();
    for subject in each_subject() {
        sweep::copy(subject, &grid.lengths(), &grid.offsets(), |offset| grid.sources(offset));
    }
}

#[test]
fn classes_above() {
    for subject in each_subject() {
        sweep::copy(subject, &grid::around_classes(32 << 10), &[0, 1, 31, 63], |offset| vec![offset, 7, 64]);
    }
}

#[test]
fn flush_against_guard_pages() {
    let lengths: Vec<_> = Grid::get().lengths().into_iter().chain(grid::around_classes(32 << 10)).collect();
    for subject in each_subject() {
        sweep::copy_at_guards(subject, &lengths);
    }
}

/// `rep movsb` has been slow where the destination lies just above the source modulo 4096: such pairs take another path.
#[test]
fn every_distance_modulo_a_page() {
    let step = if Grid::get() == Grid::Thin { 61 } else { 1 };
    let before = common::noise(3 * 4096 + 5000);
    let mut buf = before.clone();
    for subject in each_subject() {
        for distance in (0..4096).step_by(step) {
            let (low, high) = buf.split_at_mut(8192);
            let src = &low[..2500];
            let dst = &mut high[distance..distance + 2500];
            dst.fill(0);
            subject.copy(dst, src);
            common::expect_same(dst, &before[..2500], || format!("{subject} copy, {distance} above modulo 4096"));
        }
    }
}
