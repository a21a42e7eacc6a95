//! Nothing is inlined: every length goes through the pointer.

pub(crate) use crate::dispatch::{copy, fill, set};
