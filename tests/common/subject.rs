//! Whom the bodies test: each row of the table by itself, and the public functions.

use core::fmt;
use core::mem::MaybeUninit;
use core::ops::Range;
use fast_mem::{Features, Pattern, Variant};

/// One way into the crate.
#[derive(Clone, Copy)]
pub enum Subject {
    /// A row, whatever was chosen.
    Row(&'static Variant),
    /// `set`, `zero`, `copy`, `copy_within`, `fill`.
    Slices,
    /// The twins of `core::ptr`.
    Raw,
    /// The functions on uninitialised memory.
    Uninit,
    /// `zero_explicit`.
    Explicit,
}

/// The rows that this CPU can run; says which it cannot.
pub fn each_variant() -> Vec<&'static Variant> {
    let has = fast_mem::cpu().features();
    let (runnable, others): (Vec<_>, Vec<_>) = fast_mem::variants().partition(|row| row.is_supported());
    for row in others {
        let missing = row.needs().without(has);
        super::not_run(row.name(), &format!("this CPU or its operating system lacks {missing}"));
    }
    runnable
}

/// Every way that this CPU can run.
pub fn each_subject() -> Vec<Subject> {
    let rows = each_variant().into_iter().map(Subject::Row);
    rows.chain([Subject::Slices, Subject::Raw, Subject::Uninit, Subject::Explicit]).collect()
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Row(row) => row.name(),
            Self::Slices => "fast_mem::*",
            Self::Raw => "fast_mem::raw::*",
            Self::Uninit => "fast_mem::*_uninit",
            Self::Explicit => "fast_mem::zero_explicit",
        })
    }
}

fn uninit(buf: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the same bytes; only initialised ones are ever stored through the result.
    unsafe { &mut *(core::ptr::from_mut(buf) as *mut [MaybeUninit<u8>]) }
}

impl Subject {
    pub fn set(self, buf: &mut [u8], byte: u8) {
        match self {
            Self::Row(row) => row.set(buf, byte).unwrap(),
            // SAFETY: the slice's own bytes.
            Self::Raw => unsafe { fast_mem::raw::write_bytes(buf.as_mut_ptr(), byte, buf.len()) },
            Self::Uninit => assert_eq!(fast_mem::set_uninit(uninit(buf), byte).len(), buf.len()),
            Self::Explicit if byte == 0 => fast_mem::zero_explicit(buf),
            Self::Slices if byte == 0 => fast_mem::zero(buf),
            Self::Slices | Self::Explicit => fast_mem::set(buf, byte),
        }
    }

    pub fn copy(self, dst: &mut [u8], src: &[u8]) {
        match self {
            Self::Row(row) => row.copy(dst, src).unwrap(),
            Self::Raw => {
                assert_eq!(dst.len(), src.len());
                // SAFETY: two slices of one length.
                unsafe { fast_mem::raw::copy_nonoverlapping(src.as_ptr(), dst.as_mut_ptr(), src.len()) }
            }
            Self::Uninit => assert_eq!(fast_mem::copy_uninit(uninit(dst), src).len(), src.len()),
            Self::Slices | Self::Explicit => fast_mem::copy(dst, src),
        }
    }

    pub fn copy_within(self, buf: &mut [u8], src: Range<usize>, dest: usize) {
        match self {
            Self::Row(row) => row.copy_within(buf, src, dest).unwrap(),
            Self::Raw | Self::Uninit => {
                let n = src.len();
                assert!(src.end <= buf.len() && dest + n <= buf.len());
                let base = buf.as_mut_ptr();
                // SAFETY: both ranges were checked against the slice.
                unsafe { fast_mem::raw::copy(base.add(src.start).cast_const(), base.add(dest), n) }
            }
            Self::Slices | Self::Explicit => fast_mem::copy_within(buf, src, dest),
        }
    }

    pub fn fill<T: Pattern>(self, buf: &mut [T], value: T) {
        match self {
            Self::Row(row) => row.fill(buf, value).unwrap(),
            _ => fast_mem::fill(buf, value),
        }
    }
}

/// Every property that has a name, one by one.
pub fn each_feature() -> Vec<Features> {
    Features::ALL.names().map(Features::parse).collect()
}
