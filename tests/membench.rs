//! The measuring tool from the outside: what its files promise, and how it refuses what it cannot do.
//!
//! No test here has a limit for a time: the only ones that depend on timing are ignored by default.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("membench-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, content: &str) -> PathBuf {
        fs::write(self.file(name), content).unwrap();
        self.file(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// `cargo run --example membench`, in the profile, with the features and for the target of this test.
fn membench() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--example", "membench"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    if !cfg!(feature = "env") {
        command.arg("--no-default-features");
    }
    // <target>/<profile>/deps/<test>, or <target>/<triple>/<profile>/deps/<test>.
    let this = std::env::current_exe().unwrap();
    let above = this.ancestors().nth(3).unwrap();
    if Some(above) != Path::new(env!("CARGO_TARGET_TMPDIR")).parent() {
        command.arg("--target").arg(above.file_name().unwrap());
    }
    command.arg("--");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    text(&output.stdout)
}

/// Runs it; it must refuse with status 2 and a line that has all of `words`.
fn refuses(arguments: &[&str], words: &[&str]) {
    let Output { status, stderr, .. } = membench().args(arguments).output().unwrap();
    let stderr = text(&stderr);
    assert_eq!(status.code(), Some(2), "{arguments:?}: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "{arguments:?}: `{word}` is missing in: {stderr}");
    }
}

/// Two cells, and little else. They end when they have all their rounds, long before the time is over.
const TWO: [&str; 10] =
    ["copy", "--quick", "--cells", "fixed", "--sizes", "64,1K", "--max-size", "1K", "--budget", "10m"];

fn measured(folder: &Folder, name: &str) -> (PathBuf, Value, String) {
    let json = folder.file(name);
    let shown = succeeds(membench().args(TWO).arg("--json").arg(&json).arg("--csv").arg(folder.file("figures.csv")));
    let value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    (json, value, shown)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// An estimate lies within its interval, and a time is positive.
fn check_estimate(estimate: &Value) {
    let [low, value, high] = ["low", "value", "high"].map(|name| number(&estimate[name]));
    assert!(0.0 < low && low <= value && value <= high, "{estimate}");
}

#[test]
fn json_keeps_its_promise() {
    let folder = Folder::new("json");
    let (_, record, shown) = measured(&folder, "figures.json");
    assert_eq!(record["format"], 1);
    assert_eq!(record["interrupted"], false);
    assert!(number(&record["machine"]["clock"]["ticks_per_ns"]) > 0.0);
    let cells = record["cells"].as_array().unwrap();
    let ids: Vec<&str> = cells.iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["copy/fixed/64", "copy/fixed/1K"]);
    // What that build chose: its features need not be this one's.
    let selected = record["machine"]["copy"].as_str().and_then(|choice| choice.split(' ').next()).unwrap();
    assert!(fast_mem::variants().any(|variant| variant.name() == selected), "{selected}");
    for cell in cells {
        let figures = cell["figures"].as_array().unwrap();
        let names: Vec<&str> = figures.iter().map(|f| f["contender"].as_str().unwrap()).collect();
        for name in ["fast_mem", "std", selected] {
            assert!(names.contains(&name), "{name} is missing in {names:?}");
        }
        assert!(number(&cell["rounds"]) >= 7.0, "{cell}");
        for figure in figures {
            check_estimate(&figure["ns"]);
            check_estimate(&figure["speed"]);
            if figure["contender"] == cell["reference"] {
                assert_eq!(number(&figure["speed"]["value"]), 1.0);
                assert_eq!(figure["verdict"], "=");
            }
        }
    }
    for name in ["fast_mem", "oracle", "all warm cells"] {
        assert!(shown.contains(name), "{name} is missing in: {shown}");
    }
}

#[test]
fn csv_has_a_line_for_each_figure() {
    let folder = Folder::new("csv");
    let (_, record, _) = measured(&folder, "figures.json");
    let figures: usize =
        record["cells"].as_array().unwrap().iter().map(|c| c["figures"].as_array().unwrap().len()).sum();
    let mut csv = csv::Reader::from_path(folder.file("figures.csv")).unwrap();
    let ns = csv.headers().unwrap().iter().position(|h| h == "ns").unwrap();
    let rows: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), figures);
    assert!(rows.iter().all(|row| row[ns].parse::<f64>().unwrap() > 0.0));
    let mut names = folder.names();
    names.sort_unstable();
    assert_eq!(names, ["figures.csv", "figures.json"]);
}

#[test]
fn compare_finds_a_regression_and_nothing_else() {
    let folder = Folder::new("compare");
    let (before, mut record, _) = measured(&folder, "before.json");
    let compare = |after: &Path, arguments: &[&str]| {
        let output = membench().arg("compare").arg(&before).arg(after).args(arguments).output().unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (status, shown) = compare(&before, &["--fail-on-regression", "0"]);
    assert!(status == Some(0) && shown.contains("100.0 %"), "{shown}");
    for cell in record["cells"].as_array_mut().unwrap() {
        let ours = cell["figures"].as_array_mut().unwrap().iter_mut().find(|f| f["contender"] == "fast_mem").unwrap();
        for part in ["low", "value", "high"] {
            ours["speed"][part] = (number(&ours["speed"]["low"]) * 0.5).into();
        }
    }
    let after = folder.write("after.json", &record.to_string());
    let (status, shown) = compare(&after, &["--fail-on-regression", "5"]);
    assert!(status == Some(1) && shown.contains("copy/fixed/"), "{shown}");
    assert_eq!(compare(&after, &[]).0, Some(0));
    assert_eq!(compare(&after, &["--fail-on-regression", "80"]).0, Some(0));
    let broken = folder.write("broken.json", "{\"format\": 1");
    refuses(&["compare", broken.to_str().unwrap(), broken.to_str().unwrap()], &["broken.json", "--json"]);
}

#[test]
fn bad_input_is_refused_with_a_clear_line() {
    let folder = Folder::new("input");
    refuses(&["compress"], &["compress", "--help"]);
    refuses(&["--sizes", "4Q"], &["4Q", "4K"]);
    refuses(&["--sizes", "2G"], &["1G"]);
    refuses(&["--cells", "warm"], &["warm", "fixed"]);
    refuses(&["--budget", "soon"], &["soon"]);
    refuses(&["--cpu", "65535"], &["--cpu 65535", "expected one of"]);
    refuses(&["--variants", "mmx"], &["mmx", "generic"]);
    refuses(&["--json", "/nowhere/at/all.json"], &["/nowhere/at/all.json"]);
    refuses(&["--peer", "absent.so"], &["absent.so"]);
    let no_library = folder.write("text.so", "no library");
    refuses(&["--peer", no_library.to_str().unwrap()], &["text.so", "gcc -shared"]);
    let malformed = folder.write("malformed.csv", "8:0.5,16:0.5\n0:1\n1:0.5,2;0.5\n");
    refuses(&["--distribution", malformed.to_str().unwrap()], &["malformed.csv", "line 3, column 7", "2;0.5"]);
    refuses(&["--file", "absent.bin", "copy", "--max-size", "64"], &["absent.bin"]);
    assert_eq!(folder.names().len(), 2);
}

#[cfg(all(unix, target_pointer_width = "64"))]
#[path = "membench/planted.rs"]
mod planted;
