//! The sweep: every variant that this machine runs, at every length and alignment of the grid, against pages
//! that may not be touched.
//!
//! One body for every machine; `FAST_MEM_TEST_GRID=full` tries all lengths up to 8192 with all 64 alignments. Thresholds
//! are those in force: run it with small `FAST_MEM_TUNABLES` as well, and the streaming paths come cheaply.
#![cfg(unix)]

mod arena;
#[path = "../common/mod.rs"]
mod common;
mod grid;

use arena::{Arena, Side};
use fast_mem::{Pattern, Variant};
use std::ffi::OsStr;
use std::sync::LazyLock;

/// What lies around a range, and must still lie there afterwards.
const CANARY: u8 = 0x5a;
/// How much of it is looked at after each call.
const MARGIN: usize = 72;

/// Source bytes: a function of the place without a short period.
static SOURCE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let most = grid::long_lengths().into_iter().max().unwrap_or(0) + (128 << 10);
    (0..most as u32).map(|i| (i.wrapping_mul(0x9e37_79b1) >> 17) as u8).collect()
});

/// Runs `body` for each variant that can run here, and prints for the beds how many cases each saw.
///
/// `FAST_MEM_TEST_ROWS="avx512 …"` leaves the others out, for emulators so slow that they try only what no other can.
fn each_variant(routine: &str, body: impl Fn(&'static Variant) -> usize) {
    let only = std::env::var("FAST_MEM_TEST_ROWS").ok();
    let mut ran = 0;
    for variant in common::each_variant() {
        if only.as_ref().is_some_and(|names| !names.split_whitespace().any(|name| name == variant.name())) {
            common::not_run(variant.name(), "not among FAST_MEM_TEST_ROWS");
            continue;
        }
        let cases = body(variant);
        assert!(cases > 0, "{routine} by {}: no case", variant.name());
        println!("swept {} {cases} {routine}", variant.name());
        ran += 1;
    }
    assert!(ran > 0, "no variant can run here");
}

/// The positions of a length: at either page, at every distance of the grid.
fn sides(n: usize) -> impl Iterator<Item = Side> {
    grid::gaps(n).into_iter().flat_map(|gap| [Side::Start(gap), Side::End(gap)])
}

fn all_lengths() -> Vec<usize> {
    [grid::lengths(), grid::long_lengths()].concat()
}

/// Memory that is all canary.
fn target() -> Arena {
    Arena::new(|bytes| bytes.fill(CANARY))
}

/// Memory that is a source.
fn source() -> Arena {
    Arena::new(|bytes| bytes.copy_from_slice(&SOURCE[..bytes.len()]))
}

/// Whether all bytes are the canary.
fn untouched(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |all, &byte| all & (byte == CANARY))
}

/// Checks a destination after a call, and puts the canary back.
fn check(arena: &mut Arena, at: usize, expected: &[u8], case: impl Fn() -> String) {
    let n = expected.len();
    let bytes = arena.bytes();
    let len = bytes.len();
    if bytes[at..at + n] != *expected {
        let wrong = (0..n).find(|&i| bytes[at + i] != expected[i]).unwrap_or(0);
        panic!("{}: byte {wrong} is {:#x}, not {:#x}", case(), bytes[at + wrong], expected[wrong]);
    }
    assert!(untouched(&bytes[at.saturating_sub(MARGIN)..at]), "{}: wrote before the range", case());
    assert!(untouched(&bytes[at + n..len.min(at + n + MARGIN)]), "{}: wrote behind the range", case());
    bytes[at..at + n].fill(CANARY);
}

fn sweep_set(variant: &Variant, lengths: &[usize]) -> usize {
    let (mut arena, mut cases) = (target(), 0);
    for &n in lengths {
        let byte = [0, 0xff, 0x80, 1][n % 4];
        let expected = vec![byte; n];
        arena.fit(n + 2 * MARGIN);
        for side in sides(n) {
            let at = side.offset(&arena, n);
            variant.set(&mut arena.bytes()[at..at + n], byte).expect("supported");
            check(&mut arena, at, &expected, || format!("{}: set {n} at {side:?}", variant.name()));
            cases += 1;
        }
        assert!(untouched(arena.bytes()), "{}: set {n} wrote far away", variant.name());
    }
    cases
}

/// The source against a page and the destination at every place, and the other way round.
fn sweep_copy(variant: &Variant, lengths: &[usize]) -> usize {
    let (mut to, mut from, mut cases) = (target(), source(), 0);
    for &n in lengths {
        to.fit(n + 2 * MARGIN);
        from.fit(n + 2 * MARGIN);
        for side in sides(n) {
            let flush = match side {
                Side::Start(_) => Side::Start(0),
                Side::End(_) => Side::End(0),
            };
            for (dst, src) in [(side, flush), (flush, side)] {
                let (at, start) = (dst.offset(&to, n), src.offset(&from, n));
                let source = &from.bytes()[start..start + n];
                variant.copy(&mut to.bytes()[at..at + n], source).expect("supported");
                check(&mut to, at, source, || format!("{}: copy {n} to {dst:?} from {src:?}", variant.name()));
                cases += 1;
            }
        }
        assert!(untouched(to.bytes()), "{}: copy {n} wrote far away", variant.name());
        assert!(SOURCE.starts_with(from.bytes()), "{}: copy {n} wrote to its source", variant.name());
    }
    cases
}

/// Overlapping ranges: the upper one ends at a page, or the lower one starts behind one.
fn sweep_move(variant: &Variant, lengths: &[usize], distances: &[isize]) -> usize {
    let (mut arena, mut cases) = (target(), 0);
    for &n in lengths {
        for &distance in distances {
            let apart = distance.unsigned_abs();
            arena.fit(n + apart + MARGIN);
            for side in [Side::Start(0), Side::Start(9), Side::End(0), Side::End(23)] {
                let lower = side.offset(&arena, n + apart);
                let (src, dst) = if distance > 0 { (lower, lower + apart) } else { (lower + apart, lower) };
                let bytes = arena.bytes();
                let mut expected = SOURCE[..bytes.len()].to_vec();
                bytes.copy_from_slice(&expected);
                expected.copy_within(src..src + n, dst);
                variant.copy_within(bytes, src..src + n, dst).expect("supported");
                let wrong = bytes.iter().zip(&expected).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "{}: move {n} by {distance} at {side:?}", variant.name());
                cases += 1;
            }
        }
    }
    cases
}

/// One width of fill: lengths in elements, positions in steps of the type's alignment.
fn fill_of<T: Pattern>(variant: &Variant, lengths: &[usize], value: T, bytes_of: impl Fn(T) -> Vec<u8>) -> usize {
    let (mut arena, mut cases) = (target(), 0);
    let one = bytes_of(value);
    for &n in lengths.iter().filter(|&n| n % size_of::<T>() == 0) {
        let expected = one.repeat(n / size_of::<T>());
        arena.fit(n + 2 * MARGIN);
        for side in sides(n) {
            let at = side.offset(&arena, n);
            let start = arena.bytes()[at..at + n].as_mut_ptr();
            if start.addr() % align_of::<T>() != 0 {
                continue;
            }
            // SAFETY: the slice's n bytes, aligned as just asked, hold whole elements, and any bytes are one.
            let elements = unsafe { core::slice::from_raw_parts_mut(start.cast::<T>(), n / size_of::<T>()) };
            variant.fill(elements, value).expect("supported");
            let width = size_of::<T>();
            check(&mut arena, at, &expected, || format!("{}: fill {n} by {width} at {side:?}", variant.name()));
            cases += 1;
        }
        assert!(untouched(arena.bytes()), "{}: fill {n} wrote far away", variant.name());
    }
    cases
}

fn sweep_fill(variant: &Variant, lengths: &[usize]) -> usize {
    fill_of(variant, lengths, 0x81u8, |v| v.to_ne_bytes().to_vec())
        + fill_of(variant, lengths, 0x8102u16, |v| v.to_ne_bytes().to_vec())
        + fill_of(variant, lengths, 0x8102_0304u32, |v| v.to_ne_bytes().to_vec())
        + fill_of(variant, lengths, 0x8102_0304_0506_0708u64, |v| v.to_ne_bytes().to_vec())
        + fill_of(variant, lengths, 0x8102_0304_0506_0708_090a_0b0c_0d0e_0f10u128, |v| v.to_ne_bytes().to_vec())
}

#[test]
fn set() {
    each_variant("set", |variant| sweep_set(variant, &all_lengths()));
}

#[test]
fn copy() {
    each_variant("copy", |variant| sweep_copy(variant, &all_lengths()));
}

#[test]
fn move_() {
    each_variant("move", |variant| {
        let short = sweep_move(variant, &grid::move_lengths(), &grid::distances());
        short + sweep_move(variant, &grid::LONG_MOVES, &grid::LONG_DISTANCES)
    });
}

#[test]
fn fill() {
    each_variant("fill", |variant| sweep_fill(variant, &all_lengths()));
}

/// What a machine never does where its thresholds lie below: loops over megabytes.
#[test]
fn long_ranges_without_any_threshold() {
    let never = common::child::overrides(|_| "never".to_owned());
    let vars = [("FAST_MEM_TUNABLES", OsStr::new(&never))];
    common::in_child("long_ranges_without_any_threshold", "never", &vars, || {
        let long = grid::long_lengths();
        for variant in common::each_variant() {
            assert!(sweep_set(variant, &long) * sweep_copy(variant, &long) * sweep_fill(variant, &long) > 0);
        }
        String::new()
    });
}

/// For the address sanitizer, which sees a read of the bytes between the end of an allocation and the end of its last word.
#[test]
fn sources_end_where_their_allocation_ends() {
    for variant in common::each_variant() {
        for n in (0..200).chain([300, 600, 1100, 4200]) {
            for offset in 0..9 {
                let source = SOURCE[..offset + n].to_vec().into_boxed_slice();
                let mut target = vec![0; n].into_boxed_slice();
                variant.copy(&mut target, &source[offset..]).expect("supported");
                assert_eq!(target, source[offset..].into(), "{}: {n} at {offset}", variant.name());
            }
        }
    }
}
