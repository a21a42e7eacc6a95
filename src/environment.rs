//! The environment without a lock or an allocation, and standard error without a buffer.

use core::ffi::{CStr, c_char};

/// No value of ours is longer than this many bytes.
pub(crate) const LONGEST: usize = 512;

/// A variable's value.
pub(crate) enum Value {
    /// It is not set, or must not be heeded.
    Unset,
    /// Its bytes: so many of them.
    Set([u8; LONGEST], usize),
    /// It has more than [`LONGEST`] bytes: the first of them.
    TooLong([u8; LONGEST]),
}

/// Reads a variable, unless this program runs with more rights than its caller has.
pub(crate) fn read(name: &CStr) -> Value {
    if elevated() {
        return Value::Unset;
    }
    // SAFETY: `name` ends in NUL. What `getenv` returns stays valid unless another thread changes the environment
    // meanwhile, which whoever does it must rule out against every reader (std's `set_var` is unsafe for it).
    let value = unsafe { libc::getenv(name.as_ptr()) };
    if value.is_null() { Value::Unset } else { copy_out(value) }
}

fn copy_out(value: *const c_char) -> Value {
    let mut bytes = [0; LONGEST];
    for (i, slot) in bytes.iter_mut().enumerate() {
        // SAFETY: the string goes on at least to its NUL, at which this loop ends.
        match unsafe { value.add(i).read() } as u8 {
            0 => return Value::Set(bytes, i),
            byte => *slot = byte,
        }
    }
    // SAFETY: no NUL was among the first LONGEST bytes, so there is one more.
    match unsafe { value.add(LONGEST).read() } {
        0 => Value::Set(bytes, LONGEST),
        _ => Value::TooLong(bytes),
    }
}

/// Whether the kernel says that the environment is not to be trusted: a set-uid start, a file capability.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn elevated() -> bool {
    // SAFETY: reads the auxiliary vector; no pointer is involved.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// Whether this process runs as somebody else than its caller.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn elevated() -> bool {
    // SAFETY: these four only return numbers.
    unsafe { libc::getuid() != libc::geteuid() || libc::getgid() != libc::getegid() }
}

/// Writes to standard error, in one system call where the system takes it whole.
pub(crate) fn complain(mut text: &[u8]) {
    while !text.is_empty() {
        // SAFETY: the pointer and the length are those of `text`.
        let written = unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
        match usize::try_from(written) {
            // Closed, full or interrupted: nobody to tell.
            Err(_) | Ok(0) => return,
            Ok(written) => text = &text[written.min(text.len())..],
        }
    }
}
