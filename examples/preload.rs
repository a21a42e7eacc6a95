//! Any dynamically linked program on fast_mem, as it is:
//!
//! ```text
//! cargo build --release --example preload
//! LD_PRELOAD=target/release/examples/libpreload.so python3 …
//! ```
//!
//! The library needs libc and libgcc_s. Nothing in it allocates or unwinds.

use fast_mem as _;

// The feature `symbols` would export them from the crate itself; this works without it too.
#[cfg(all(target_os = "linux", not(feature = "symbols")))]
#[path = "../src/fortified.rs"]
mod fortified;
#[cfg(all(target_os = "linux", not(feature = "symbols")))]
#[path = "../src/symbols.rs"]
mod symbols;
#[cfg(all(target_os = "linux", not(feature = "symbols")))]
use fast_mem::{fill, raw, zero_explicit};
