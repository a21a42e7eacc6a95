//! Calling one variant, whatever was chosen for the process.

use crate::cpu::Features;
use crate::dispatch;
use crate::pattern::Pattern;
use crate::range;
use crate::variant::Variant;
use core::fmt;
use core::ops::RangeBounds;

/// A variant was called on a CPU that lacks what it needs. Nothing was touched.
///
/// ```
/// for variant in fast_mem::variants() {
///     if let Err(error) = variant.set(&mut [0; 100], 1) {
///         println!("{error}: {} lacks {}", error.variant, error.missing);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The variant's name.
    pub variant: &'static str,
    /// What this CPU or its operating system lacks of what it needs.
    pub missing: Features,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, missing } = self;
        write!(
            f,
            "variant {variant} needs {missing}, which this CPU or its operating system lacks: \
             call it only where is_supported() says so"
        )
    }
}

impl core::error::Error for Unsupported {}

impl Variant {
    fn check(&self) -> Result<(), Unsupported> {
        let missing = self.needs().without(dispatch::features());
        if missing == Features::NONE { Ok(()) } else { Err(Unsupported { variant: self.name(), missing }) }
    }

    /// [`set`](crate::set) by this variant alone.
    ///
    /// # Errors
    /// If this CPU cannot run it; nothing is touched then.
    ///
    /// ```
    /// let mut page = [1; 4096];
    /// for variant in fast_mem::variants().filter(|v| v.is_supported()) {
    ///     variant.set(&mut page, 7).unwrap();
    ///     assert_eq!(page, [7; 4096], "{}", variant.name());
    /// }
    /// ```
    #[inline]
    pub fn set(&self, buf: &mut [u8], byte: u8) -> Result<(), Unsupported> {
        self.check()?;
        // SAFETY: the slice is writable, and the CPU has what the row needs.
        unsafe { (self.routines().set)(buf.as_mut_ptr(), byte, buf.len()) }
        Ok(())
    }

    /// [`copy`](crate::copy) by this variant alone.
    ///
    /// # Panics
    /// If the lengths differ.
    ///
    /// # Errors
    /// If this CPU cannot run it; nothing is touched then.
    ///
    /// ```
    /// let mut to = [0; 100];
    /// for variant in fast_mem::variants().filter(|v| v.is_supported()) {
    ///     variant.copy(&mut to, &[3; 100]).unwrap();
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn copy(&self, dst: &mut [u8], src: &[u8]) -> Result<(), Unsupported> {
        self.check()?;
        range::same_length(dst.len(), src.len());
        // SAFETY: two slices of one length; the CPU has what the row needs.
        unsafe { self.copy_raw(dst.as_mut_ptr(), src.as_ptr(), src.len()) }
        Ok(())
    }

    /// [`copy_within`](crate::copy_within) by this variant alone.
    ///
    /// # Panics
    /// If a range is out of bounds.
    ///
    /// # Errors
    /// If this CPU cannot run it; nothing is touched then.
    ///
    /// ```
    /// for variant in fast_mem::variants().filter(|v| v.is_supported()) {
    ///     let mut text = *b"abcdef";
    ///     variant.copy_within(&mut text, 0..4, 2).unwrap();
    ///     assert_eq!(&text, b"ababcd");
    /// }
    /// ```
    #[inline]
    #[track_caller]
    pub fn copy_within(&self, buf: &mut [u8], src: impl RangeBounds<usize>, dest: usize) -> Result<(), Unsupported> {
        self.check()?;
        let (start, n) = range::within(buf.len(), src, dest);
        let base = buf.as_mut_ptr();
        // SAFETY: `within` has checked both ranges against the slice; the CPU has what the row needs.
        unsafe { self.copy_raw(base.add(dest), base.add(start), n) }
        Ok(())
    }

    /// [`fill`](crate::fill) by this variant alone.
    ///
    /// # Errors
    /// If this CPU cannot run it; nothing is touched then.
    ///
    /// ```
    /// let mut samples = [0u16; 100];
    /// for variant in fast_mem::variants().filter(|v| v.is_supported()) {
    ///     variant.fill(&mut samples, 0x1234).unwrap();
    ///     assert_eq!(samples, [0x1234; 100], "{}", variant.name());
    /// }
    /// ```
    #[inline]
    pub fn fill<T: Pattern>(&self, buf: &mut [T], value: T) -> Result<(), Unsupported> {
        self.check()?;
        let (dst, n) = (buf.as_mut_ptr().cast(), size_of_val(buf));
        // SAFETY: the slice is writable and holds whole values, which are plain bytes; their size divides its length
        // and, on x86-64, its address. The CPU has what the row needs.
        unsafe { (self.routines().fill)(dst, value.repeated(), n) }
        Ok(())
    }

    /// Copies raw memory, overlapping or not.
    ///
    /// # Safety
    /// `src..src+n` is readable, `dst..dst+n` writable, and the CPU has what the row needs.
    unsafe fn copy_raw(&self, dst: *mut u8, src: *const u8, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { (self.routines().copy)(dst, src, n) }
    }
}
