//! The bodies: one for each operation, run over every subject.
//!
//! Each call works in the middle of known bytes, and everything in reach is compared with what a plain model makes of it.

mod copy;
mod fill;
mod move_;
mod set;

pub use copy::{copy, copy_at_guards};
pub use fill::{Bits, fill, fill_at_guards};
pub use move_::{moves, moves_at_guards};
pub use set::{set, set_at_guards};

/// Known bytes before and behind: more than any turn of any loop.
const MARGIN: usize = 320;

fn longest(lengths: &[usize]) -> usize {
    lengths.iter().copied().max().unwrap_or(0)
}
