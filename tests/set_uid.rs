//! A set-uid start: the environment belongs to the caller, the rights to the owner. Overrides are not heeded then.

#![cfg(target_os = "linux")]

mod common;

use common::{child, not_run};
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const OWNER: u32 = 65_533;
const CALLER: u32 = 65_534;
const TEST: &str = "overrides_are_not_heeded";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays: the system clears its temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A copy of this program that runs as its owner, whoever starts it.
fn set_uid_copy(folder: &Path) -> std::io::Result<PathBuf> {
    fs::create_dir(folder)?;
    fs::set_permissions(folder, Permissions::from_mode(0o755))?;
    let copy = folder.join("set_uid");
    fs::copy(std::env::current_exe()?, &copy)?;
    chown(&copy, Some(OWNER), Some(OWNER))?;
    // After chown, which clears the bit.
    fs::set_permissions(&copy, Permissions::from_mode(0o4755))?;
    Ok(copy)
}

/// Whether the kernel calls this a start that is not to be trusted, and what was chosen, by whom.
fn report() -> String {
    // SAFETY: reads a number from the auxiliary vector.
    let secure = unsafe { libc::getauxval(libc::AT_SECURE) };
    let now = fast_mem::selection();
    assert!(now.override_error.is_none() || secure == 0);
    let tunables: Vec<_> = fast_mem::tunables().iter().map(|tunable| tunable.source).collect();
    format!("secure={secure} set={} copy={} {tunables:?}", now.set.source, now.copy.source)
}

fn start(program: &Path, variant: &str) -> child::Answer {
    let vars = [("FAST_MEM_VARIANT", OsStr::new(variant)), ("FAST_MEM_TUNABLES", OsStr::new("nonsense"))];
    let id = format!("{TEST}/{variant}");
    let mut command = Command::new(program);
    command.args(child::command(TEST, &id, &vars).get_args()).env("FAST_MEM_TEST_CHILD", &id).envs(vars);
    child::start(
        {
            command.uid(CALLER).gid(CALLER).current_dir("/");
            command
        },
        &id,
    )
}

#[test]
fn overrides_are_not_heeded() {
    const WHAT: &str = "a set-uid start";
    if child::is_child() {
        common::in_child(TEST, "generic", &[], report);
        common::in_child(TEST, "nonsense", &[], report);
        unreachable!("a task of another test");
    }
    // SAFETY: returns a number.
    if unsafe { libc::geteuid() } != 0 {
        return not_run(WHAT, "only root can make a program of another user's");
    }
    if std::env::var_os("FAST_MEM_TEST_RUNNER").is_some() {
        return not_run(WHAT, "an emulator is not started so");
    }
    let folder = Folder(std::env::temp_dir().join(format!("fast_mem-set-uid-{}", std::process::id())));
    let program = set_uid_copy(&folder.0).expect("a copy of this program in the temporary folder");
    for variant in ["generic", "nonsense"] {
        let answer = start(&program, variant);
        if answer.text.starts_with("secure=0") {
            return not_run(WHAT, "the temporary folder's file system ignores the set-uid bit");
        }
        assert!(!answer.text.contains("environment") && !answer.text.contains("FAST_MEM"), "{}", answer.text);
        assert_eq!(answer.stderr, "");
    }
}
