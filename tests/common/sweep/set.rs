use super::{MARGIN, longest};
use crate::common::memory::End;
use crate::common::{Guarded, Subject, expect_same, noise};

/// Zero has a threshold of its own; the others have both halves of a byte.
const BYTES: [u8; 3] = [0, 0xa5, 0xff];

/// Sets ranges of every length at every offset.
pub fn set(subject: Subject, lengths: &[usize], offsets: &[usize]) {
    let before = noise(longest(lengths) + longest(offsets) + 2 * MARGIN);
    let mut memory = Guarded::new(before.len());
    let buf = &mut memory.bytes()[..before.len()];
    let all = BYTES.map(|byte| vec![byte; longest(lengths)]);
    for (i, &n) in lengths.iter().enumerate() {
        for (j, &offset) in offsets.iter().enumerate() {
            let pick = (i + j) % BYTES.len();
            let (start, end) = (MARGIN + offset, MARGIN + offset + n);
            let low = start - MARGIN;
            let high = end + MARGIN;
            buf[low..high].copy_from_slice(&before[low..high]);
            subject.set(&mut buf[start..end], BYTES[pick]);
            let context = |part| move || format!("{subject} set {:#x}, n={n}, offset={offset}: {part}", BYTES[pick]);
            expect_same(&buf[low..start], &before[low..start], context("below"));
            expect_same(&buf[start..end], &all[pick][..n], context("inside"));
            expect_same(&buf[end..high], &before[end..high], context("above"));
        }
    }
}

/// Sets ranges of every length flush against either guard page.
pub fn set_at_guards(subject: Subject, lengths: &[usize]) {
    let mut memory = Guarded::new(longest(lengths));
    for &n in lengths {
        for end in End::BOTH {
            for byte in BYTES {
                let buf = memory.flush(end, n);
                buf.fill(!byte);
                subject.set(buf, byte);
                assert!(buf.iter().all(|&b| b == byte), "{subject} set {byte:#x}, n={n}, {end:?} guard");
            }
        }
    }
}
