//! One aligned word at a time: right on every architecture, and the row that needs nothing.
//!
//! No access is ever unaligned, and none touches a byte outside the two ranges, not even inside an
//! aligned word that holds one of theirs: guard pages, sanitizers and interpreters stay quiet.
//! Where source and destination differ modulo the word, the source is read in aligned words too,
//! and two neighbours are shifted and merged into each word of the destination:
//!
//! ```text
//! source        |..abcdef|ghijklmn|opqr....|     aligned words, `shift` = 2
//! destination     |abcdefgh|ijklmnop|qr..        merge(low, high, shift)
//! ```
//!
//! Accesses are volatile: exactly these loads and stores, none of them torn, widened or turned into
//! a call of `memset` or `memcpy` by the compiler.

use crate::kernel::{Kernel, splat};

type Word = usize;
const SIZE: usize = size_of::<Word>();
/// Below this a copy goes byte by byte: at least one whole merged word must lie behind the bytes
/// that align the destination and that start the source's first word.
const SHORT: usize = 4 * SIZE;
/// Words in the 16 bytes of a pattern.
const PATTERN: usize = 16 / SIZE;

/// The row `generic`.
pub(crate) struct Words;

impl Kernel for Words {
    unsafe fn set(dst: *mut u8, byte: u8, n: usize) {
        // SAFETY: the caller's range; a repeated byte has period 1.
        unsafe { spread(dst, splat(byte), n) }
    }

    unsafe fn copy(dst: *mut u8, src: *const u8, n: usize) {
        // Forward is right unless dst lies inside src..src+n; the wrapping difference asks both bounds at once.
        if dst.addr().wrapping_sub(src.addr()) >= n {
            // SAFETY: the caller's ranges, and dst is not inside the source.
            unsafe { forward(dst, src, n) }
        } else {
            // SAFETY: the caller's ranges, and src is not inside the destination's part still to come.
            unsafe { backward(dst.add(n), src.add(n), n) }
        }
    }

    unsafe fn fill(dst: *mut u8, pattern: u128, n: usize) {
        // SAFETY: the caller's range.
        unsafe { spread(dst, pattern, n) }
    }
}

/// A pattern from its byte `at` on.
const fn turned(pattern: u128, at: usize) -> u128 {
    let bits = 8 * (at % 16) as u32;
    if cfg!(target_endian = "little") { pattern.rotate_right(bits) } else { pattern.rotate_left(bits) }
}

/// A pattern's first word in memory.
const fn first_word(pattern: u128) -> Word {
    if cfg!(target_endian = "little") { pattern as Word } else { (pattern >> (128 - Word::BITS)) as Word }
}

/// A pattern's first byte in memory.
const fn first_byte(pattern: u128) -> u8 {
    if cfg!(target_endian = "little") { pattern as u8 } else { (pattern >> 120) as u8 }
}

/// Repeats `pattern` over `n` bytes from `dst`.
///
/// # Safety
/// `dst..dst+n` is writable.
unsafe fn spread(dst: *mut u8, pattern: u128, n: usize) {
    let head = dst.align_offset(SIZE).min(n);
    // The pattern as the words see it, from the first aligned one on. A number, not an array: without
    // optimisation arrays are made and moved by calls of `memset` and `memcpy`.
    let words = turned(pattern, head);
    let mut done = 0;
    // SAFETY: every store is below `n`, and a word is stored only where `dst + done` is aligned:
    // `head` bytes reach the boundary (or n), and whole words keep to it.
    unsafe {
        while done < head {
            dst.add(done).write_volatile(first_byte(turned(pattern, done)));
            done += 1;
        }
        while n - done >= 16 {
            for w in 0..PATTERN {
                dst.add(done + w * SIZE).cast::<Word>().write_volatile(first_word(turned(words, w * SIZE)));
            }
            done += 16;
        }
        // Whole words to the end, so that none is seen half written.
        while n - done >= SIZE {
            dst.add(done).cast::<Word>().write_volatile(first_word(turned(pattern, done)));
            done += SIZE;
        }
        while done < n {
            dst.add(done).write_volatile(first_byte(turned(pattern, done)));
            done += 1;
        }
    }
}

/// The word that starts `shift` bytes into two neighbours in memory. `0 < shift < SIZE`.
const fn merge(low: Word, high: Word, shift: usize) -> Word {
    let (here, there) = (8 * shift as u32, 8 * (SIZE - shift) as u32);
    if cfg!(target_endian = "little") { low >> here | high << there } else { low << here | high >> there }
}

/// A word of which only the bytes `from..to` are read; the others are 0.
///
/// # Safety
/// The bytes `from..to` behind `base` are readable; `to <= SIZE`.
unsafe fn partial(base: *const u8, from: usize, to: usize) -> Word {
    let mut word = 0;
    for i in from..to {
        let place = if cfg!(target_endian = "little") { i } else { SIZE - 1 - i };
        // SAFETY: `from <= i < to`.
        let byte = unsafe { base.wrapping_add(i).read_volatile() };
        word |= Word::from(byte) << (8 * place);
    }
    word
}

/// Copies upwards.
///
/// # Safety
/// `src..src+n` is readable, `dst..dst+n` writable, and `dst` is not inside `src..src+n`
/// (but may be `src`): no byte is written before the source's byte at that place was read.
unsafe fn forward(mut dst: *mut u8, mut src: *const u8, mut n: usize) {
    // SAFETY: `n` counts what is left of both ranges, and every step takes no more than that. Words
    // are stored at aligned `dst`, and loaded at aligned addresses only: `src` itself where it is
    // aligned too, else the next boundary above it. In the merging loop the source word just read
    // ends `2 * SIZE - shift <= n` bytes from `src`, so it lies in the range; what the store then
    // overwrites of the source was read before, in `carry` or in `high`. The last whole word takes `SIZE - shift`
    // bytes from `carry` and `shift <= n - (SIZE - shift)` more from the range, one by one.
    unsafe {
        if n >= SHORT {
            while dst.addr() % SIZE != 0 {
                step(&mut dst, &mut src, &mut n);
            }
            let shift = src.addr() % SIZE;
            if shift == 0 {
                while n >= SIZE {
                    dst.cast::<Word>().write_volatile(src.cast::<Word>().read_volatile());
                    (dst, src, n) = (dst.add(SIZE), src.add(SIZE), n - SIZE);
                }
            } else {
                let mut carry = partial(src.wrapping_sub(shift), shift, SIZE);
                while n >= 2 * SIZE - shift {
                    let high = src.add(SIZE - shift).cast::<Word>().read_volatile();
                    dst.cast::<Word>().write_volatile(merge(carry, high, shift));
                    carry = high;
                    (dst, src, n) = (dst.add(SIZE), src.add(SIZE), n - SIZE);
                }
                if n >= SIZE {
                    // The last whole word: of the source's next one only the bytes that are in the range.
                    let high = partial(src.add(SIZE - shift), 0, shift);
                    dst.cast::<Word>().write_volatile(merge(carry, high, shift));
                    (dst, src, n) = (dst.add(SIZE), src.add(SIZE), n - SIZE);
                }
            }
        }
        while n > 0 {
            step(&mut dst, &mut src, &mut n);
        }
    }
}

/// Copies one byte upwards.
///
/// # Safety
/// `n > 0`, and both have a byte there.
unsafe fn step(dst: &mut *mut u8, src: &mut *const u8, n: &mut usize) {
    // SAFETY: the caller's promise.
    unsafe {
        dst.write_volatile(src.read_volatile());
        (*dst, *src, *n) = (dst.add(1), src.add(1), *n - 1);
    }
}

/// Copies downwards; `dst` and `src` are the ends of the ranges.
///
/// # Safety
/// `src-n..src` is readable, `dst-n..dst` writable, and `src` is not inside the destination but for
/// its upper end: no byte is written before the source's byte at that place was read.
unsafe fn backward(mut dst: *mut u8, mut src: *const u8, mut n: usize) {
    // SAFETY: the mirror image of `forward`. In the merging loop the word below the boundary under
    // `src` starts `SIZE + shift <= n` bytes below `src`, so it lies in the range; of the last whole word the bytes from
    // `src - SIZE` on are read one by one, and `n >= SIZE`.
    unsafe {
        if n >= SHORT {
            while dst.addr() % SIZE != 0 {
                step_down(&mut dst, &mut src, &mut n);
            }
            let shift = src.addr() % SIZE;
            if shift == 0 {
                while n >= SIZE {
                    (dst, src, n) = (dst.sub(SIZE), src.sub(SIZE), n - SIZE);
                    dst.cast::<Word>().write_volatile(src.cast::<Word>().read_volatile());
                }
            } else {
                let mut carry = partial(src.sub(shift), 0, shift);
                while n >= SIZE + shift {
                    let low = src.sub(SIZE + shift).cast::<Word>().read_volatile();
                    (dst, src, n) = (dst.sub(SIZE), src.sub(SIZE), n - SIZE);
                    dst.cast::<Word>().write_volatile(merge(low, carry, shift));
                    carry = low;
                }
                if n >= SIZE {
                    let low = partial(src.wrapping_sub(SIZE + shift), shift, SIZE);
                    (dst, src, n) = (dst.sub(SIZE), src.sub(SIZE), n - SIZE);
                    dst.cast::<Word>().write_volatile(merge(low, carry, shift));
                }
            }
        }
        while n > 0 {
            step_down(&mut dst, &mut src, &mut n);
        }
    }
}

/// Copies one byte downwards.
///
/// # Safety
/// `n > 0`, and both have a byte below.
unsafe fn step_down(dst: &mut *mut u8, src: &mut *const u8, n: &mut usize) {
    // SAFETY: the caller's promise.
    unsafe {
        (*dst, *src, *n) = (dst.sub(1), src.sub(1), *n - 1);
        dst.write_volatile(src.read_volatile());
    }
}
