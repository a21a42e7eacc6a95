//! Guarded memory that is kept as small as a length allows, so that both its pages are near.

use crate::common::Guarded;
use std::sync::LazyLock;

static PAGE: LazyLock<usize> = LazyLock::new(|| Guarded::new(1).bytes().len());

/// Guarded bytes, all the same or as a source has them.
pub(crate) struct Arena {
    memory: Guarded,
    len: usize,
    fresh: fn(&mut [u8]),
}

impl Arena {
    /// An empty one, whose bytes `fresh` writes whenever it grows or shrinks.
    pub(crate) fn new(fresh: fn(&mut [u8])) -> Self {
        Self { memory: Guarded::new(1), len: 0, fresh }
    }

    /// Makes it the smallest for `n` bytes.
    pub(crate) fn fit(&mut self, n: usize) {
        let len = n.max(1).next_multiple_of(*PAGE);
        if len != self.len {
            (self.memory, self.len) = (Guarded::new(len), len);
            (self.fresh)(self.memory.bytes());
        }
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.memory.bytes()
    }
}

/// Where a range of `n` bytes lies in an arena.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// So many bytes behind the page in front.
    Start(usize),
    /// So many bytes before the page behind.
    End(usize),
}

impl Side {
    pub(crate) fn offset(self, arena: &Arena, n: usize) -> usize {
        match self {
            Self::Start(gap) => gap,
            Self::End(gap) => arena.len - gap - n,
        }
    }
}
