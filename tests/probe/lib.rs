//! What is disassembled: a library that uses every variant, and the inlined front with sizes known to the compiler.

/// Keeps every routine of every row.
#[unsafe(no_mangle)]
pub fn probe_every_variant(to: &mut [u64], from: &mut [u8], byte: u8) {
    for row in fast_mem::variants().filter(|row| row.is_supported()) {
        row.set(from, byte).unwrap();
        row.fill(to, u64::from(byte)).unwrap();
        row.copy_within(from, 1.., 0).unwrap();
    }
}

#[unsafe(no_mangle)]
pub fn probe_set_24(buf: &mut [u8; 24]) {
    fast_mem::set(buf, 0);
}

#[unsafe(no_mangle)]
pub fn probe_copy_16(to: &mut [u8; 16], from: &[u8; 16]) {
    fast_mem::copy(to, from);
}

/// One array is enough.
#[unsafe(no_mangle)]
pub fn probe_copy_to_48(to: &mut [u8; 48], from: *const u8) {
    // SAFETY: disassembled, never called.
    fast_mem::copy(to, unsafe { core::slice::from_raw_parts(from, 48) });
}

/// A slice, whose length only the optimiser sees.
#[unsafe(no_mangle)]
pub fn probe_set_slice_24(buf: &mut [u8; 24]) {
    fast_mem::set(&mut buf[..], 0);
}

#[unsafe(no_mangle)]
pub fn probe_copy_slice_16(to: &mut [u8; 16], from: &[u8; 16]) {
    fast_mem::copy(&mut to[..], &from[..]);
}

/// A pattern of several bytes, known too.
#[unsafe(no_mangle)]
pub fn probe_fill_8(buf: &mut [u32; 8]) {
    fast_mem::fill(buf, 0x0102_0304);
}

/// Long: only the jump is left.
#[unsafe(no_mangle)]
pub fn probe_set_4096(buf: &mut [u8; 4096]) {
    fast_mem::set(buf, 0);
}
