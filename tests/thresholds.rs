//! Around every threshold, where one way of doing it ends and the next begins.
//!
//! At the real numbers, and in a process of its own with the least ones: there the streaming and string
//! paths are reached with short ranges, and so can be tried with many.

mod common;

use common::child::{overrides, overrides_are_read};
use common::{Grid, Subject, each_subject, each_variant, grid, in_child, sweep};
use std::ffi::OsStr;

fn every_body(subject: Subject, lengths: &[usize], offsets: &[usize], distances: &[usize]) {
    sweep::set(subject, lengths, offsets);
    sweep::copy(subject, lengths, offsets, |offset| vec![offset, 64 - offset]);
    sweep::moves(subject, lengths, distances, &[0]);
    sweep::fill::<u8>(subject, lengths, &[0, 7]);
    // Whole elements: the thresholds are even, their neighbours are not.
    let around: Vec<_> = lengths.iter().flat_map(|n| [n / 16 * 16, (n / 16 + 1) * 16]).collect();
    sweep::fill::<u16>(subject, &around, &[0, 2, 62]);
    sweep::fill::<u128>(subject, &around, &[0, 16, 48]);
}

#[test]
fn real_ones() {
    let lengths = grid::around_thresholds();
    println!("lengths: {lengths:?}");
    if Grid::get() == Grid::Thin {
        return common::not_run("megabytes around the real thresholds", "FAST_MEM_TEST_GRID is thin");
    }
    for row in each_variant() {
        let subject = Subject::Row(row);
        sweep::set(subject, &lengths, &[1]);
        sweep::copy(subject, &lengths, &[1], |_| vec![4]);
        sweep::moves(subject, &lengths, &[100], &[3]);
        let even: Vec<_> = lengths.iter().map(|n| n / 16 * 16).collect();
        sweep::fill::<u64>(subject, &even, &[8]);
    }
}

fn with_tunables(task: &str, value: &str, body: impl FnOnce()) {
    let vars = [("FAST_MEM_TUNABLES", OsStr::new(value))];
    in_child(task, "with", &vars, || {
        fast_mem::init().expect("the overrides are good");
        assert!(fast_mem::tunables().iter().all(|tunable| tunable.source == "FAST_MEM_TUNABLES"));
        body();
        String::new()
    });
}

#[test]
fn least_ones() {
    if !overrides_are_read("the least thresholds") {
        return;
    }
    let least = overrides(|tunable| tunable.least.to_string());
    with_tunables("least_ones", &least, || {
        assert!(fast_mem::tunables().iter().all(|tunable| tunable.bytes == tunable.least));
        let mut lengths = grid::around_thresholds();
        lengths.extend([300, 320, 511, 2111, 2303, 2304, 2305, 2367, 2500, 4095, 4096, 4160, 6000, 12_345]);
        let thin = Grid::get() == Grid::Thin;
        let offsets: Vec<_> = (0..=64).step_by(if thin { 13 } else { 1 }).collect();
        let distances = [0, 1, 31, 63, 64, 65, 255, 256, 300, 2047, 2048, 2049, 4096, 4100, 7000, 20_000];
        for subject in each_subject() {
            every_body(subject, &lengths, &offsets, &distances);
        }
    });
}

/// Pages of zeros may be fresh, and string instructions are kept from them: until something else is found there.
#[test]
fn memory_that_looks_fresh() {
    if !overrides_are_read("the least thresholds") {
        return;
    }
    let strings = "set_rep=256,copy_rep=256,fresh_rep=256,set_streaming=never,copy_streaming=never";
    let vars = [("FAST_MEM_TUNABLES", OsStr::new(strings))];
    in_child("memory_that_looks_fresh", "strings", &vars, || {
        let noise = common::noise(80_000);
        for row in each_variant() {
            for n in [256, 1000, 16_384, 16_385, 40_000, 70_001] {
                for (offset, zeros) in
                    [0, 1, 40, 63].into_iter().flat_map(|o| [0, 10, 17_000, 35_000, 80_000].map(|z| (o, z)))
                {
                    let mut before = noise.clone();
                    before[..zeros].fill(0);
                    let case = format!("{}: {n} at {offset}, {zeros} zeros", row.name());
                    let check = |call: &dyn Fn(&mut [u8]), wanted: &[u8]| {
                        let (mut after, mut expected) = (before.clone(), before.clone());
                        call(&mut after[offset..offset + n]);
                        expected[offset..offset + n].copy_from_slice(wanted);
                        assert!(after == expected, "{case}");
                    };
                    check(&|to| row.copy(to, &noise[7..7 + n]).unwrap(), &noise[7..7 + n]);
                    check(&|to| row.set(to, 0xa5).unwrap(), &vec![0xa5; n]);
                }
            }
            let mut wide = vec![0u128; 5000];
            row.fill(&mut wide[1..4999], u128::MAX / 7).unwrap();
            assert!(
                wide[0] == 0 && wide[4999] == 0 && wide[1..4999].iter().all(|&value| value == u128::MAX / 7),
                "{}",
                row.name()
            );
        }
        String::new()
    });
}

/// Streaming without strings, and strings without streaming: whichever is first hides the other.
#[test]
fn one_at_a_time() {
    if !overrides_are_read("one threshold at a time") {
        return;
    }
    for only in fast_mem::tunables().iter() {
        let value = overrides(|tunable| if tunable == only { only.least.to_string() } else { "never".to_owned() });
        let vars = [("FAST_MEM_TUNABLES", OsStr::new(&value))];
        in_child("one_at_a_time", only.name, &vars, || {
            let least = only.least;
            let lengths = [least, least + 1, least + 100, 3 * least + 77, 5000, 9001];
            for subject in each_subject() {
                every_body(subject, &lengths, &[0, 1, 33], &[0, 1, 64, 4097, 9001]);
            }
            String::new()
        });
    }
}
