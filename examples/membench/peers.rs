//! Other people's routines: the platform's C library and any shared object with the C names.

use crate::calls::{MemcpyFn, MemsetFn};
use crate::failure::Failure;
use libloading::Library;
use std::path::Path;

/// Routines by the C names, as far as they are there. They stay loaded until the process ends.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) memset: Option<MemsetFn>,
    pub(crate) memcpy: Option<MemcpyFn>,
    pub(crate) memmove: Option<MemcpyFn>,
}

impl Peer {
    /// Loads the shared object at `path`. Names that it lacks are told on stderr; if it has none, it is
    /// no peer.
    pub(crate) fn load(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        // A name without a slash would be looked up in the loader's own folders, not in this one.
        let full = path.canonicalize().map_err(|e| {
            Failure::input(format!(
                "--peer {shown}: {e}; give the path of a shared object with memset, memcpy or memmove"
            ))
        })?;
        // SAFETY: loading runs the object's initialisers: the user asked for this object by name.
        let library = unsafe { Library::new(&full) }.map_err(|e| {
            Failure::input(format!(
                "--peer {shown}: not a shared object that can be loaded here ({e}); build one with `gcc -shared`"
            ))
        })?;
        let peer = Self::of(&short_name(path), &library);
        // Its functions are called until the end.
        core::mem::forget(library);
        let missing = peer.missing();
        match missing.len() {
            0 => {}
            3 => {
                return Err(Failure::input(format!(
                    "--peer {shown}: none of memset, memcpy, memmove is exported; export at least one"
                )));
            }
            _ => eprintln!("peer {}: no {}; skipped there", peer.name, missing.join(", ")),
        }
        Ok(peer)
    }

    fn of(name: &str, library: &Library) -> Self {
        // SAFETY: these three names have the types of the C standard in every library that exports them.
        unsafe {
            Self {
                name: name.to_owned(),
                memset: library.get::<MemsetFn>(b"memset\0").ok().map(|f| *f),
                memcpy: library.get::<MemcpyFn>(b"memcpy\0").ok().map(|f| *f),
                memmove: library.get::<MemcpyFn>(b"memmove\0").ok().map(|f| *f),
            }
        }
    }

    fn missing(&self) -> Vec<&'static str> {
        [("memset", self.memset.is_none()), ("memcpy", self.memcpy.is_none()), ("memmove", self.memmove.is_none())]
            .into_iter()
            .filter_map(|(name, missing)| missing.then_some(name))
            .collect()
    }
}

/// `libpeer_musl.so` is `musl`.
fn short_name(path: &Path) -> String {
    let stem = path.file_stem().map_or_else(|| path.display().to_string(), |s| s.to_string_lossy().into_owned());
    let short = stem.trim_start_matches("lib").trim_start_matches("peer_");
    if short.is_empty() { stem } else { short.to_owned() }
}

/// The name of the platform's C library among the contenders.
pub(crate) const LIBC: &str = "libc";

/// The platform's C library, by the addresses that the dynamic linker gives every program.
#[cfg(unix)]
pub(crate) fn platform() -> Option<Peer> {
    let this = Library::from(libloading::os::unix::Library::this());
    let peer = Peer::of(LIBC, &this);
    core::mem::forget(this);
    (peer.missing().len() < 3).then_some(peer)
}

/// No C library whose name is known.
#[cfg(not(unix))]
pub(crate) fn platform() -> Option<Peer> {
    None
}
