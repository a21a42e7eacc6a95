//! The bounds that the safe functions check, with the panics of the slice methods.

use core::ops::{Bound, RangeBounds};

/// # Panics
/// If they differ.
#[inline]
#[track_caller]
pub(crate) fn same_length(dst: usize, src: usize) {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn differ(dst: usize, src: usize) -> ! {
        panic!("copy: source slice length ({src}) does not match destination slice length ({dst})")
    }
    if dst != src {
        differ(dst, src)
    }
}

/// Start and length of a source range whose copy at `dest` stays within `len`.
///
/// # Panics
/// If it ends before it starts, or if source or destination reach beyond `len`.
#[inline]
#[track_caller]
pub(crate) fn within(len: usize, src: impl RangeBounds<usize>, dest: usize) -> (usize, usize) {
    let start = match src.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.checked_add(1).expect("attempted to index slice from after maximum usize"),
        Bound::Unbounded => 0,
    };
    let end = match src.end_bound() {
        Bound::Included(&last) => last.checked_add(1).expect("attempted to index slice up to maximum usize"),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => len,
    };
    assert!(start <= end, "slice index starts at {start} but ends at {end}");
    assert!(end <= len, "range end index {end} out of range for slice of length {len}");
    let n = end - start;
    assert!(dest <= len - n, "dest is out of bounds: {n} bytes at {dest} reach beyond the slice's length {len}");
    (start, n)
}
