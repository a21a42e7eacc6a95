//! Overrides by the environment, each in a process of its own.

mod common;

use common::child::{Answer, overrides_are_read};
use common::{each_variant, in_child, not_run};
use std::ffi::OsStr;

/// What is in force, in a line, after both ways of asking agreed.
fn report() -> String {
    let now = fast_mem::selection();
    match (fast_mem::init(), now.override_error) {
        (Ok(same), None) => assert_eq!((same.set.variant, same.copy.variant), (now.set.variant, now.copy.variant)),
        (Err(error), Some(carried)) => assert_eq!(error, carried),
        other => panic!("init() and selection() disagree: {other:?}"),
    }
    // The choice is what is used: the bytes come right by it.
    let (mut to, from) = (vec![1; 5000], common::noise(5000));
    fast_mem::copy(&mut to, &from);
    assert_eq!(to, from);
    let error = now.override_error.map(|error| format!(" {}: {error}", error.variable())).unwrap_or_default();
    format!("set={}, copy={}{error}", now.set, now.copy)
}

fn with(test: &str, variable: &str, value: &OsStr) -> Option<Answer> {
    in_child(test, &format!("{variable}={value:?}"), &[(variable, value)], report)
}

/// What this CPU gets without an override.
fn automatic(test: &str) -> Option<String> {
    let answer = in_child(test, "nothing set", &[], report)?;
    assert_eq!(answer.stderr, "");
    Some(answer.text)
}

#[test]
fn each_row_by_its_name() {
    if !overrides_are_read("FAST_MEM_VARIANT") {
        return;
    }
    for row in each_variant() {
        let name = row.name();
        let Some(answer) = with("each_row_by_its_name", "FAST_MEM_VARIANT", OsStr::new(name)) else { continue };
        let forced = format!("{name} (environment: forced by FAST_MEM_VARIANT)");
        assert_eq!(answer.text, format!("set={forced}, copy={forced}"));
        assert_eq!(answer.stderr, "");
    }
}

#[test]
fn one_routine_or_each_its_own() {
    const TEST: &str = "one_routine_or_each_its_own";
    if !overrides_are_read("FAST_MEM_VARIANT=set=..,copy=..") {
        return;
    }
    let rows = each_variant();
    let (best, last) = (rows[0].name(), rows[rows.len() - 1].name());
    let chosen = automatic(TEST);
    let cases = [
        (format!("set={last}"), Some(last), None),
        (format!("copy={last}"), None, Some(last)),
        (format!("set={best},copy={last}"), Some(best), Some(last)),
        (format!("copy={best},set={last}"), Some(last), Some(best)),
    ];
    for (value, set, copy) in cases {
        let Some(answer) = with(TEST, "FAST_MEM_VARIANT", OsStr::new(&value)) else { continue };
        let (automatic_set, automatic_copy) = chosen.as_deref().unwrap().split_once(", copy=").unwrap();
        let forced = |name: &str| format!("{name} (environment: forced by FAST_MEM_VARIANT)");
        let set = set.map_or(automatic_set.to_owned(), |name| format!("set={}", forced(name)));
        let copy = copy.map_or(automatic_copy.to_owned(), forced);
        assert_eq!(answer.text, format!("{set}, copy={copy}"), "{value}");
        assert_eq!(answer.stderr, "", "{value}");
    }
}

/// A value, and the part of it that the line must quote.
struct Bad(&'static str, Vec<u8>, String);

fn bad_variants() -> Vec<Bad> {
    let bad = |value: &str, quote: &str| Bad("FAST_MEM_VARIANT", value.into(), quote.to_owned());
    let mut all = vec![
        bad("nonsense", "\"nonsense\""),
        bad("", "empty"),
        bad("GENERIC", "\"GENERIC\""),
        bad(" generic", "\" generic\""),
        bad("generic\n", "\"generic\\n\""),
        bad("set=generic,", "\"\""),
        bad("move=generic", "\"move\""),
        bad("set=nonsense,copy=generic", "\"nonsense\""),
        bad("set=generic,set=generic", "\"set\""),
        bad("generic,generic", "\"generic\""),
        bad(&"x".repeat(48), &format!("\"{}\"", "x".repeat(48))),
        bad(&"x".repeat(513), &format!("\"{}\"...", "x".repeat(48))),
        bad(&"generic,".repeat(10_000), "\"generic,generic,"),
    ];
    all.push(Bad("FAST_MEM_VARIANT", vec![0xff, b'a', 0xfe], r#""\xffa\xfe""#.to_owned()));
    // The longest line that there can be: it must still hold everything.
    all.push(Bad("FAST_MEM_VARIANT", vec![0xff; 200], format!("\"{}\"...", r"\xff".repeat(48))));
    match fast_mem::variants().find(|row| !row.is_supported()) {
        Some(row) => all.push(bad(row.name(), &format!("\"{}\"", row.name()))),
        None => not_run("an unsupported row as override", "this CPU can run all of them"),
    }
    all
}

fn bad_tunables() -> Vec<Bad> {
    let bad = |value: &str, quote: &str| Bad("FAST_MEM_TUNABLES", value.into(), quote.to_owned());
    let mut all = vec![
        bad("nonsense", "\"nonsense\""),
        bad("nonsense=1", "\"nonsense\""),
        bad("", "empty"),
        bad(&"y".repeat(600), &format!("\"{}\"...", "y".repeat(48))),
        Bad("FAST_MEM_TUNABLES", vec![0xfe; 200], format!("\"{}\"...", r"\xfe".repeat(48))),
    ];
    for tunable in fast_mem::tunables().iter() {
        let name = tunable.name;
        all.push(bad(&format!("{name}=8MB"), "\"8MB\""));
        all.push(bad(&format!("{name}=-1"), "\"-1\""));
        all.push(bad(&format!("{name}=99999999999999999999"), "\"99999999999999999999\""));
        all.push(bad(&format!("{name}=never,{name}=never"), &format!("\"{name}\"")));
        if let Some(below) = tunable.least.checked_sub(1) {
            all.push(bad(&format!("{name}={below}"), &format!("\"{name}={below}\"")));
        }
    }
    all
}

/// Everything that the one line must say.
fn expect_line(stderr: &str, Bad(variable, _, quote): &Bad) {
    let (names, used): (Vec<_>, _) = match *variable {
        "FAST_MEM_VARIANT" => (fast_mem::variants().map(|row| row.name()).collect(), "the automatic choice is used"),
        _ => (fast_mem::tunables().iter().map(|t| t.name).collect(), "the automatic thresholds are used"),
    };
    assert_eq!(stderr.lines().count(), 1, "one line, not {stderr:?}");
    assert!(stderr.starts_with(&format!("fast_mem: {variable}: ")), "{stderr:?}");
    assert!(stderr.contains(quote.as_str()), "{stderr:?} does not quote {quote}");
    for name in names {
        assert!(stderr.contains(name), "{stderr:?} does not name {name}");
    }
    assert!(stderr.ends_with(&format!("{used}\n")), "{stderr:?} does not end with what is used");
}

#[test]
fn each_bad_value() {
    const TEST: &str = "each_bad_value";
    if !overrides_are_read("bad values") {
        return;
    }
    let chosen = automatic(TEST);
    for (i, bad) in bad_variants().into_iter().chain(bad_tunables()).enumerate() {
        let vars = [(bad.0, os(&bad.1))];
        let Some(answer) = in_child(TEST, &i.to_string(), &vars, report) else { continue };
        expect_line(&answer.stderr, &bad);
        let error = answer.stderr.trim_end().strip_prefix("fast_mem: ").unwrap();
        assert_eq!(answer.text, format!("{} {}: {error}", chosen.as_deref().unwrap(), bad.0));
    }
}

/// A line for each variable that is wrong; the first error is the one that is carried.
#[test]
fn both_bad() {
    if !overrides_are_read("two bad values") {
        return;
    }
    let vars = [("FAST_MEM_VARIANT", OsStr::new("a")), ("FAST_MEM_TUNABLES", OsStr::new("b"))];
    let Some(answer) = in_child("both_bad", "both", &vars, report) else { return };
    let lines: Vec<_> = answer.stderr.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("\"a\"") && lines[1].contains("\"b\""), "{lines:?}");
    assert!(answer.text.contains("\"a\"") && !answer.text.contains("\"b\""), "{}", answer.text);
}

/// Where the feature is off, or the platform has none, nothing is read.
#[test]
fn not_read_without_the_feature() {
    if common::ENV {
        return not_run("ignored overrides", "this build reads them");
    }
    let vars = [("FAST_MEM_VARIANT", OsStr::new("nonsense")), ("FAST_MEM_TUNABLES", OsStr::new("nonsense"))];
    let Some(answer) = in_child("not_read_without_the_feature", "set", &vars, report) else { return };
    assert_eq!(answer.stderr, "");
    assert!(!answer.text.contains("nonsense"), "{}", answer.text);
}

#[cfg(unix)]
fn os(bytes: &[u8]) -> &OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(bytes)
}

#[cfg(not(unix))]
fn os(_: &[u8]) -> &OsStr {
    unreachable!("overrides are read on Unix only")
}
