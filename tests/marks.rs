//! Ranges that cross the 2 GiB and 4 GiB marks of an address, where a pointer cut to 32 bits changes its sign or its value.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

mod common;

use common::{each_variant, not_run};

const HALF: usize = 1 << 16;

/// Memory on both sides of `mark`, if nothing lies there yet.
fn around(mark: usize) -> Option<&'static mut [u8]> {
    let wanted = core::ptr::without_provenance_mut::<libc::c_void>(mark - HALF);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: a new mapping at an address where none is, or an error.
    let got = unsafe { libc::mmap(wanted, 2 * HALF, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    // SAFETY: the kernel has just given these zeroed bytes, to nobody else, and they are never unmapped.
    (got == wanted).then(|| unsafe { core::slice::from_raw_parts_mut(got.cast(), 2 * HALF) })
}

#[test]
fn ranges_cross_the_marks() {
    for mark in [1usize << 31, 1 << 32] {
        let Some(memory) = around(mark) else {
            not_run(&format!("ranges across {mark:#x}"), "something else lies there");
            continue;
        };
        let source: Vec<u8> = (0..2 * HALF).map(|i| (i * 7 + i / 251) as u8).collect();
        for variant in each_variant() {
            for n in [1, 8, 63, 64, 65, 200, 700, 5000, HALF] {
                let start = HALF - n / 2 - 1;
                variant.set(&mut memory[start..start + n], 0xa5).unwrap();
                assert!(memory[start..start + n].iter().all(|&b| b == 0xa5), "{} set {n} at {mark:#x}", variant.name());
                variant.copy(&mut memory[start..start + n], &source[..n]).unwrap();
                assert_eq!(memory[start..start + n], source[..n], "{} copy {n} at {mark:#x}", variant.name());
                for to in [start - 1, start + 1, start - n / 3, start + n / 3] {
                    memory.copy_from_slice(&source);
                    let mut expected = source.clone();
                    expected.copy_within(start..start + n, to);
                    variant.copy_within(memory, start..start + n, to).unwrap();
                    assert!(memory == expected, "{} move {n} by {to} - {start} at {mark:#x}", variant.name());
                }
                memory.fill(0);
            }
        }
    }
}
