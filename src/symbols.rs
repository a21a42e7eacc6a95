//! The C library's memory functions, exported: every part of the program that calls them by name is served
//! by the chosen variants, std and C libraries included.
//!
//! The set is complete, for a static linker takes a library's object file whole: one function that is missing here
//! brings in the object that defines it and its neighbours again (musl's `memmove` refers to a private
//! symbol of its `memcpy`).
//!
//! A true `STT_GNU_IFUNC` in place of the pointer was tried (glibc 2.36): it saves .2 ns of a call with more than 64 bytes,
//! .7 in a static program, and works there, static-pie included. But a preloaded library that has one ends perl, sqlite3,
//! bash and python3 with a fault, with `LD_BIND_NOW` git as well: the loader runs the resolver for them before it has
//! relocated the library.
//!
//! Only the public functions are used here, so that `examples/preload.rs` can include this very file.

use crate::{fill, raw, zero_explicit};
use core::ffi::{c_int, c_void};

/// C's `wchar_t` on every ELF platform, but for the sign.
type WideChar = u32;

/// Sets `n` bytes from `dst` to the low byte of `byte`, and returns `dst`.
///
/// # Safety
/// `dst..dst+n` is writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn memset(dst: *mut c_void, byte: c_int, n: usize) -> *mut c_void {
    // SAFETY: the caller's range.
    unsafe { raw::write_bytes(dst.cast::<u8>(), byte as u8, n) };
    dst
}

/// Copies `n` bytes from `src` to `dst`, and returns `dst`. The ranges may overlap, as for [`memmove`].
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn memcpy(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller's ranges.
    unsafe { raw::copy(src.cast::<u8>(), dst.cast::<u8>(), n) };
    dst
}

/// Copies `n` bytes from `src` to `dst`, overlapping in any way, and returns `dst`.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn memmove(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller's ranges.
    unsafe { raw::copy(src.cast::<u8>(), dst.cast::<u8>(), n) };
    dst
}

/// Copies like [`memcpy`], and returns the end of the destination, `dst + n`.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn mempcpy(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void {
    // SAFETY: the caller's ranges.
    unsafe { raw::copy(src.cast::<u8>(), dst.cast::<u8>(), n) };
    dst.wrapping_byte_add(n)
}

/// Zeroes `n` bytes from `dst`.
///
/// # Safety
/// `dst..dst+n` is writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn bzero(dst: *mut c_void, n: usize) {
    // SAFETY: the caller's range.
    unsafe { raw::write_bytes(dst.cast::<u8>(), 0, n) }
}

/// Copies like [`memmove`], the source being the first argument.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn bcopy(src: *const c_void, dst: *mut c_void, n: usize) {
    // SAFETY: the caller's ranges.
    unsafe { raw::copy(src.cast::<u8>(), dst.cast::<u8>(), n) }
}

/// Zeroes `n` bytes from `dst`, even where nobody reads them again.
///
/// # Safety
/// `dst..dst+n` is writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn explicit_bzero(dst: *mut c_void, n: usize) {
    if n > 0 {
        // SAFETY: the caller's range. (With `n` 0 the address may be null, as a slice's may not.)
        zero_explicit(unsafe { core::slice::from_raw_parts_mut(dst.cast(), n) });
    }
}

/// Sets `n` wide characters from `dst` to `value`, and returns `dst`.
///
/// # Safety
/// `dst` is aligned, and `n` wide characters from there are writable. With `n` 0 nothing is touched.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn wmemset(dst: *mut WideChar, value: WideChar, n: usize) -> *mut WideChar {
    if n > 0 {
        // SAFETY: the caller's characters. (With `n` 0 the address may be null, as a slice's may not.)
        fill(unsafe { core::slice::from_raw_parts_mut(dst, n) }, value);
    }
    dst
}
