//! Fill: every width, at every alignment that it allows, at every length.

mod common;

use common::sweep::{Bits, fill, fill_at_guards};
use common::{Grid, each_subject, grid};

fn one_width<T: Bits>() {
    let grid = Grid::get();
    let classes = grid::around_classes(32 << 10);
    // Whole elements around the classes, and every length that the width allows modulo 64.
    let around: Vec<_> = classes.iter().map(|n| n / size_of::<T>() * size_of::<T>()).collect();
    for subject in each_subject() {
        fill::<T>(subject, &grid.lengths(), &grid.offsets());
        fill::<T>(subject, &around, &[0, 16, 48]);
        fill_at_guards::<T>(subject, &around);
    }
}

macro_rules! widths {
    ($($t:ident)*) => {$(
        #[test]
        fn $t() {
            one_width::<$t>();
        }
    )*};
}
widths!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64);

/// The bytes of a number, not its value: a NaN's payload and the sign of zero are kept.
#[test]
fn floats_keep_their_bits() {
    for bits in [0x7fc0_1234, 0xffa0_0001, 0x8000_0000u32] {
        let mut buf = [0f32; 100];
        fast_mem::fill(&mut buf, f32::from_bits(bits));
        assert!(buf.iter().all(|value| value.to_bits() == bits), "{bits:#x}");
    }
}
