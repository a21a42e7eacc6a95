//! What C's memory functions promise. With the feature `symbols` they are this crate's; without it the same
//! tests hold for libc's, which is how the tests themselves are tested.

#![cfg(target_os = "linux")]

use fast_mem as _;

use core::ffi::{c_int, c_void};
use std::process::Command;

type Void = *mut c_void;

unsafe extern "C" {
    fn memset(dst: Void, byte: c_int, n: usize) -> Void;
    fn memcpy(dst: Void, src: *const c_void, n: usize) -> Void;
    fn memmove(dst: Void, src: *const c_void, n: usize) -> Void;
    fn mempcpy(dst: Void, src: *const c_void, n: usize) -> Void;
    fn bzero(dst: Void, n: usize);
    fn bcopy(src: *const c_void, dst: Void, n: usize);
    fn explicit_bzero(dst: Void, n: usize);
    fn wmemset(dst: *mut u32, value: u32, n: usize) -> *mut u32;
    fn __memset_chk(dst: Void, byte: c_int, n: usize, room: usize) -> Void;
    fn __memcpy_chk(dst: Void, src: *const c_void, n: usize, room: usize) -> Void;
    fn __memmove_chk(dst: Void, src: *const c_void, n: usize, room: usize) -> Void;
    fn __mempcpy_chk(dst: Void, src: *const c_void, n: usize, room: usize) -> Void;
    fn __explicit_bzero_chk(dst: Void, n: usize, room: usize);
}

const LENGTHS: [usize; 14] = [0, 1, 2, 3, 7, 8, 15, 16, 63, 64, 65, 255, 4096, 100_000];

/// Bytes that tell their place.
fn pattern(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// Calls `f` with two buffers of `n` bytes between others, and expects the first to become `expected(n)`.
fn expect(expected: impl Fn(usize) -> Vec<u8>, f: impl Fn(Void, *const c_void, usize)) {
    for n in LENGTHS {
        let mut dst = vec![0xEE; n + 32];
        let src = pattern(n);
        f(dst[16..].as_mut_ptr().cast(), src.as_ptr().cast(), n);
        assert!(dst[16..16 + n] == expected(n), "n = {n}");
        assert!(dst[..16] == [0xEE; 16] && dst[16 + n..] == [0xEE; 16], "n = {n}: bytes around");
    }
}

#[test]
fn memset_sets_the_low_byte_and_returns_its_destination() {
    // SAFETY: here and below, the buffers that `expect` gives.
    unsafe {
        expect(|n| vec![0xA5; n], |dst, _, n| assert_eq!(memset(dst, 0x7FFF_FFA5, n), dst));
        expect(|n| vec![0xFF; n], |dst, _, n| assert_eq!(__memset_chk(dst, -1, n, n), dst));
    }
}

#[test]
fn copies_return_their_destination_or_its_end() {
    // SAFETY: as above.
    unsafe {
        expect(pattern, |dst, src, n| assert_eq!(memcpy(dst, src, n), dst));
        expect(pattern, |dst, src, n| assert_eq!(memmove(dst, src, n), dst));
        expect(pattern, |dst, src, n| assert_eq!(mempcpy(dst, src, n), dst.byte_add(n)));
        expect(pattern, |dst, src, n| bcopy(src, dst, n));
        expect(pattern, |dst, src, n| assert_eq!(__memcpy_chk(dst, src, n, n), dst));
        expect(pattern, |dst, src, n| assert_eq!(__memmove_chk(dst, src, n, n + 1), dst));
        expect(pattern, |dst, src, n| assert_eq!(__mempcpy_chk(dst, src, n, usize::MAX), dst.byte_add(n)));
    }
}

#[test]
fn zeroing_zeroes() {
    // SAFETY: as above.
    unsafe {
        expect(|n| vec![0; n], |dst, _, n| bzero(dst, n));
        expect(|n| vec![0; n], |dst, _, n| explicit_bzero(dst, n));
        expect(|n| vec![0; n], |dst, _, n| __explicit_bzero_chk(dst, n, n));
    }
}

#[test]
fn overlapping_moves_are_moves() {
    for n in LENGTHS {
        for (from, to) in [(0, 1), (1, 0), (0, 13), (13, 0), (5, 5)] {
            let original = pattern(n + 13);
            let moved = |f: &dyn Fn(*const c_void, Void)| {
                let mut buffer = original.clone();
                let base = buffer.as_mut_ptr();
                // SAFETY: both offsets are at most 13.
                unsafe { f(base.add(from).cast(), base.add(to).cast()) };
                buffer
            };
            let mut expected = original.clone();
            expected.copy_within(from..from + n, to);
            // SAFETY: `n` bytes fit behind either offset.
            unsafe {
                assert!(moved(&|src, dst| _ = memmove(dst, src, n)) == expected, "memmove {n} {from} {to}");
                assert!(moved(&|src, dst| bcopy(src, dst, n)) == expected, "bcopy {n} {from} {to}");
            }
        }
    }
}

#[test]
fn wide_characters_are_set() {
    for n in LENGTHS {
        let mut buffer = vec![0xEEEE_EEEEu32; n + 8];
        let dst = buffer[4..].as_mut_ptr();
        // SAFETY: `n` characters fit behind the address.
        assert_eq!(unsafe { wmemset(dst, 0x0102_0304, n) }, dst);
        assert!(buffer[4..4 + n].iter().all(|&c| c == 0x0102_0304), "n = {n}");
        assert!(buffer[..4] == [0xEEEE_EEEE; 4] && buffer[4 + n..] == [0xEEEE_EEEE; 4], "n = {n}: around");
    }
}

#[test]
fn no_bytes_are_none() {
    let nowhere: Void = core::ptr::without_provenance_mut(1);
    // SAFETY: with a length of 0 nothing is touched.
    unsafe {
        assert_eq!(memset(nowhere, 1, 0), nowhere);
        assert_eq!(memcpy(nowhere, nowhere, 0), nowhere);
        assert_eq!(memmove(nowhere, nowhere, 0), nowhere);
        assert_eq!(mempcpy(nowhere, nowhere, 0), nowhere);
        bzero(nowhere, 0);
        bcopy(nowhere, nowhere, 0);
        explicit_bzero(nowhere, 0);
        assert_eq!(wmemset(nowhere.cast(), 1, 0), nowhere.cast());
    }
}

/// In a process of its own, named by the environment: what a failed check does.
#[test]
fn a_failed_check_ends_the_program() {
    const NAMES: [&str; 5] = ["memset", "memcpy", "memmove", "mempcpy", "explicit_bzero"];
    let (mut dst, src) = ([0u8; 64], [0u8; 64]);
    let (to, from): (Void, *const c_void) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    let name = std::env::var("OVERFLOW").unwrap_or_default();
    // SAFETY: the buffers are as long as is asked for; only the room that is told is too small.
    unsafe {
        match name.as_str() {
            "memset" => _ = __memset_chk(to, 1, 64, 63),
            "memcpy" => _ = __memcpy_chk(to, from, 64, 63),
            "memmove" => _ = __memmove_chk(to, from, 64, 0),
            "mempcpy" => _ = __mempcpy_chk(to, from, 64, 63),
            "explicit_bzero" => __explicit_bzero_chk(to, 64, 63),
            _ => NAMES.into_iter().for_each(overflows),
        }
    }
}

fn overflows(name: &str) {
    use std::os::unix::process::ExitStatusExt;
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_failed_check_ends_the_program", "--nocapture"]).env("OVERFLOW", name);
    let output = child.output().unwrap();
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{name}: {}", output.status);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("*** buffer overflow detected ***: terminated\n"), "{name}: {said}");
}

/// They are defined in this very program, not in a library.
#[cfg(feature = "symbols")]
#[test]
fn they_are_ours() {
    let functions = [memset as *const c_void, memcpy as _, memmove as _, mempcpy as _, bzero as _, bcopy as _];
    let others = [explicit_bzero as *const c_void, wmemset as _, __memset_chk as _, __memcpy_chk as _];
    let rest = [__memmove_chk as *const c_void, __mempcpy_chk as _, __explicit_bzero_chk as _];
    let object = |address: *const c_void| {
        // SAFETY: plain data; `dladdr` fills it for any address.
        unsafe {
            let mut info = core::mem::zeroed::<libc::Dl_info>();
            assert_ne!(libc::dladdr(address, &raw mut info), 0);
            info.dli_fbase
        }
    };
    let here = object(they_are_ours as *const c_void);
    for function in functions.into_iter().chain(others).chain(rest) {
        assert_eq!(object(function), here);
    }
}
