//! What the README lists is what the code says. `UPDATE_README=1 cargo test --test readme` writes it anew.

mod common;

use common::not_run;
use fast_mem::{Routine, Variant};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The oldest compiler that builds the row avx512 builds the whole table, on x86-64.
fn whole_table() -> bool {
    cfg!(target_arch = "x86_64") && fast_mem::variants().next().is_some_and(|row| row.name() == "avx512")
}

fn root(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn readme() -> String {
    std::fs::read_to_string(root("README.md")).expect("the package has a README")
}

/// The reason for a choice, or both where set and copy differ.
fn reasons(row: &Variant) -> String {
    let [set, copy] = [Routine::Set, Routine::Copy].map(|routine| row.reason(routine));
    if set == copy { set.to_owned() } else { format!("set: {set}; copy: {copy}") }
}

fn variants() -> Vec<String> {
    let head = ["| name | what it does | needs | chosen for |", "|---|---|---|---|"].map(str::to_owned);
    let row = |row: &Variant| {
        let needs: Vec<_> = row.needs().names().collect();
        let needs = if needs.is_empty() { "nothing".to_owned() } else { needs.join(", ") };
        format!("| `{}` | {} | {needs} | {} |", row.name(), row.about(), reasons(row))
    };
    head.into_iter().chain(fast_mem::variants().map(row)).collect()
}

fn tunables() -> Vec<String> {
    let head = ["| name | least | what it decides |", "|---|---|---|"].map(str::to_owned);
    let row = |tunable: &fast_mem::Tunable| format!("| `{}` | {} | {} |", tunable.name, tunable.least, tunable.about);
    head.into_iter().chain(fast_mem::tunables().iter().map(row)).collect()
}

/// What stands between `<!-- name -->` and `<!-- /name -->`, and what is around it.
fn block<'a>(text: &'a str, name: &str) -> [&'a str; 3] {
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text.find(&open).unwrap_or_else(|| panic!("README.md has no {open:?}")) + open.len();
    let end = start + text[start..].find(&close).unwrap_or_else(|| panic!("README.md has no {close:?}"));
    [&text[..start], &text[start..end], &text[end..]]
}

fn expect_block(name: &str, lines: &[String]) {
    let (text, expected) = (readme(), lines.join("\n") + "\n");
    let [before, found, after] = block(&text, name);
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(root("README.md"), [before, &expected, after].concat()).expect("README.md can be written");
    } else {
        assert_eq!(found, expected, "the table {name} in README.md is old: UPDATE_README=1 cargo test --test readme");
    }
}

#[test]
fn tables_are_the_codes() {
    if whole_table() {
        expect_block("variants", &variants());
        expect_block("tunables", &tunables());
        return;
    }
    not_run("README's whole table", "this target or this compiler builds only some rows; those are compared");
    let text = readme();
    for line in variants().into_iter().chain(tunables()) {
        assert!(text.contains(&line), "README.md has no line {line}");
    }
}

#[test]
fn each_row_has_a_feature_and_each_feature_a_row() {
    if !whole_table() {
        return not_run("features against rows", "this target or this compiler builds only some rows");
    }
    let manifest = std::fs::read_to_string(root("Cargo.toml")).unwrap();
    let features = manifest.lines().filter_map(|line| line.strip_prefix("force-")?.split_once(" = "));
    let features: BTreeSet<_> = features.map(|(name, _)| name.replace('-', "_")).collect();
    let rows: BTreeSet<_> = fast_mem::variants().map(|row| row.name().to_owned()).collect();
    assert_eq!(features, rows, "the features force-... of Cargo.toml, and the rows");
}

#[test]
fn the_oldest_compiler_is_named() {
    let version = concat!("Rust ", env!("CARGO_PKG_RUST_VERSION"));
    assert!(readme().contains(version), "README.md does not say {version}");
}
