//! Files that appear whole or not at all.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// A name beside `path`, with the same extension (which tells some writers the format).
fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!(".{}-{name}", std::process::id()))
}

/// Has `write` make a file under a temporary name, and gives it the right one when it is whole.
pub(crate) fn whole(path: &Path, write: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), Failure> {
    let beside = temporary(path);
    let done = write(&beside).and_then(|()| fs::rename(&beside, path).map_err(|e| e.to_string()));
    done.map_err(|e| {
        // What is half written is of no use; if it cannot be removed, the first error says why.
        let _ = fs::remove_file(&beside);
        Failure::input(format!("{}: {e}; give a name in a folder that can be written", path.display()))
    })
}

/// Writes `content`.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Failure> {
    whole(path, |beside| fs::write(beside, content).map_err(|e| e.to_string()))
}

/// Finds out before a long run whether `path` can be written after it.
pub(crate) fn can_write(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::input(format!("{}: this is a folder; give the name of a file", path.display())));
    }
    let beside = temporary(path);
    fs::write(&beside, [])
        .and_then(|()| fs::remove_file(&beside))
        .map_err(|e| Failure::input(format!("{}: {e}; give a name in a folder that can be written", path.display())))
}

/// Makes the folder that pictures go into.
pub(crate) fn folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path)
        .map_err(|e| Failure::input(format!("--plot {}: {e}; give a folder that can be made", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_of_a_failed_file() {
        let folder = std::env::temp_dir().join(format!("membench-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("figures.csv");
        write(&path, "old").unwrap();
        let failure = whole(&path, |beside| {
            fs::write(beside, "half").unwrap();
            Err("disk full".to_owned())
        })
        .unwrap_err();
        assert!(failure.to_string().contains("disk full"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        fs::remove_dir_all(&folder).unwrap();
    }
}
