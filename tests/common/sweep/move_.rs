use super::{MARGIN, longest};
use crate::common::memory::End;
use crate::common::{Guarded, Subject, expect_same, noise};
use core::ops::Range;

/// What the slice method makes of it, byte by byte the same as a copy through a second buffer.
fn model(before: &[u8], src: Range<usize>, dest: usize) -> Vec<u8> {
    let mut after = before.to_vec();
    after.copy_within(src, dest);
    after
}

/// Moves ranges of every length over every distance, up and down, the lower range at every offset.
pub fn moves(subject: Subject, lengths: &[usize], distances: &[usize], offsets: &[usize]) {
    let before = noise(longest(lengths) + longest(distances) + longest(offsets) + 2 * MARGIN);
    let mut memory = Guarded::new(before.len());
    let buf = memory.bytes();
    for &n in lengths {
        for &distance in distances {
            for &offset in offsets {
                let (low, high) = (MARGIN + offset, MARGIN + offset + distance);
                let window = offset..high + n + MARGIN;
                for (from, to) in [(low, high), (high, low)] {
                    buf[window.clone()].copy_from_slice(&before[window.clone()]);
                    subject.copy_within(buf, from..from + n, to);
                    let start = window.start;
                    let expected = model(&before[window.clone()], from - start..from - start + n, to - start);
                    let direction = if to > from { "up" } else { "down" };
                    expect_same(&buf[window.clone()], &expected, || {
                        format!("{subject} move n={n}, {distance} {direction}, offset={offset}, window from -{MARGIN}")
                    });
                }
            }
        }
    }
}

/// Moves ranges so that the two together reach from one guard page on, or up to the other.
pub fn moves_at_guards(subject: Subject, lengths: &[usize], distances: &[usize]) {
    let before = noise(longest(lengths) + longest(distances));
    let mut memory = Guarded::new(before.len());
    for &n in lengths {
        for &distance in distances {
            for end in End::BOTH {
                let before = &before[..n + distance];
                for (from, to) in [(0, distance), (distance, 0)] {
                    let buf = memory.flush(end, n + distance);
                    buf.copy_from_slice(before);
                    subject.copy_within(buf, from..from + n, to);
                    expect_same(buf, &model(before, from..from + n, to), || {
                        format!("{subject} move n={n} from {from} to {to}, {end:?} guard")
                    });
                }
            }
        }
    }
}
