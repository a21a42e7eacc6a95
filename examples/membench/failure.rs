//! How a run ends when it cannot go on: a clear line, and the exit status that scripts look at.

use core::fmt;

/// A line for the user, and the status to exit with.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    pub(crate) status: u8,
}

impl Failure {
    /// What was asked for cannot be had: status 2, as for a flag that does not exist.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self { message: message.into(), status: 2 }
    }

    /// What was asked for was done, and the answer is no: status 1.
    pub(crate) fn negative(message: impl Into<String>) -> Self {
        Self { message: message.into(), status: 1 }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Failure {}
