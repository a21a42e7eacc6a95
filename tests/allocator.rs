//! Inside the global allocator: the first call comes before main, and every later allocation calls again.

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::alloc::System;

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Fills new memory and what is given back with known bytes, and grows by copying.
struct Poisoning;

// SAFETY: the system's allocator does the work; only bytes of the block in hand are written.
unsafe impl GlobalAlloc for Poisoning {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise, and the block's own bytes.
        unsafe {
            let at = System.alloc(layout);
            if !at.is_null() {
                CALLS.fetch_add(1, Relaxed);
                fast_mem::raw::write_bytes(at, 0xa5, layout.size());
            }
            at
        }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, and the block's own bytes.
        unsafe {
            fast_mem::raw::write_bytes(at, 0x5a, layout.size());
            System.dealloc(at, layout);
        }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; the shorter of two different blocks is copied.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                fast_mem::raw::copy_nonoverlapping(old.cast_const(), new, layout.size().min(size));
                self.dealloc(old, layout);
            }
            new
        }
    }
}

#[global_allocator]
static POISONING: Poisoning = Poisoning;

#[test]
fn the_first_call_came_before_main() {
    assert!(CALLS.load(Relaxed) > 0);
    assert!(fast_mem::selection().set.variant.is_supported());
}

#[test]
fn blocks_keep_what_is_in_them() {
    let mut numbers = Vec::new();
    let mut texts = Vec::new();
    for i in 0..50_000u64 {
        numbers.push(i * i);
        if i % 50 == 0 {
            texts.push(i.to_string().repeat(20));
        }
    }
    assert!(numbers.iter().zip(0u64..).all(|(&number, i)| number == i * i));
    assert!(texts.iter().zip((0u64..).step_by(50)).all(|(text, i)| *text == i.to_string().repeat(20)));
}

/// Fresh blocks hold the poison: the calls do arrive.
#[test]
fn new_memory_is_poisoned() {
    let block = Vec::<u8>::with_capacity(5000);
    // SAFETY: the allocator has set every byte.
    let bytes = unsafe { core::slice::from_raw_parts(block.as_ptr(), 5000) };
    assert!(bytes.iter().all(|&byte| byte == 0xa5));
}
