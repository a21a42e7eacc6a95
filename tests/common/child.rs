//! Starting a test again in a process of its own, with an environment of its own.

use super::not_run;
use std::ffi::OsStr;
use std::process::{Command, exit};

const TASK: &str = "FAST_MEM_TEST_CHILD";
/// A child that reached its end; the harness itself never exits so.
const DONE: i32 = 37;
const OPEN: &str = "<answer>";
const CLOSE: &str = "</answer>";

/// What a child said.
pub struct Answer {
    pub text: String,
    pub stderr: String,
}

/// Whether this process was started by [`in_child`].
pub fn is_child() -> bool {
    std::env::var_os(TASK).is_some()
}

/// Runs `body` in a process of its own, with these variables set, and returns what it answers.
///
/// The child is this program again, told to run only the test named `test`, which comes here again and finds its
/// `task`. `None` in a child that has another task: go on.
pub fn in_child(test: &str, task: &str, vars: &[(&str, &OsStr)], body: impl FnOnce() -> String) -> Option<Answer> {
    let id = format!("{test}/{task}");
    match std::env::var(TASK) {
        Ok(mine) if mine == id => {
            println!("{OPEN}{}{CLOSE}", body());
            exit(DONE)
        }
        Ok(_) => None,
        Err(_) => Some(start(command(test, &id, vars), &id)),
    }
}

/// The command line of a child.
pub fn command(test: &str, id: &str, vars: &[(&str, &OsStr)]) -> Command {
    let program = std::env::current_exe().expect("this program has a path");
    let mut command = via_runner(program.as_os_str());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env_remove("FAST_MEM_VARIANT").env_remove("FAST_MEM_TUNABLES").env(TASK, id);
    command.envs(vars.iter().copied());
    command
}

/// A command that runs `program`, by an emulator where one is named.
pub fn via_runner(program: &OsStr) -> Command {
    let runner = std::env::var("FAST_MEM_TEST_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let Some(first) = words.next() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(words).arg(program);
    command
}

/// Runs it to its end.
pub fn start(mut command: Command, id: &str) -> Answer {
    let output = command.output().unwrap_or_else(|error| {
        let program = command.get_program().to_owned();
        panic!("{id}: {program:?}: {error}; name an emulator in FAST_MEM_TEST_RUNNER if it needs one")
    });
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let answer = stdout.split_once(OPEN).and_then(|(_, rest)| rest.rsplit_once(CLOSE));
    match answer {
        Some((text, _)) if output.status.code() == Some(DONE) => Answer { text: text.to_owned(), stderr },
        _ => panic!("{id} did not reach its end: {}\n{stdout}\n{stderr}", output.status),
    }
}

/// `name=size` for each threshold, as `FAST_MEM_TUNABLES` wants it.
pub fn overrides(size: impl Fn(&fast_mem::Tunable) -> String) -> String {
    let all: Vec<_> =
        fast_mem::tunables().iter().map(|tunable| format!("{}={}", tunable.name, size(tunable))).collect();
    all.join(",")
}

/// Whether children see an override; says so where they do not.
pub fn overrides_are_read(what: &str) -> bool {
    if !super::ENV {
        not_run(what, "this build reads no overrides: the feature env is off, or this is no Unix");
    }
    super::ENV
}
