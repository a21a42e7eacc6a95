//! Inside a routine: a debugger or a profiler finds its way out, and the CPU's modes are the caller's.

#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

use core::arch::asm;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};
use fast_mem::Variant;

const SIZE: usize = 1 << 16;

/// Pages that fault at the first access.
static PAGES: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
/// How often the handler found [`caller`] above the faulting routine.
static FOUND: AtomicUsize = AtomicUsize::new(0);

/// Runs inside the routine that faulted: unwinds out of it, and lets it go on.
extern "C" fn on_fault(_signal: c_int) {
    let mut frames = [core::ptr::null_mut(); 64];
    // SAFETY: as many frames as fit. The addresses are asked about, not read. The pages are this test's.
    unsafe {
        let n = libc::backtrace(frames.as_mut_ptr(), 64);
        let start = |frame: *mut c_void| _Unwind_FindEnclosingFunction(frame.wrapping_byte_sub(1));
        let found = frames[..n as usize].iter().any(|&frame| start(frame) == caller as *mut c_void);
        FOUND.fetch_add(usize::from(found), Relaxed);
        assert_eq!(libc::mprotect(PAGES.load(Relaxed), SIZE, libc::PROT_READ | libc::PROT_WRITE), 0);
    }
}

unsafe extern "C" {
    /// Where the function starts that an address is in, by its unwind table.
    fn _Unwind_FindEnclosingFunction(address: *mut c_void) -> *mut c_void;
}

/// Something to do with the pages.
type Routine<'a> = dyn Fn(&mut [u8]) + 'a;

/// Calls a routine that faults at once.
#[inline(never)]
fn caller(routine: &Routine<'_>) {
    let pages = PAGES.load(Relaxed);
    // SAFETY: this test's pages, which the handler makes accessible.
    unsafe {
        assert_eq!(libc::mprotect(pages, SIZE, libc::PROT_NONE), 0);
        routine(core::slice::from_raw_parts_mut(pages.cast(), SIZE));
    }
    core::hint::black_box(());
}

#[test]
fn every_routine_can_be_unwound_out_of() {
    // SAFETY: fresh pages; the handler is one, and `backtrace` loads what it needs at its first call.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        PAGES.store(libc::mmap(core::ptr::null_mut(), SIZE, libc::PROT_NONE, flags, -1, 0), Relaxed);
        libc::backtrace([core::ptr::null_mut(); 1].as_mut_ptr(), 1);
        libc::signal(libc::SIGSEGV, on_fault as extern "C" fn(c_int) as libc::sighandler_t);
    }
    for variant in fast_mem::variants().filter(|variant| variant.is_supported()) {
        for n in [1, 40, 100, 300, 1000, 5000, SIZE] {
            let source = vec![1; n];
            let routines: [(&str, &Routine<'_>); 4] = [
                ("set", &|pages| variant.set(&mut pages[..n], 7).unwrap()),
                ("copy", &|pages| variant.copy(&mut pages[..n], &source).unwrap()),
                ("copy up", &|pages| variant.copy_within(pages, 0..n / 2, n / 2 / 2).unwrap()),
                ("fill", &|pages| fill(variant, pages, n)),
            ];
            for (name, routine) in routines {
                let before = FOUND.load(Relaxed);
                caller(routine);
                let expected = usize::from(n > 1 || !name.ends_with("up") && name != "fill");
                assert_eq!(FOUND.load(Relaxed) - before, expected, "{} {name} {n}", variant.name());
            }
        }
    }
}

fn fill(variant: &Variant, pages: &mut [u8], n: usize) {
    // SAFETY: pages are aligned, and any bytes are numbers.
    let words: &mut [u32] = unsafe { core::slice::from_raw_parts_mut(pages.as_mut_ptr().cast(), n / 4) };
    variant.fill(words, 0x0102_0304).unwrap();
}

#[test]
fn direction_flag_and_mxcsr_are_the_callers() {
    /// Flush to zero, and every exception masked: not the default.
    static UNUSUAL: u32 = 0x9f80;
    for variant in fast_mem::variants().filter(|variant| variant.is_supported()) {
        for n in [1, 64, 65, 200, 1000, 5000, 5_000_000] {
            let (mut dst, src) = (vec![0u8; n], vec![1u8; n]);
            let (mut saved, mut after) = (0u32, 0u32);
            let flags: u64;
            // SAFETY: the register is put back; pushing and popping leaves the stack as it was.
            unsafe {
                asm!("stmxcsr [{}]", "ldmxcsr [{}]", in(reg) &raw mut saved, in(reg) &raw const UNUSUAL);
                variant.set(&mut dst, 7).unwrap();
                variant.copy(&mut dst, &src).unwrap();
                variant.copy_within(&mut dst, 0..n / 2, n / 4).unwrap();
                asm!("stmxcsr [{}]", "pushfq", "pop {}", "ldmxcsr [{}]",
                     in(reg) &raw mut after, out(reg) flags, in(reg) &raw const saved);
            }
            assert_eq!(after, UNUSUAL, "{} {n}", variant.name());
            assert_eq!(flags & 1 << 10, 0, "{} {n}: direction flag", variant.name());
        }
    }
}
