//! The program that `examples/kernel.rs` is on a target without an operating system.

use core::arch::{asm, global_asm};
use core::ffi::{c_int, c_void};
use core::fmt::{self, Write};
use fast_mem::Variant;

global_asm!(".globl _start", "_start:", "xor ebp, ebp", "and rsp, -16", "call {run}", "ud2", run = sym run);

const SIZE: usize = 70_000;
const LENGTHS: [usize; 12] = [0, 1, 7, 8, 31, 32, 63, 64, 100, 1023, 4096, SIZE];
const EXIT: usize = 60;
const WRITE: usize = 1;

unsafe extern "C" {
    fn memset(dst: *mut c_void, byte: c_int, n: usize) -> *mut c_void;
    fn memcpy(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void;
    fn memmove(dst: *mut c_void, src: *const c_void, n: usize) -> *mut c_void;
}

extern "C" fn run() -> ! {
    let _ = writeln!(Output, "features: {}", fast_mem::cpu().features());
    for variant in fast_mem::variants() {
        check_variant(variant);
        let _ = writeln!(Output, "{}: right", variant.name());
    }
    check_symbols();
    let chosen = fast_mem::selection();
    let _ = writeln!(Output, "set by {}, copy by {}", chosen.set, chosen.copy);
    exit(0)
}

fn check_variant(variant: &Variant) {
    let (mut dst, mut src) = ([0xEE_u8; SIZE + 16], [0_u8; SIZE]);
    src.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * 7 + i / 251) as u8);
    for n in LENGTHS {
        assert!(variant.set(&mut dst[8..8 + n], 0xA5).is_ok());
        assert!(dst[8..8 + n].iter().all(|&byte| byte == 0xA5));
        assert!(variant.copy(&mut dst[8..8 + n], &src[..n]).is_ok());
        assert!(dst[8..8 + n].iter().eq(&src[..n]));
        assert!(variant.copy_within(&mut dst, 8..8 + n, 3).is_ok());
        assert!(dst[3..3 + n].iter().eq(&src[..n]));
        dst.fill(0xEE);
    }
}

fn check_symbols() {
    let (mut dst, mut src) = ([0_u8; SIZE + 16], [0_u8; SIZE]);
    src.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i * 11 + i / 253) as u8);
    let (to, from): (*mut c_void, *const c_void) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
    for n in LENGTHS {
        // SAFETY: all ranges are inside the buffers.
        unsafe {
            assert!(memset(to, 0x1A5, n) == to);
            assert!(dst[..n].iter().all(|&byte| byte == 0xA5));
            assert!(memcpy(to, from, n) == to);
            assert!(dst[..n].iter().eq(&src[..n]));
            assert!(memmove(to.byte_add(13), to, n) == to.byte_add(13));
            assert!(dst[13..13 + n].iter().eq(&src[..n]));
        }
    }
}

/// Standard output.
struct Output;

impl Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        system_call(WRITE, 1, text.as_ptr().addr(), text.len());
        Ok(())
    }
}

fn exit(status: usize) -> ! {
    system_call(EXIT, status, 0, 0);
    loop {}
}

fn system_call(number: usize, a: usize, b: usize, c: usize) {
    // SAFETY: only `write` of readable bytes and `exit` are called here; the kernel keeps all but rax, rcx and r11.
    unsafe {
        asm!("syscall", inout("rax") number => _, in("rdi") a, in("rsi") b, in("rdx") c,
             out("rcx") _, out("r11") _, options(nostack));
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(Output, "{info}");
    exit(1)
}
