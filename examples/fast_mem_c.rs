//! fast_mem as a library for C and C++: `include/fast_mem.h` says what each function does.
//!
//! ```text
//! cargo build --release --example fast_mem_c      # libfast_mem_c.a and libfast_mem_c.so
//! ```
//!
//! With `--features symbols` the library also defines `memcpy` and the rest of C's set, so that a program linked with it
//! runs on fast_mem as a whole.

use core::ffi::{c_char, c_int, c_void};
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
use fast_mem::{Pattern, raw};

/// Chooses now. Returns 0, or -1 if the environment asks for something impossible.
#[unsafe(no_mangle)]
pub extern "C" fn fm_init() -> c_int {
    if fast_mem::init().is_ok() { 0 } else { -1 }
}

/// Sets `n` bytes from `dst` to the low byte of `byte`, and returns `dst`.
///
/// # Safety
/// `dst..dst+n` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_set(dst: *mut c_void, byte: c_int, n: usize) -> *mut c_void {
    // SAFETY: the caller's range.
    unsafe { raw::write_bytes(dst.cast::<u8>(), byte as u8, n) };
    dst
}

/// Zeroes `n` bytes from `dst`, and returns `dst`.
///
/// # Safety
/// `dst..dst+n` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_zero(dst: *mut c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller's range.
    unsafe { fm_set(dst, 0, n) }
}

/// Zeroes `n` bytes from `dst`, even where nobody reads them again.
///
/// # Safety
/// `dst..dst+n` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_zero_explicit(dst: *mut c_void, n: usize) {
    if n > 0 {
        // SAFETY: the caller's range. (With `n` 0 the address may be null, as a slice's may not.)
        fast_mem::zero_explicit(unsafe { core::slice::from_raw_parts_mut(dst.cast(), n) });
    }
}

/// Copies `n` bytes from `src` to `dst`, and returns `dst`. An overlap is copied as by [`fm_move`].
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_copy(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller's ranges.
    unsafe { fm_move(dst, src, n) }
}

/// Copies `n` bytes from `src` to `dst`, overlapping in any way, and returns `dst`.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_move(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller's ranges.
    unsafe { raw::copy(src.cast::<u8>(), dst.cast::<u8>(), n) };
    dst
}

/// Sets `n` 16-bit numbers, and returns `dst`.
///
/// # Safety
/// `dst` is aligned, and `n` numbers from there are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_fill16(dst: *mut u16, value: u16, n: usize) -> *mut u16 {
    // SAFETY: the caller's numbers.
    unsafe { fill(dst, value, n) }
}

/// Sets `n` 32-bit numbers, and returns `dst`.
///
/// # Safety
/// `dst` is aligned, and `n` numbers from there are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_fill32(dst: *mut u32, value: u32, n: usize) -> *mut u32 {
    // SAFETY: the caller's numbers.
    unsafe { fill(dst, value, n) }
}

/// Sets `n` 64-bit numbers, and returns `dst`.
///
/// # Safety
/// `dst` is aligned, and `n` numbers from there are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fm_fill64(dst: *mut u64, value: u64, n: usize) -> *mut u64 {
    // SAFETY: the caller's numbers.
    unsafe { fill(dst, value, n) }
}

/// Sets `n` numbers of any kind.
///
/// # Safety
/// `dst` is aligned, and `n` numbers from there are writable.
unsafe fn fill<T: Pattern>(dst: *mut T, value: T, n: usize) -> *mut T {
    if n > 0 {
        // SAFETY: the caller's numbers.
        fast_mem::fill(unsafe { core::slice::from_raw_parts_mut(dst, n) }, value);
    }
    dst
}

/// The name of the variant that sets.
#[unsafe(no_mangle)]
pub extern "C" fn fm_selection_set() -> *const c_char {
    static NAME: CName = CName::new();
    NAME.hold(fast_mem::selection().set.variant.name())
}

/// The name of the variant that copies.
#[unsafe(no_mangle)]
pub extern "C" fn fm_selection_copy() -> *const c_char {
    static NAME: CName = CName::new();
    NAME.hold(fast_mem::selection().copy.variant.name())
}

/// A name that ends in NUL. It never changes once it is there, so threads may write it at once.
struct CName([AtomicU8; 32]);

impl CName {
    const fn new() -> Self {
        Self([const { AtomicU8::new(0) }; 32])
    }

    fn hold(&self, name: &str) -> *const c_char {
        // The last byte stays NUL.
        self.0[..31].iter().zip(name.bytes()).for_each(|(slot, byte)| slot.store(byte, Relaxed));
        self.0.as_ptr().cast()
    }
}
