//! The raw twins: names, order, generics and contracts of [`core::ptr`].
//!
//! ```
//! let (src, mut dst) = ([1u32, 2, 3], [0u32; 3]);
//! // SAFETY: three elements each, and the arrays are different ones.
//! unsafe { fast_mem::raw::copy_nonoverlapping(src.as_ptr(), dst.as_mut_ptr(), 3) };
//! assert_eq!(dst, [1, 2, 3]);
//! ```

use crate::front;

/// Sets `count * size_of::<T>()` bytes from `dst` to `val`, like [`core::ptr::write_bytes`].
///
/// # Safety
/// As there: `dst` is aligned and valid for writing that many bytes. With a length of 0 nothing is accessed, and
/// `dst` may dangle.
///
/// ```
/// let mut words = [0u64; 10];
/// // SAFETY: ten elements of plain bytes.
/// unsafe { fast_mem::raw::write_bytes(words.as_mut_ptr(), 0xff, 10) };
/// assert_eq!(words, [u64::MAX; 10]);
/// ```
#[inline(always)]
pub unsafe fn write_bytes<T>(dst: *mut T, val: u8, count: usize) {
    // SAFETY: the caller's promise; an existing object's size fits into usize.
    unsafe { front::set(dst.cast(), val, count.unchecked_mul(size_of::<T>())) }
}

/// Copies `count * size_of::<T>()` bytes from `src` to `dst`, like [`core::ptr::copy`]. The ranges may overlap.
///
/// # Safety
/// As there: both are aligned, `src` valid for reading and `dst` for writing that many bytes. With a length of 0 nothing
/// is accessed, and both may dangle.
///
/// ```
/// let mut words = [1u16, 2, 3, 4];
/// // SAFETY: elements 0..3 and 1..4 are inside the array.
/// unsafe { fast_mem::raw::copy(words.as_ptr(), words.as_mut_ptr().add(1), 3) };
/// assert_eq!(words, [1, 1, 2, 3]);
/// ```
#[inline(always)]
pub unsafe fn copy<T>(src: *const T, dst: *mut T, count: usize) {
    // SAFETY: the caller's promise; an existing object's size fits into usize.
    unsafe { front::copy(dst.cast(), src.cast(), count.unchecked_mul(size_of::<T>())) }
}

/// Copies `count * size_of::<T>()` bytes from `src` to `dst`, like [`core::ptr::copy_nonoverlapping`].
///
/// An overlap, though against the contract, is copied as by [`copy`].
///
/// # Safety
/// As there: both are aligned, `src` valid for reading and `dst` for writing that many bytes, and they do not overlap. With a
/// length of 0 nothing is accessed, and both may dangle.
///
/// ```
/// let (src, mut dst) = ([1.5f32; 40], [0f32; 40]);
/// // SAFETY: forty elements each, and the arrays are different ones.
/// unsafe { fast_mem::raw::copy_nonoverlapping(src.as_ptr(), dst.as_mut_ptr(), 40) };
/// assert_eq!(dst, src);
/// ```
#[inline(always)]
pub unsafe fn copy_nonoverlapping<T>(src: *const T, dst: *mut T, count: usize) {
    // SAFETY: the caller's promise is the stricter one.
    unsafe { copy(src, dst, count) }
}
