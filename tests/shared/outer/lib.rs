//! A shared library with a call site of a routine that lies in another.

pub fn set(buf: &mut [u8], byte: u8) {
    inner::fast_mem::set(buf, byte);
}
