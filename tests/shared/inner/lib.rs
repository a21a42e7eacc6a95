//! The shared library that holds the crate.

pub use fast_mem;
