//! Whether libc is still starting.
//!
//! Where the memory functions are exported, a static program's first calls come from libc itself, before it knows whether
//! the environment is to be trusted: musl copies thread-local storage before it looks whether the program is set-uid
//! (such a program obeyed `FAST_MEM_VARIANT`), glibc before it has any thread-local storage. Nothing may be asked of libc
//! then, so nothing is decided: the row that needs nothing serves those calls.
//!
//! The end is announced by the first of the functions that libc runs before `main`.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How many calls are served so. Libc makes a handful; a program that never runs its initialisers (its own
/// `_start`) makes more, and is in no danger: without them no environment is known, and none is asked for more.
const PATIENCE: usize = 4096;

/// Counts the calls, up to [`PATIENCE`].
static CALLS: AtomicUsize = AtomicUsize::new(0);

extern "C" fn libc_is_ready() {
    CALLS.store(PATIENCE, Relaxed);
}

/// Priority 0: before every other initialiser of the program.
#[used]
#[unsafe(link_section = ".init_array.00000")]
static AT_START: extern "C" fn() = libc_is_ready;

/// Whether a call comes from a libc that may not be asked yet.
pub(crate) fn is_early() -> bool {
    CALLS.load(Relaxed) < PATIENCE && CALLS.fetch_add(1, Relaxed) < PATIENCE
}
