//! Where no environment can be read: nothing is ever set.

use core::ffi::CStr;

/// No value of ours is longer than this many bytes.
pub(crate) const LONGEST: usize = 512;

/// A variable's value.
#[expect(dead_code, reason = "the shape of the other platforms")]
pub(crate) enum Value {
    /// It is not set.
    Unset,
    /// Its bytes: so many of them.
    Set([u8; LONGEST], usize),
    /// It has more than [`LONGEST`] bytes: the first of them.
    TooLong([u8; LONGEST]),
}

/// Nothing.
pub(crate) fn read(_name: &CStr) -> Value {
    Value::Unset
}

/// Nobody is told.
pub(crate) fn complain(_text: &[u8]) {}
