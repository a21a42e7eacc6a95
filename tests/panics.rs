//! Bad lengths and ranges: a panic that names both numbers, and memory as it was.

mod common;

use common::each_variant;
use core::mem::MaybeUninit;
use core::ops::{Bound, Range};
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

/// What `body` panics with, and where.
fn panic_of(body: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(body)).expect_err("this must panic");
    payload.downcast_ref::<String>().cloned().or_else(|| payload.downcast_ref::<&str>().map(|&s| s.to_owned())).unwrap()
}

fn expect_words(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "{message:?} does not name {word}");
    }
}

#[test]
fn lengths_that_differ() {
    for (to, from) in [(100, 101), (101, 100), (0, 1), (1, 0), (3, 70_000)] {
        let words = [to.to_string(), from.to_string()];
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let (mut dst, src) = (vec![1; to], vec![2; from]);
        expect_words(&panic_of(|| fast_mem::copy(&mut dst, &src)), &words);
        for row in each_variant() {
            expect_words(&panic_of(|| row.copy(&mut dst, &src).unwrap()), &words);
        }
        let mut uninit = vec![MaybeUninit::new(1u8); to];
        expect_words(&panic_of(|| _ = fast_mem::copy_uninit(&mut uninit, &src)), &words);
        assert_eq!(dst, vec![1; to]);
        assert_eq!(src, vec![2; from]);
        // SAFETY: initialised when it was made.
        assert!(uninit.iter().all(|byte| unsafe { byte.assume_init() } == 1));
    }
}

#[test]
fn ranges_that_do_not_fit() {
    let backwards = Range { start: 70, end: 30 };
    let cases = [
        (0..101, 0, ["101", "100"]),
        (50..150, 0, ["150", "100"]),
        (100..101, 0, ["101", "100"]),
        (backwards, 0, ["70", "30"]),
        (0..50, 51, ["50", "51"]),
        (0..100, 1, ["100", "1"]),
        (100..100, 101, ["101", "100"]),
        (0..1, usize::MAX, ["18446744073709551615", "100"]),
        (0..usize::MAX, 0, ["18446744073709551615", "100"]),
    ];
    let before = common::noise(100);
    let mut buf = before.clone();
    for (range, dest, mut words) in cases {
        let longest = usize::MAX.to_string();
        words.iter_mut().filter(|word| word.len() > 10).for_each(|word| *word = &longest);
        let by_slice = panic_of(|| buf.clone().copy_within(range.clone(), dest));
        println!("{range:?} at {dest}: the slice method says {by_slice:?}");
        expect_words(&panic_of(|| fast_mem::copy_within(&mut buf, range.clone(), dest)), &words);
        for row in each_variant() {
            expect_words(&panic_of(|| row.copy_within(&mut buf, range.clone(), dest).unwrap()), &words);
        }
        assert_eq!(buf, before);
    }
}

/// Bounds beyond the last number overflow: a panic too, never a wrapped range.
#[test]
fn bounds_that_overflow() {
    let mut buf = [1; 10];
    let after_all = (Bound::Excluded(usize::MAX), Bound::Unbounded);
    let all = (Bound::Unbounded, Bound::Included(usize::MAX));
    expect_words(&panic_of(|| fast_mem::copy_within(&mut buf, after_all, 0)), &["maximum usize"]);
    expect_words(&panic_of(|| fast_mem::copy_within(&mut buf, all, 0)), &["maximum usize"]);
    assert_eq!(buf, [1; 10]);
}

/// The message points at the caller, not into this crate.
#[test]
fn the_place_is_the_callers() {
    use std::sync::Mutex;
    static PLACE: Mutex<String> = Mutex::new(String::new());
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        if info.to_string().contains("(7777)") {
            *PLACE.lock().unwrap() = info.location().unwrap().file().to_owned();
        }
    }));
    let message = panic_of(|| fast_mem::copy(&mut [0; 3], &[0; 7777]));
    std::panic::set_hook(previous);
    expect_words(&message, &["3", "7777"]);
    assert_eq!(*PLACE.lock().unwrap(), file!());
}

#[test]
fn nothing_at_all_is_fine() {
    let nothing: &mut [u8] = &mut [];
    fast_mem::set(nothing, 1);
    fast_mem::copy(nothing, &[]);
    fast_mem::copy_within(nothing, .., 0);
    fast_mem::copy_within(&mut [1, 2, 3], 3..3, 3);
    fast_mem::fill::<u64>(&mut [], 1);
    let dangling = core::ptr::without_provenance_mut::<u32>(4);
    // SAFETY: no element.
    unsafe {
        fast_mem::raw::write_bytes(dangling, 1, 0);
        fast_mem::raw::copy(dangling, dangling, 0);
        fast_mem::raw::copy_nonoverlapping(dangling, dangling, 0);
    }
    for row in each_variant() {
        row.set(&mut [], 1).unwrap();
        row.copy(&mut [], &[]).unwrap();
        row.copy_within(&mut [1], 1..1, 0).unwrap();
        row.fill::<u128>(&mut [], 1).unwrap();
    }
}
