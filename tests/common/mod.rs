//! What the tests share: whom they test, with which lengths, in what memory, and the bodies that are run over all of it.
//!
//! `FAST_MEM_TEST_GRID=thin|middle|full` sets how much is tried (default `middle`). `FAST_MEM_TEST_RUNNER` is
//! put before the command line where a test starts itself again, such as `qemu-x86_64 -cpu Haswell`.

#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test file uses a part, and nobody else uses any")]

pub mod child;
pub mod grid;
pub mod memory;
pub mod subject;
pub mod sweep;

pub use child::in_child;
pub use grid::Grid;
pub use memory::{Guarded, expect_same, noise};
pub use subject::{Subject, each_subject, each_variant};

/// Says what a test did not try, and why.
pub fn not_run(what: &str, why: &str) {
    println!("not run: {what}: {why}");
}

/// Whether overrides are read from the environment in this build.
pub const ENV: bool = cfg!(all(feature = "env", unix));
