//! 4 GiB and 123 bytes: a length cut to 32 bits anywhere would set or copy 123.
//!
//! The range is address space only. Its first and its last chunk are memory of their own; between them the same chunk
//! of a file in memory appears over and over, so that it costs a few megabytes. What lies
//! there is one repeated byte, until a move brings the edge of a neighbour into it.

#![cfg(target_os = "linux")]

mod common;

use common::memory::expect_same;
use common::{Grid, each_variant, noise, not_run};
use core::ptr::null_mut;
use fast_mem::Variant;

const CHUNK: usize = 2 << 20;
/// Where addresses have 32 bits this is 123, and the test is not run.
const LENGTH: usize = ((1u64 << 32) + 123) as usize;
/// How far a move goes: less than a chunk, and no multiple of anything.
const SHIFT: usize = 4099;
/// What the middle holds.
const MIDDLE: u8 = 0x5a;
/// Whole chunks that hold the length and the shift.
const CHUNKS: usize = (LENGTH + SHIFT).div_ceil(CHUNK);

struct Huge {
    base: *mut u8,
}

fn checked(address: *mut libc::c_void) -> Result<*mut u8, std::io::Error> {
    if address == libc::MAP_FAILED { Err(std::io::Error::last_os_error()) } else { Ok(address.cast()) }
}

impl Huge {
    fn new() -> Result<Self, std::io::Error> {
        let (access, reserve) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
        // SAFETY: a new mapping; parts of it are then replaced by views of the file.
        unsafe {
            let base = checked(libc::mmap(null_mut(), CHUNKS * CHUNK, access, reserve, -1, 0))?;
            let huge = Self { base };
            let file = libc::memfd_create(c"middle".as_ptr(), libc::MFD_CLOEXEC);
            if file < 0 || libc::ftruncate(file, CHUNK as libc::off_t) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            for chunk in 1..CHUNKS - 1 {
                let at = base.add(chunk * CHUNK).cast();
                checked(libc::mmap(at, CHUNK, access, libc::MAP_SHARED | libc::MAP_FIXED, file, 0))?;
            }
            libc::close(file);
            Ok(huge)
        }
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the whole mapping, borrowed as long as the result. That bytes of the middle have several addresses
        // is unknown to the compiler, and does not matter to code that it does not see through: the routines' own.
        unsafe { core::slice::from_raw_parts_mut(self.base, CHUNKS * CHUNK) }
    }

    /// First, middle and last chunk.
    fn parts(&mut self) -> [Vec<u8>; 3] {
        [0, 1, CHUNKS - 1].map(|chunk| self.bytes()[chunk * CHUNK..][..CHUNK].to_vec())
    }

    fn put(&mut self, parts: &[Vec<u8>; 3]) {
        for (chunk, part) in [0, 1, CHUNKS - 1].into_iter().zip(parts) {
            self.bytes()[chunk * CHUNK..][..CHUNK].copy_from_slice(part);
        }
    }
}

impl Drop for Huge {
    fn drop(&mut self) {
        // SAFETY: exactly the mapping, to which nobody refers any more.
        unsafe { libc::munmap(self.base.cast(), CHUNKS * CHUNK) };
    }
}

/// How much of the range lies in the last chunk.
const LAST: usize = LENGTH - (CHUNKS - 1) * CHUNK;

fn before() -> [Vec<u8>; 3] {
    let ends = noise(2 * CHUNK);
    [ends[..CHUNK].to_vec(), vec![MIDDLE; CHUNK], ends[CHUNK..].to_vec()]
}

fn expect(huge: &mut Huge, expected: &[Vec<u8>; 3], what: &str) {
    for ((part, expected), name) in huge.parts().iter().zip(expected).zip(["first", "middle", "last"]) {
        expect_same(part, expected, || format!("{what}: {name} chunk"));
    }
}

fn set(row: &Variant, huge: &mut Huge) {
    let [_, _, mut last] = before();
    huge.put(&before());
    row.set(&mut huge.bytes()[..LENGTH], 0xc3).unwrap();
    last[..LAST].fill(0xc3);
    expect(huge, &[vec![0xc3; CHUNK], vec![0xc3; CHUNK], last], &format!("{} set", row.name()));
}

fn fill(row: &Variant, huge: &mut Huge) {
    let [_, _, mut last] = before();
    huge.put(&before());
    let n = LENGTH / 4;
    // SAFETY: the mapping is aligned and longer, and any bytes are numbers.
    let words = unsafe { core::slice::from_raw_parts_mut(huge.base.cast::<u32>(), n) };
    row.fill(words, 0x0403_0201).unwrap();
    let pattern = |len: usize| 0x0403_0201u32.to_ne_bytes().into_iter().cycle().take(len).collect::<Vec<u8>>();
    last[..LAST / 4 * 4].copy_from_slice(&pattern(LAST / 4 * 4));
    expect(huge, &[pattern(CHUNK), pattern(CHUNK), last], &format!("{} fill", row.name()));
}

fn copy(row: &Variant, to: &mut Huge, from: &mut Huge) {
    let [_, _, mut last] = before();
    to.put(&before());
    let source = noise(3 * CHUNK);
    let source: [Vec<u8>; 3] = core::array::from_fn(|i| source[i * CHUNK..][..CHUNK].iter().map(|b| !b).collect());
    from.put(&source);
    row.copy(&mut to.bytes()[..LENGTH], &from.bytes()[..LENGTH]).unwrap();
    last[..LAST].copy_from_slice(&source[2][..LAST]);
    let [first, middle, _] = source;
    expect(to, &[first, middle, last], &format!("{} copy", row.name()));
}

/// Moved up, the end of the first chunk comes to lie at the start of every middle one, the end of
/// the middle at the start of the last. The range is read downwards, so that the middle is whole while it is needed.
fn move_up(row: &Variant, huge: &mut Huge) {
    let [first, middle, last] = before();
    huge.put(&before());
    row.copy_within(huge.bytes(), ..LENGTH, SHIFT).unwrap();
    let expected = [
        [&first[..SHIFT], &first[..CHUNK - SHIFT]].concat(),
        [&first[CHUNK - SHIFT..], &middle[SHIFT..]].concat(),
        [&middle[..SHIFT], &last[..LAST], &last[LAST + SHIFT..]].concat(),
    ];
    expect(huge, &expected, &format!("{} move up", row.name()));
}

/// Moved down, the start of the last chunk comes to lie at the end of every middle one.
fn move_down(row: &Variant, huge: &mut Huge) {
    let [first, middle, last] = before();
    huge.put(&before());
    row.copy_within(huge.bytes(), SHIFT..SHIFT + LENGTH, 0).unwrap();
    let expected = [
        [&first[SHIFT..], &middle[..SHIFT]].concat(),
        [&middle[SHIFT..], &last[..SHIFT]].concat(),
        [&last[SHIFT..SHIFT + LAST], &last[LAST..]].concat(),
    ];
    expect(huge, &expected, &format!("{} move down", row.name()));
}

#[test]
fn more_than_32_bits() {
    let what = "4 GiB and 123 bytes";
    if usize::BITS < 64 {
        return not_run(what, "addresses have 32 bits");
    }
    if Grid::get() == Grid::Thin {
        return not_run(what, "FAST_MEM_TEST_GRID is thin");
    }
    match (Huge::new(), Huge::new()) {
        (Ok(mut one), Ok(mut other)) => each_variant().into_iter().for_each(|row| {
            set(row, &mut one);
            fill(row, &mut one);
            copy(row, &mut one, &mut other);
            move_up(row, &mut one);
            move_down(row, &mut one);
        }),
        (Err(error), _) | (_, Err(error)) => not_run(what, &format!("no address space: {error}")),
    }
}
