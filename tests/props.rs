//! Whatever sequence of operations comes, memory is what a byte-by-byte model says.

mod common;

use common::{Grid, Subject, each_subject, expect_same, noise};
use core::hash::BuildHasher;
use quickcheck::{Arbitrary, Gen, QuickCheck};
use std::hash::RandomState;
use std::sync::LazyLock;

const LEN: usize = 9000;

/// An operation inside `LEN` bytes.
#[derive(Clone, Copy, Debug)]
enum Op {
    Set { at: usize, n: usize, byte: u8 },
    Copy { at: usize, n: usize, source: usize },
    Within { from: usize, n: usize, to: usize },
    Fill { at: usize, n: usize, value: u32 },
}

/// A length: mostly short, at times long.
fn length(g: &mut Gen) -> usize {
    let limit = *g.choose(&[8, 33, 129, 513, 4097, LEN]).unwrap();
    usize::arbitrary(g) % limit
}

impl Arbitrary for Op {
    fn arbitrary(g: &mut Gen) -> Self {
        let n = length(g);
        let mut place = || usize::arbitrary(g) % (LEN - n + 1);
        let (at, to) = (place(), place());
        match u8::arbitrary(g) % 4 {
            0 => Self::Set { at, n, byte: u8::arbitrary(g) },
            1 => Self::Copy { at, n, source: to },
            2 => Self::Within { from: at, n, to },
            _ => Self::Fill { at: at / 4 * 4, n: n / 4 * 4, value: u32::arbitrary(g) },
        }
    }
}

/// By a loop over bytes.
fn model(bytes: &mut [u8], source: &[u8], op: Op) {
    match op {
        Op::Set { at, n, byte } => (0..n).for_each(|i| bytes[at + i] = byte),
        Op::Copy { at, n, source: from } => (0..n).for_each(|i| bytes[at + i] = source[from + i]),
        Op::Within { from, n, to } => {
            let moved: Vec<u8> = (0..n).map(|i| bytes[from + i]).collect();
            (0..n).for_each(|i| bytes[to + i] = moved[i]);
        }
        Op::Fill { at, n, value } => (0..n).for_each(|i| bytes[at + i] = value.to_ne_bytes()[i % 4]),
    }
}

fn apply(subject: Subject, words: &mut [u32], source: &[u8], op: Op) {
    let len = size_of_val(words);
    // SAFETY: the same bytes, borrowed as the words are, which are used again only when this borrow is over.
    let bytes = unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), len) };
    match op {
        Op::Set { at, n, byte } => subject.set(&mut bytes[at..at + n], byte),
        Op::Copy { at, n, source: from } => subject.copy(&mut bytes[at..at + n], &source[from..from + n]),
        Op::Within { from, n, to } => subject.copy_within(bytes, from..from + n, to),
        Op::Fill { at, n, value } => subject.fill(&mut words[at / 4..(at + n) / 4], value),
    }
}

/// The words' bytes.
fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(each_subject);

fn as_the_model_says(ops: Vec<Op>) -> bool {
    let source = noise(LEN);
    let mut expected = vec![0; LEN];
    ops.iter().for_each(|&op| model(&mut expected, &source, op));
    for &subject in SUBJECTS.iter() {
        let mut words = vec![0; LEN / 4];
        ops.iter().for_each(|&op| apply(subject, &mut words, &source, op));
        expect_same(&bytes(&words), &expected, || format!("{subject} after {ops:?}"));
    }
    true
}

/// `name` from the environment, as a number.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}: expected a number")))
}

/// `QUICKCHECK_TESTS` says how many, `FAST_MEM_TEST_SEED` repeats a run.
#[test]
fn any_sequence() {
    let tests = number("QUICKCHECK_TESTS").unwrap_or(match Grid::get() {
        Grid::Thin => 20,
        Grid::Middle => 200,
        Grid::Full => 5000,
    });
    let seed = number("FAST_MEM_TEST_SEED").unwrap_or_else(|| RandomState::new().hash_one(tests));
    let subjects: Vec<_> = SUBJECTS.iter().map(Subject::to_string).collect();
    println!("{tests} sequences from the seed {seed}, each by {}", subjects.join(", "));
    let random = Gen::from_size_and_seed(100, seed);
    QuickCheck::new().rng(random).tests(tests).max_tests(tests).quickcheck(as_the_model_says as fn(Vec<Op>) -> bool);
}
