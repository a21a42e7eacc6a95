//! The safe functions on slices.
//!
//! `inline(always)`, so that the caller does small lengths itself whatever is around: left to choose, LLVM made a function of `copy`,
//! and 8 bytes then took 1.4 ns instead of 1.05.

use crate::front;
use crate::pattern::Pattern;
use crate::range;
use core::mem::MaybeUninit;
use core::ops::RangeBounds;

/// The longest array that is left to the compiler, which knows its length and makes a few stores of it: up to eight of the widest
/// registers (a call of `memcpy` above).
const UNROLLED: usize = if cfg!(fast_mem_simd) { 8 * 16 } else { 8 * 4 };

/// The length of `buf`, if it is a short array; more than any length if it is something else.
///
/// All of it is known to the compiler, so that nothing is left of the question.
#[inline(always)]
fn short_array<B: ?Sized>(buf: &B) -> usize {
    // A thin reference is one to a type of known size, and only bytes are aligned to one: a `Vec` is neither wide nor bytes.
    let is_sized = size_of::<&B>() == size_of::<usize>();
    let size = size_of_val(buf);
    if is_sized && align_of_val(buf) == 1 && size <= UNROLLED { size } else { usize::MAX }
}

/// Sets every byte of `buf` (an array, a slice, a `Vec`, whatever gives a `&mut [u8]`) to `byte`.
///
/// Any length and alignment. An array of up to 128 bytes becomes the stores that the compiler makes of it. Else up to 64 bytes are
/// stored in place (x86-64; with AVX-512 up to 128), more by the chosen variant; from [`tunables()`](crate::tunables)`.get("set_streaming")` bytes on the
/// vector variants store around the caches, and a fence orders those stores before the return.
///
/// ```
/// let mut buf = [0; 100];
/// fast_mem::set(&mut buf, 0xa5);
/// assert_eq!(buf, [0xa5; 100]);
/// ```
#[inline(always)]
pub fn set<B: AsMut<[u8]> + ?Sized>(buf: &mut B, byte: u8) {
    let array = short_array(buf);
    let buf = buf.as_mut();
    let (dst, n) = (buf.as_mut_ptr(), buf.len());
    // SAFETY: a slice's bytes are writable.
    unsafe { if n == array { dst.write_bytes(byte, n) } else { front::set(dst, byte, n) } }
}

/// Zeroes every byte of `buf`: [`set`] with 0.
///
/// The compiler may drop it where nobody reads `buf` again; for secrets there is [`zero_explicit`].
///
/// ```
/// let mut buf = [1; 100];
/// fast_mem::zero(&mut buf);
/// assert_eq!(buf, [0; 100]);
/// ```
#[inline(always)]
pub fn zero<B: AsMut<[u8]> + ?Sized>(buf: &mut B) {
    set(buf, 0);
}

/// Copies `src` to `dst`, like `dst.copy_from_slice(src)`.
///
/// Both may be an array, a slice, a `Vec`, whatever gives a `[u8]`, of any length and alignment; they cannot overlap
/// ([`copy_within`] is for ranges that do). From [`tunables()`](crate::tunables)`.get("copy_streaming")` bytes on the vector
/// variants store around the caches.
///
/// # Panics
/// If the lengths differ. Both slices are as they were then.
///
/// ```
/// let mut to = [0; 5];
/// fast_mem::copy(&mut to, b"bytes");
/// assert_eq!(&to, b"bytes");
/// ```
#[inline(always)]
#[track_caller]
pub fn copy<D: AsMut<[u8]> + ?Sized, S: AsRef<[u8]> + ?Sized>(dst: &mut D, src: &S) {
    let array = short_array(dst).min(short_array(src));
    let (dst, src) = (dst.as_mut(), src.as_ref());
    range::same_length(dst.len(), src.len());
    let (dst, n) = (dst.as_mut_ptr(), src.len());
    // SAFETY: two slices of one length, which do not overlap, since one may be written.
    unsafe {
        if n == array {
            dst.copy_from_nonoverlapping(src.as_ptr(), n);
        } else {
            front::copy(dst, src.as_ptr(), n);
        }
    }
}

/// Copies the range `src` of `buf` to `dest`, like `buf.copy_within(src, dest)`. The ranges may overlap in any way.
///
/// # Panics
/// If the source range ends before it starts, or source or destination reach beyond the slice. It is as it was then.
///
/// ```
/// let mut text = *b"memmove";
/// fast_mem::copy_within(&mut text, 3.., 1);
/// assert_eq!(&text, b"mmoveve");
/// ```
#[inline]
#[track_caller]
pub fn copy_within(buf: &mut [u8], src: impl RangeBounds<usize>, dest: usize) {
    let (start, n) = range::within(buf.len(), src, dest);
    let base = buf.as_mut_ptr();
    // SAFETY: `within` has checked both ranges against the slice.
    unsafe { front::copy(base.add(dest), base.add(start), n) }
}

/// Sets every element of `buf` to `value`, like `buf.fill(value)`.
///
/// For every primitive number; its bytes repeat with 1, 2, 4, 8 or 16.
///
/// ```
/// let mut pixels = [0u32; 50];
/// fast_mem::fill(&mut pixels, 0xff00_80c0);
/// assert_eq!(pixels, [0xff00_80c0; 50]);
/// ```
#[inline(always)]
pub fn fill<T: Pattern>(buf: &mut [T], value: T) {
    let (dst, n) = (buf.as_mut_ptr().cast::<u8>(), size_of_val(buf));
    let pattern = value.repeated();
    // SAFETY: a slice's bytes are writable, and any bytes are a value of these types. The pattern's
    // period is T's size, which divides n, and on x86-64 T's alignment, hence dst.
    unsafe { if size_of::<T>() == 1 { front::set(dst, pattern as u8, n) } else { front::fill(dst, pattern, n) } }
}

/// Sets every byte of uninitialised memory to `byte`, and returns it as initialised.
///
/// ```
/// use core::mem::MaybeUninit;
/// let mut page = [MaybeUninit::uninit(); 4096];
/// let page: &mut [u8] = fast_mem::set_uninit(&mut page, 1);
/// assert_eq!(page, [1; 4096]);
/// ```
#[inline(always)]
pub fn set_uninit(buf: &mut [MaybeUninit<u8>], byte: u8) -> &mut [u8] {
    // SAFETY: a slice's bytes are writable, and all of them are initialised by `set`.
    unsafe {
        front::set(buf.as_mut_ptr().cast(), byte, buf.len());
        initialised(buf)
    }
}

/// Copies `src` to uninitialised memory, and returns that as initialised.
///
/// # Panics
/// If the lengths differ. The memory is as it was then.
///
/// ```
/// use core::mem::MaybeUninit;
/// let mut to = [MaybeUninit::uninit(); 5];
/// assert_eq!(fast_mem::copy_uninit(&mut to, b"bytes"), b"bytes");
/// ```
#[inline(always)]
#[track_caller]
pub fn copy_uninit<'a>(dst: &'a mut [MaybeUninit<u8>], src: &[u8]) -> &'a mut [u8] {
    range::same_length(dst.len(), src.len());
    // SAFETY: two slices of one length, and all of `dst` is initialised by `copy`.
    unsafe {
        front::copy(dst.as_mut_ptr().cast(), src.as_ptr(), src.len());
        initialised(dst)
    }
}

/// The same bytes, known to be initialised.
///
/// # Safety
/// They are.
unsafe fn initialised(buf: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and the caller vouches for the bytes.
    unsafe { &mut *(core::ptr::from_mut(buf) as *mut [u8]) }
}

/// Zeroes every byte of `buf`, whatever the optimiser can see: for keys and passwords that nobody reads again.
///
/// The routine is called through a pointer that is read as volatile, so the compiler cannot know that it only
/// stores. Copies that the compiler made elsewhere (registers, the stack) are not reached.
///
/// ```
/// let mut key = *b"a secret key";
/// fast_mem::zero_explicit(&mut key);
/// assert_eq!(key, [0; 12]);
/// ```
#[inline]
pub fn zero_explicit(buf: &mut [u8]) {
    static ZERO: fn(&mut [u8]) = zero::<[u8]>;
    // SAFETY: the static is valid for reads.
    let zero = unsafe { (&raw const ZERO).read_volatile() };
    zero(buf);
}
