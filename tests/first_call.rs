//! The first call, from wherever it comes: each in a process of its own, in which nothing was called before.

mod common;

use common::in_child;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::Cell;
use core::hint::black_box;
use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::alloc::System;
use std::ffi::OsStr;

thread_local! {
    /// What this thread asked the allocator for. The harness has threads of its own.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts what is asked of it.
struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Everything once, long enough to go through the pointers.
fn use_all(buf: &mut [u8; 3000], seed: u8) {
    fast_mem::set(buf, seed);
    assert!(buf.iter().all(|&byte| byte == seed));
    let (low, high) = buf.split_at_mut(1500);
    fast_mem::set(low, !seed);
    fast_mem::copy(high, low);
    assert!(high.iter().all(|&byte| byte == !seed));
    let mut words = [0u32; 200];
    fast_mem::fill(&mut words, u32::from(seed));
    assert!(words.iter().all(|&word| word == u32::from(seed)));
    fast_mem::copy_within(buf, 3..2000, 100);
}

#[test]
fn from_64_threads_at_once() {
    const THREADS: usize = 64;
    for round in 0..10 {
        in_child("from_64_threads_at_once", &round.to_string(), &[], || {
            static READY: AtomicUsize = AtomicUsize::new(0);
            let thread = |seed: usize| {
                READY.fetch_add(1, SeqCst);
                while READY.load(SeqCst) < THREADS {
                    std::thread::yield_now();
                }
                use_all(&mut [0; 3000], seed as u8);
                let now = fast_mem::selection();
                (now.set.variant.name(), now.copy.variant.name())
            };
            let threads: Vec<_> = (0..THREADS).map(|seed| std::thread::spawn(move || thread(seed))).collect();
            let chosen: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            assert!(chosen.iter().all(|names| *names == chosen[0]), "{chosen:?}");
            String::new()
        });
    }
}

/// The allocator is not asked for anything, even where a bad override is reported.
#[test]
fn without_an_allocation() {
    for value in ["nonsense", "generic"] {
        let vars = [("FAST_MEM_VARIANT", OsStr::new(value)), ("FAST_MEM_TUNABLES", OsStr::new(value))];
        in_child("without_an_allocation", value, &vars, || {
            let mut buf = [0; 3000];
            let before = ALLOCATIONS.get();
            use_all(&mut buf, 7);
            let (now, cpu, tunables) = (fast_mem::init(), fast_mem::cpu(), fast_mem::tunables());
            let after = ALLOCATIONS.get();
            assert_eq!(before, after, "{now:?} {cpu:?} {tunables:?}");
            // The counter does count.
            drop(black_box(Box::new(1)));
            assert!(ALLOCATIONS.get() > after);
            String::new()
        });
    }
}

#[cfg(unix)]
#[test]
fn from_a_signal_handler() {
    static DONE: AtomicUsize = AtomicUsize::new(0);
    extern "C" fn handler(_: i32) {
        let before = ALLOCATIONS.get();
        use_all(&mut [0; 3000], 9);
        DONE.store(1 + ALLOCATIONS.get() - before, SeqCst);
    }
    in_child("from_a_signal_handler", "raise", &[], || {
        let handler: extern "C" fn(i32) = handler;
        // SAFETY: the handler allocates nothing, takes no lock, and touches only its own stack and atomics.
        unsafe {
            assert_ne!(libc::signal(libc::SIGUSR1, handler as libc::sighandler_t), libc::SIG_ERR);
            assert_eq!(libc::raise(libc::SIGUSR1), 0);
        }
        assert_eq!(DONE.load(SeqCst), 1, "the handler ran, and allocated nothing");
        String::new()
    });
}
