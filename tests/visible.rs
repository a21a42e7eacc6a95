//! What another thread sees of a call: all of it once it sees a flag stored afterwards, streaming or not; and no aligned word
//! half written, for the rows that store words whole.
#![cfg(not(fast_mem_checked))]

mod common;

use common::{each_variant, in_child};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use fast_mem::Variant;
use std::ffi::OsStr;
use std::thread;

const WORDS: usize = 8 << 10;
/// What a machine stores whole where it is aligned.
const WORD: usize = size_of::<usize>();
/// Streaming from the smallest length that it can.
const SMALL: &str = "set_streaming=2048,zero_streaming=2048,copy_streaming=2048";

/// Memory that a kernel writes while another thread reads.
struct Shared {
    words: Vec<AtomicUsize>,
    /// The round that was written last.
    flag: AtomicUsize,
    /// The round that was read.
    seen: AtomicUsize,
    stop: AtomicBool,
}

impl Shared {
    fn new() -> Self {
        let words = (0..WORDS).map(|_| AtomicUsize::new(0)).collect();
        Self { words, flag: AtomicUsize::new(0), seen: AtomicUsize::new(0), stop: AtomicBool::new(false) }
    }

    /// The bytes, for the one thread that writes. (The reader's loads race with its stores, as in a kernel or a ring buffer:
    /// what the hardware does then is what is tested.)
    #[expect(clippy::mut_from_ref, reason = "atomics may change behind a shared reference")]
    fn bytes(&self) -> &mut [u8] {
        // SAFETY: the vector's own words, whose type allows changes; only one thread calls this.
        unsafe { core::slice::from_raw_parts_mut(self.words.as_ptr().cast_mut().cast(), WORD * WORDS) }
    }
}

/// Bytes that tell the round.
fn byte_of(round: usize) -> u8 {
    round as u8
}

fn write_rounds(shared: &Shared, rounds: usize, write: impl Fn(&mut [u8], usize)) {
    for round in 1..=rounds {
        write(shared.bytes(), round);
        shared.flag.store(round, Release);
        while shared.seen.load(Acquire) < round {
            core::hint::spin_loop();
            thread::yield_now();
        }
    }
    shared.stop.store(true, Release);
}

/// Waits for each round's flag, and looks at the words last written first.
fn read_rounds(shared: &Shared) -> usize {
    let mut last = 0;
    while !shared.stop.load(Acquire) {
        let round = shared.flag.load(Acquire);
        if round == last {
            thread::yield_now();
            continue;
        }
        let expected = usize::from_ne_bytes([byte_of(round); WORD]);
        let late = shared.words.iter().rev().position(|word| word.load(Relaxed) != expected);
        assert_eq!(late, None, "round {round}: a word from the end is not there yet");
        shared.seen.store(round, Release);
        last = round;
    }
    last
}

fn all_is_there(variant: &'static Variant, copies: bool) {
    const ROUNDS: usize = 300;
    let shared = Shared::new();
    let read = thread::scope(|scope| {
        let reader = scope.spawn(|| read_rounds(&shared));
        write_rounds(&shared, ROUNDS, |bytes, round| {
            let done = if copies {
                variant.copy(bytes, &vec![byte_of(round); WORD * WORDS])
            } else {
                variant.set(bytes, byte_of(round))
            };
            done.expect("supported");
        });
        reader.join().expect("the reader saw everything")
    });
    assert_eq!(read, ROUNDS, "{}", variant.name());
}

#[test]
fn a_flag_stored_afterwards_is_seen_after_the_data() {
    let vars = [("FAST_MEM_TUNABLES", OsStr::new(SMALL))];
    for task in ["as it is", "streaming"] {
        let vars = if task == "streaming" { &vars[..] } else { &[] };
        in_child("a_flag_stored_afterwards_is_seen_after_the_data", task, vars, || {
            for variant in each_variant() {
                all_is_there(variant, false);
                all_is_there(variant, true);
            }
            String::new()
        });
    }
}

/// How many aligned words a reader saw half written in fifty looks at all of them, while `write` changes them between all
/// zeros and all ones, from word `from` on.
fn torn(from: usize, write: impl Fn(&mut [u8], &[u8])) -> usize {
    let shared = Shared::new();
    let sources = [vec![0u8; WORD * WORDS], vec![0xffu8; WORD * WORDS]];
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let broken = |word: &&AtomicUsize| !matches!(word.load(Relaxed), 0 | usize::MAX);
            let torn = (0..50).map(|_| shared.words.iter().filter(broken).count()).sum();
            shared.stop.store(true, Relaxed);
            torn
        });
        for round in 0.. {
            let bytes = &mut shared.bytes()[WORD * from..];
            let n = bytes.len();
            write(bytes, &sources[round % 2][..n]);
            if shared.stop.load(Relaxed) {
                break;
            }
        }
        reader.join().expect("a number")
    })
}

/// The reader is able to see it: bytes written one by one.
#[test]
fn words_written_byte_by_byte_are_torn() {
    let bytewise = |to: &mut [u8], from: &[u8]| {
        for (to, from) in to.iter_mut().zip(from) {
            // SAFETY: a reference is valid for a write.
            unsafe { core::ptr::from_mut(to).write_volatile(*from) };
        }
    };
    assert!((0..400).any(|_| torn(0, bytewise) > 0), "four hundred times fifty looks, and no word half written");
}

/// Ranges of whole aligned words: what rows that store words or vectors promise. Bytes that a string instruction stores
/// may become visible one by one (`erms`, and any row from `copy_rep` on, which here is never). Once as one range, and once in
/// pieces that a call site with AVX-512 sets by two masked vectors.
#[test]
fn aligned_words_are_never_torn_but_by_byte_strings() {
    let vars = [("FAST_MEM_TUNABLES", OsStr::new("copy_rep=never,set_rep=never"))];
    in_child("aligned_words_are_never_torn_but_by_byte_strings", "words", &vars, || {
        for variant in each_variant() {
            const ALL: usize = WORD * WORDS;
            for (from, copies, piece) in
                [(0, false, ALL), (0, true, ALL), (1, false, ALL), (3, true, ALL), (3, false, 104), (1, true, 104)]
            {
                let torn = torn(from, |to, source| {
                    for (to, source) in to.chunks_mut(piece).zip(source.chunks(piece)).filter(|(to, _)| to.len() > 64) {
                        let done = if copies { variant.copy(to, source) } else { variant.set(to, source[0]) };
                        done.expect("supported");
                    }
                });
                println!("torn {} from word {from}, copy {copies}, in pieces of {piece}: {torn}", variant.name());
                assert!(torn == 0 || variant.name() == "erms", "{}: {torn} words half written", variant.name());
            }
        }
        String::new()
    });
}
