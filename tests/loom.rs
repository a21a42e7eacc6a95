//! The protocol of `src/dispatch.rs` and `src/store.rs` under loom: interleavings of two racing first calls, and of one with a
//! thread that looks, with the orderings that the crate uses.
//!
//! A model, since loom's atomics cannot be statics: the same steps in the same order. Run by
//! `RUSTFLAGS="--cfg loom" cargo test --release --test loom`.
#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering::*};
use loom::thread;

/// All interleavings with at most so many preemptions: those in which real faults of this kind show.
const PREEMPTIONS: usize = 3;

fn model(body: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(body);
}

/// What a pointer leads to.
const RESOLVER: usize = 0;
const BASELINE: usize = 1;
const WINNER: usize = 2;
/// A threshold before and after.
const NEVER: usize = usize::MAX;
const CHOSEN: usize = 4096;
/// The features of this CPU; 0 is what the store holds before.
const FEATURES: usize = 7;

struct Process {
    set: AtomicUsize,
    copy: AtomicUsize,
    threshold: AtomicUsize,
    features: AtomicUsize,
    decision: AtomicUsize,
    reports: AtomicUsize,
}

impl Process {
    fn new() -> Self {
        Self {
            set: AtomicUsize::new(RESOLVER),
            copy: AtomicUsize::new(RESOLVER),
            threshold: AtomicUsize::new(NEVER),
            features: AtomicUsize::new(0),
            decision: AtomicUsize::new(0),
            reports: AtomicUsize::new(0),
        }
    }

    fn resolve(&self) -> usize {
        let made = self.decision.load(Acquire);
        if made != 0 {
            return made;
        }
        for pointer in [&self.set, &self.copy] {
            let _ = pointer.compare_exchange(RESOLVER, BASELINE, Relaxed, Relaxed);
        }
        // Detection itself may call: what it calls must not be the resolver.
        assert_ne!(self.set.load(Relaxed), RESOLVER, "detection comes back to the resolver");
        self.threshold.store(CHOSEN, Relaxed);
        self.set.store(WINNER, Relaxed);
        self.copy.store(WINNER, Relaxed);
        self.features.store(FEATURES, Relaxed);
        if self.decision.compare_exchange(0, WINNER, AcqRel, Acquire).is_ok() {
            self.reports.fetch_add(1, Relaxed);
        }
        self.decision.load(Acquire)
    }

    /// A call through a pointer: where it ends, and the threshold that the kernel reads.
    fn call(&self, pointer: &AtomicUsize) -> (usize, usize) {
        let target = pointer.load(Relaxed);
        if target == RESOLVER {
            assert_eq!(self.resolve(), WINNER);
            let again = pointer.load(Relaxed);
            assert_ne!(again, RESOLVER, "a call comes back to the resolver for ever");
            return (again, self.threshold.load(Relaxed));
        }
        (target, self.threshold.load(Relaxed))
    }
}

fn check((target, threshold): (usize, usize)) {
    assert!(matches!(target, BASELINE | WINNER), "a call went nowhere: {target}");
    assert!(matches!(threshold, NEVER | CHOSEN), "a threshold of {threshold}");
}

#[test]
fn racing_first_calls_agree() {
    model(|| {
        let process = Arc::new(Process::new());
        let other = process.clone();
        let setter = thread::spawn(move || check(other.call(&other.set)));
        check(process.call(&process.copy));
        setter.join().unwrap();
        assert_eq!((process.set.load(Relaxed), process.copy.load(Relaxed)), (WINNER, WINNER));
        assert_eq!(process.threshold.load(Relaxed), CHOSEN);
        assert_eq!(process.reports.load(Relaxed), 1, "an error is reported once");
    });
}

#[test]
fn who_sees_the_decision_sees_what_belongs_to_it() {
    model(|| {
        let process = Arc::new(Process::new());
        let first = process.clone();
        let caller = thread::spawn(move || check(first.call(&first.set)));
        if process.decision.load(Acquire) != 0 {
            assert_eq!(process.features.load(Relaxed), FEATURES, "the CPU is not there yet");
            assert_eq!(process.threshold.load(Relaxed), CHOSEN, "the threshold is not there yet");
            assert_ne!(process.set.load(Relaxed), RESOLVER, "the pointer is not there yet");
        }
        caller.join().unwrap();
    });
}

/// The model can fail: with the decision published relaxed, somebody sees it before the rest.
#[test]
#[should_panic = "not there yet"]
fn a_relaxed_decision_would_be_seen_too_early() {
    model(|| {
        let process = Arc::new(Process::new());
        let other = process.clone();
        let caller = thread::spawn(move || {
            other.features.store(FEATURES, Relaxed);
            other.decision.store(WINNER, Relaxed);
        });
        if process.decision.load(Relaxed) != 0 {
            assert_eq!(process.features.load(Relaxed), FEATURES, "the CPU is not there yet");
        }
        caller.join().unwrap();
    });
}
