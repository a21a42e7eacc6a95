use super::{MARGIN, longest};
use crate::common::memory::End;
use crate::common::{Guarded, Subject, expect_same, noise};
use core::any::type_name;
use fast_mem::Pattern;

/// A number made of given bytes.
pub trait Bits: Pattern {
    fn of(bytes: [u8; 16]) -> Self;
}

macro_rules! bits {
    ($($t:ty)*) => {$(
        impl Bits for $t {
            fn of(bytes: [u8; 16]) -> Self {
                Self::from_ne_bytes(core::array::from_fn(|i| bytes[i]))
            }
        }
    )*};
}
bits!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64);

/// Sixteen different bytes: every shift of a pattern shows.
const VALUE: [u8; 16] =
    [0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef];

/// Those of `n` bytes as elements.
fn elements<T>(bytes: &mut [u8]) -> &mut [T] {
    let data = bytes.as_mut_ptr().cast::<T>();
    assert!(data.is_aligned() && bytes.len() % size_of::<T>() == 0);
    // SAFETY: aligned, in the bytes' bounds, borrowed as they are; T is a number, for which all bytes are good.
    unsafe { core::slice::from_raw_parts_mut(data, bytes.len() / size_of::<T>()) }
}

fn expected(size: usize, n: usize) -> Vec<u8> {
    VALUE[..size].iter().copied().cycle().take(n).collect()
}

/// Fills ranges of every length that holds whole elements, at every offset that their alignment allows.
pub fn fill<T: Bits>(subject: Subject, lengths: &[usize], offsets: &[usize]) {
    let (size, align) = (size_of::<T>(), align_of::<T>());
    let before = noise(longest(lengths) + longest(offsets) + 2 * MARGIN);
    let mut memory = Guarded::new(before.len());
    let buf = &mut memory.bytes()[..before.len()];
    let all = expected(size, longest(lengths));
    for &n in lengths.iter().filter(|&n| n % size == 0) {
        for &offset in offsets.iter().filter(|&offset| offset % align == 0) {
            let (start, end) = (MARGIN + offset, MARGIN + offset + n);
            let (low, high) = (start - MARGIN, end + MARGIN);
            buf[low..high].copy_from_slice(&before[low..high]);
            subject.fill(elements(&mut buf[start..end]), T::of(VALUE));
            let name = type_name::<T>();
            let context = |part| move || format!("{subject} fill {name}, {n} bytes, offset={offset}: {part}");
            expect_same(&buf[low..start], &before[low..start], context("below"));
            expect_same(&buf[start..end], &all[..n], context("inside"));
            expect_same(&buf[end..high], &before[end..high], context("above"));
        }
    }
}

/// Fills ranges of every length that holds whole elements flush against either guard page.
pub fn fill_at_guards<T: Bits>(subject: Subject, lengths: &[usize]) {
    let mut memory = Guarded::new(longest(lengths));
    for &n in lengths.iter().filter(|&n| n % size_of::<T>() == 0) {
        for end in End::BOTH {
            let buf = memory.flush(end, n);
            buf.fill(0);
            subject.fill(elements(buf), T::of(VALUE));
            let name = type_name::<T>();
            expect_same(buf, &expected(size_of::<T>(), n), || {
                format!("{subject} fill {name}, {n} bytes, {end:?} guard")
            });
        }
    }
}
