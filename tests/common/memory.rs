//! Memory that tells when it is touched outside: between two pages that fault, with known bytes around.

/// Bytes that differ from their neighbours and do not repeat with any power of two.
pub fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        bytes.extend(next().to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}

/// Fails at the first byte that differs.
pub fn expect_same(actual: &[u8], expected: &[u8], context: impl FnOnce() -> String) {
    if actual == expected {
        return;
    }
    let at = actual.iter().zip(expected).position(|(a, e)| a != e).unwrap_or(actual.len().min(expected.len()));
    let (got, wanted) = (actual.get(at), expected.get(at));
    panic!("{}: byte {at} of {} is {got:02x?} instead of {wanted:02x?}", context(), expected.len());
}

/// Page-aligned memory between two pages that fault.
pub struct Guarded {
    base: *mut u8,
    len: usize,
}

impl Guarded {
    /// At least `len` bytes.
    pub fn new(len: usize) -> Self {
        let len = len.max(1).next_multiple_of(platform::page());
        Self { base: platform::map(len), len }
    }

    /// All of it.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping's writable part, borrowed as long as the result.
        unsafe { core::slice::from_raw_parts_mut(self.base, self.len) }
    }

    /// `n` bytes, flush against the page before or behind.
    pub fn flush(&mut self, end: End, n: usize) -> &mut [u8] {
        let from = self.len - n;
        match end {
            End::Low => &mut self.bytes()[..n],
            End::High => &mut self.bytes()[from..],
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        platform::unmap(self.base, self.len);
    }
}

/// An end of guarded memory.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Low,
    High,
}

impl End {
    pub const BOTH: [Self; 2] = [Self::Low, Self::High];
}

#[cfg(unix)]
mod platform {
    use core::ptr::null_mut;

    pub fn page() -> usize {
        // SAFETY: asks for a number.
        usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page has a size")
    }

    pub fn map(len: usize) -> *mut u8 {
        let (private, page) = (libc::MAP_PRIVATE | libc::MAP_ANON, page());
        // SAFETY: a new mapping at a place of the system's choice, of which the inner part is made accessible.
        unsafe {
            let outer = libc::mmap(null_mut(), len + 2 * page, libc::PROT_NONE, private, -1, 0);
            assert_ne!(outer, libc::MAP_FAILED, "{len} bytes: {}", std::io::Error::last_os_error());
            let base = outer.cast::<u8>().add(page);
            let opened = libc::mprotect(base.cast(), len, libc::PROT_READ | libc::PROT_WRITE);
            assert_eq!(opened, 0, "{}", std::io::Error::last_os_error());
            base
        }
    }

    pub fn unmap(base: *mut u8, len: usize) {
        // SAFETY: exactly what `map` made, and nobody refers to it any more.
        assert_eq!(unsafe { libc::munmap(base.sub(page()).cast(), len + 2 * page()) }, 0);
    }
}

#[cfg(windows)]
mod platform {
    use core::ffi::c_void;
    use core::ptr::null_mut;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn VirtualAlloc(address: *mut c_void, size: usize, kind: u32, protection: u32) -> *mut c_void;
        fn VirtualFree(address: *mut c_void, size: usize, kind: u32) -> i32;
    }

    const COMMIT: u32 = 0x1000;
    const RESERVE: u32 = 0x2000;
    const RELEASE: u32 = 0x8000;
    const NO_ACCESS: u32 = 1;
    const READ_WRITE: u32 = 4;

    pub fn page() -> usize {
        4096
    }

    pub fn map(len: usize) -> *mut u8 {
        // SAFETY: a new reservation at a place of the system's choice, of which the inner part gets memory.
        unsafe {
            let outer = VirtualAlloc(null_mut(), len + 2 * page(), RESERVE, NO_ACCESS);
            assert!(!outer.is_null(), "{len} bytes: {}", std::io::Error::last_os_error());
            let base = outer.cast::<u8>().add(page());
            let opened = VirtualAlloc(base.cast(), len, COMMIT, READ_WRITE);
            assert_eq!(opened.cast(), base, "{}", std::io::Error::last_os_error());
            base
        }
    }

    pub fn unmap(base: *mut u8, _len: usize) {
        // SAFETY: exactly what `map` made, and nobody refers to it any more.
        assert_ne!(unsafe { VirtualFree(base.sub(page()).cast(), 0, RELEASE) }, 0);
    }
}

/// Without the guard pages: the known bytes around remain.
#[cfg(not(any(unix, windows)))]
mod platform {
    use std::alloc::{Layout, alloc_zeroed, dealloc};

    pub fn page() -> usize {
        4096
    }

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len, page()).expect("a multiple of the page")
    }

    pub fn map(len: usize) -> *mut u8 {
        super::super::not_run("guard pages", "only on Unix and Windows");
        // SAFETY: `len` is not 0.
        unsafe { alloc_zeroed(layout(len)) }
    }

    pub fn unmap(base: *mut u8, len: usize) {
        // SAFETY: exactly what `map` made.
        unsafe { dealloc(base, layout(len)) }
    }
}
