//! What x86-64 offers: inlined small sizes, unrolled quadwords, string instructions, and vectors of three
//! widths.

pub(crate) mod block;
mod cpuid;
#[cfg(fast_mem_simd)]
pub(crate) mod front;
pub(crate) mod small;
pub(crate) mod strings;
pub(crate) mod unrolled;

#[cfg(fast_mem_simd)]
mod ladder;
#[cfg(fast_mem_simd)]
mod loops;
#[cfg(fast_mem_simd)]
pub(crate) mod masked;
#[cfg(fast_mem_simd)]
mod pages;
#[cfg(fast_mem_simd)]
pub(crate) mod rows;
#[cfg(fast_mem_simd)]
pub(crate) mod streaming;
#[cfg(fast_mem_simd)]
pub(crate) mod vector;
#[cfg(fast_mem_simd)]
pub(crate) mod vectors;

pub(crate) use cpuid::{detect, read};
