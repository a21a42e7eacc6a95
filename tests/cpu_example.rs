//! The example `cpu`, run as its users run it.

mod common;

use common::child::via_runner;
use common::{each_variant, not_run};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Output;

/// The example that was built with this test; it is not where tests alone were built.
fn program() -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    let name = format!("cpu{}", std::env::consts::EXE_SUFFIX);
    let path = test.ancestors().nth(2).unwrap().join("examples").join(name);
    if !path.exists() {
        not_run("the example cpu", "it is built by `cargo test` and by `cargo build --examples`");
        return None;
    }
    Some(path)
}

fn run(arguments: &[&str], variant: Option<&str>) -> Option<Output> {
    let mut command = via_runner(program()?.as_os_str());
    command.args(arguments).env_remove("FAST_MEM_VARIANT").env_remove("FAST_MEM_TUNABLES");
    command.envs(variant.map(|variant| ("FAST_MEM_VARIANT", variant)));
    Some(command.output().unwrap())
}

fn json(variant: Option<&str>) -> Option<Value> {
    let output = run(&["--json"], variant)?;
    assert!(output.status.success(), "{output:?}");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn json_has_exactly_these_keys() {
    let Some(report) = json(None) else { return };
    let keys: Vec<_> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = ["vendor", "family", "model", "features", "caches", "set", "copy", "override_error", "tunables"];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    for routine in ["set", "copy"] {
        let keys: Vec<_> = report[routine].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["source", "variant", "why"]);
    }
    assert_eq!(report["vendor"], fast_mem::cpu().vendor());
    assert_eq!(report["features"].as_array().unwrap().len(), fast_mem::cpu().features().names().count());
    assert_eq!(report["caches"]["l3"], fast_mem::cpu().caches().l3);
    assert_eq!(report["override_error"], Value::Null);
    assert_eq!(report["tunables"].as_object().unwrap().len(), fast_mem::tunables().iter().count());
}

#[test]
fn each_row_by_its_name() {
    if !common::ENV {
        return not_run("overrides of the example", "this build reads none");
    }
    for name in each_variant().into_iter().map(|row| row.name()) {
        let Some(report) = json(Some(name)) else { return };
        for routine in ["set", "copy"] {
            assert_eq!(report[routine]["variant"], name);
            assert_eq!(report[routine]["source"], "environment");
        }
    }
    let Some(report) = json(Some("nonsense")) else { return };
    assert!(report["override_error"].as_str().unwrap().contains("\"nonsense\""));
}

#[test]
fn people_see_the_whole_table() {
    let Some(output) = run(&[], None) else { return };
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    for row in fast_mem::variants() {
        let mark = if row.is_supported() { '+' } else { '-' };
        let line = format!("  {:12} {mark}", row.name());
        assert!(text.contains(&line), "no line {line:?} in\n{text}");
    }
    assert!(matches!(text.matches("chosen (").count(), 1 | 2), "one line for both routines or one each:\n{text}");
    for tunable in fast_mem::tunables().iter() {
        assert!(text.contains(&tunable.to_string()) && text.contains(tunable.source), "{tunable} is not in\n{text}");
    }
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    let Some(output) = run(&["--jsno"], None) else { return };
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("--jsno") && message.contains("Usage"), "{message}");
}
