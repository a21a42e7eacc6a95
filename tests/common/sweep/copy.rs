use super::{MARGIN, longest};
use crate::common::memory::End;
use crate::common::{Guarded, Subject, expect_same, noise};

/// Copies ranges of every length, the destination at every offset, the source at what `sources` says for it.
pub fn copy(subject: Subject, lengths: &[usize], offsets: &[usize], sources: impl Fn(usize) -> Vec<usize>) {
    let before = noise(longest(lengths) + longest(offsets) + 2 * MARGIN);
    let from = noise(longest(lengths) + 64 + 1);
    let mut memory = [Guarded::new(before.len()), Guarded::new(from.len())];
    let [dst, src] = memory.each_mut().map(Guarded::bytes);
    // Other bytes than those at the same place of the destination.
    src[..from.len()].copy_from_slice(&from);
    src[..from.len()].iter_mut().for_each(|byte| *byte = !*byte);
    for &n in lengths {
        for &offset in offsets {
            for source in sources(offset) {
                let (start, end) = (MARGIN + offset, MARGIN + offset + n);
                let (low, high) = (start - MARGIN, end + MARGIN);
                dst[low..high].copy_from_slice(&before[low..high]);
                subject.copy(&mut dst[start..end], &src[source..source + n]);
                let context = |part| move || format!("{subject} copy n={n}, to {offset}, from {source}: {part}");
                expect_same(&dst[low..start], &before[low..start], context("below"));
                expect_same(&dst[start..end], &src[source..source + n], context("inside"));
                expect_same(&dst[end..high], &before[end..high], context("above"));
            }
        }
    }
}

/// Copies ranges of every length, both flush against a guard page, each at either end.
pub fn copy_at_guards(subject: Subject, lengths: &[usize]) {
    let from = noise(longest(lengths));
    let mut memory = [Guarded::new(from.len()), Guarded::new(from.len())];
    let [to_memory, from_memory] = &mut memory;
    for &n in lengths {
        for source in End::BOTH {
            let src = from_memory.flush(source, n);
            src.copy_from_slice(&from[..n]);
            for end in End::BOTH {
                let dst = to_memory.flush(end, n);
                dst.fill(0);
                subject.copy(dst, src);
                expect_same(dst, src, || format!("{subject} copy n={n}, to {end:?} guard, from {source:?} guard"));
            }
        }
    }
}
