//! Where libc does not call these functions, or none is there: whoever does call them has been started.

/// Never.
#[inline(always)]
pub(crate) fn is_early() -> bool {
    false
}
