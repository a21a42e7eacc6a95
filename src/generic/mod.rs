//! What every architecture can do: words at a time, never an unaligned access.

pub(crate) mod word;

#[cfg(fast_mem_checked)]
pub(crate) mod checked;
#[cfg(not(any(fast_mem_simd, fast_mem_checked)))]
pub(crate) mod front;
#[cfg(not(fast_mem_x86_64))]
mod unknown_cpu;

#[cfg(not(fast_mem_x86_64))]
pub(crate) use unknown_cpu::{detect, read};
pub(crate) use word::Words;
