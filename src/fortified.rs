//! What programs built with `-D_FORTIFY_SOURCE` call: the memory functions that are told how large the destination is.

use crate::symbols::{explicit_bzero, memcpy, memmove, mempcpy, memset};
use core::ffi::{c_int, c_void};

/// Ends the program, as the C library does, where a destination is too small.
fn check(n: usize, room: usize) {
    #[cold]
    #[inline(never)]
    fn overflow() -> ! {
        const MESSAGE: &[u8] = b"*** buffer overflow detected ***: terminated\n";
        // SAFETY: the pointer and the length are the message's. With standard error closed nobody is told.
        unsafe {
            libc::write(2, MESSAGE.as_ptr().cast(), MESSAGE.len());
            libc::abort()
        }
    }
    if n > room {
        overflow()
    }
}

/// [`memset`], if `n` is at most `room`; else the program ends.
///
/// # Safety
/// `dst..dst+room` is writable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn __memset_chk(dst: *mut c_void, byte: c_int, n: usize, room: usize) -> *mut c_void {
    check(n, room);
    // SAFETY: the caller's range, of which `n` bytes are in bounds.
    unsafe { memset(dst, byte, n) }
}

/// [`memcpy`], if `n` is at most `room`; else the program ends.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+room` writable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn __memcpy_chk(
    dst: *mut c_void,
    src: *const c_void,
    n: usize,
    room: usize,
) -> *mut c_void {
    check(n, room);
    // SAFETY: the caller's ranges, of which `n` bytes are in bounds.
    unsafe { memcpy(dst, src, n) }
}

/// [`memmove`], if `n` is at most `room`; else the program ends.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+room` writable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn __memmove_chk(
    dst: *mut c_void,
    src: *const c_void,
    n: usize,
    room: usize,
) -> *mut c_void {
    check(n, room);
    // SAFETY: the caller's ranges, of which `n` bytes are in bounds.
    unsafe { memmove(dst, src, n) }
}

/// [`mempcpy`], if `n` is at most `room`; else the program ends.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+room` writable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn __mempcpy_chk(
    dst: *mut c_void,
    src: *const c_void,
    n: usize,
    room: usize,
) -> *mut c_void {
    check(n, room);
    // SAFETY: the caller's ranges, of which `n` bytes are in bounds.
    unsafe { mempcpy(dst, src, n) }
}

/// [`explicit_bzero`], if `n` is at most `room`; else the program ends.
///
/// # Safety
/// `dst..dst+room` is writable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn __explicit_bzero_chk(dst: *mut c_void, n: usize, room: usize) {
    check(n, room);
    // SAFETY: the caller's range, of which `n` bytes are in bounds.
    unsafe { explicit_bzero(dst, n) }
}
