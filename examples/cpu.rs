//! What was detected, what was chosen, and why.
//!
//! `cargo run --example cpu` prints it for people, `cargo run --example cpu -- --json` for programs.

use clap::Parser;
use fast_mem::{Choice, Routine, Source, Tunable, Variant};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

/// Shows what fast_mem detected, chose and passed over on this machine.
#[derive(Parser)]
struct Options {
    /// Print JSON for programs.
    #[arg(long)]
    json: bool,
}

fn main() -> io::Result<()> {
    // A usage error ends the program with status 2, and says how it is used on standard error.
    let options = Options::parse();
    // A bad override is part of the report.
    let report = Report::new();
    let text = if options.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.to_string() };
    match io::stdout().write_all(text.as_bytes()) {
        // Whoever closed the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[derive(Serialize)]
struct Report {
    vendor: String,
    family: u16,
    model: u16,
    features: Vec<&'static str>,
    caches: BTreeMap<&'static str, usize>,
    set: Chosen,
    copy: Chosen,
    override_error: Option<String>,
    tunables: BTreeMap<&'static str, Threshold>,
}

#[derive(Serialize)]
struct Chosen {
    variant: &'static str,
    why: &'static str,
    source: String,
}

#[derive(Serialize)]
struct Threshold {
    /// `null` is never.
    bytes: Option<usize>,
    source: &'static str,
}

impl Report {
    fn new() -> Self {
        let (cpu, now) = (fast_mem::cpu(), fast_mem::selection());
        let caches = cpu.caches();
        let caches = [("l1d", caches.l1d), ("l2", caches.l2), ("l3", caches.l3), ("l3_sharers", caches.l3_sharers)];
        Self {
            vendor: cpu.vendor().to_owned(),
            family: cpu.family(),
            model: cpu.model(),
            features: cpu.features().names().collect(),
            caches: caches.into_iter().collect(),
            set: now.set.into(),
            copy: now.copy.into(),
            override_error: now.override_error.map(|error| error.to_string()),
            tunables: fast_mem::tunables().iter().map(|tunable| (tunable.name, tunable.into())).collect(),
        }
    }
}

impl From<Choice> for Chosen {
    fn from(choice: Choice) -> Self {
        Self { variant: choice.variant.name(), why: choice.why, source: choice.source.to_string() }
    }
}

impl From<&Tunable> for Threshold {
    fn from(tunable: &Tunable) -> Self {
        Self { bytes: (tunable.bytes != usize::MAX).then_some(tunable.bytes), source: tunable.source }
    }
}

/// For people.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { vendor, family, model, features, caches, .. } = self;
        let or_none = |text: &str| if text.is_empty() { "none".to_owned() } else { text.to_owned() };
        writeln!(f, "CPU       {} family {family:X}h model {model:X}h", or_none(vendor))?;
        writeln!(f, "features  {}", or_none(&features.join(" ")))?;
        let caches: Vec<_> = caches.iter().map(|(name, &value)| format!("{name} {}", amount(name, value))).collect();
        writeln!(f, "caches    {}", caches.join(", "))?;
        if let Some(error) = &self.override_error {
            writeln!(f, "override  {error}")?;
        }
        writeln!(f, "\nvariants, best first (+ runs here, - cannot; * chosen)")?;
        fast_mem::variants().try_for_each(|row| write_row(f, row))?;
        writeln!(f, "\nthresholds, in bytes")?;
        fast_mem::tunables()
            .iter()
            .try_for_each(|tunable| writeln!(f, "  {:28} {} ({})", tunable.to_string(), tunable.about, tunable.source))
    }
}

/// A size, or a plain number where it counts something else.
fn amount(name: &str, value: usize) -> String {
    match value {
        0 => "unknown".to_owned(),
        _ if name == "l3_sharers" => value.to_string(),
        _ => format!("{} KiB", value >> 10),
    }
}

/// One line, or one for each routine where they differ.
fn write_row(f: &mut fmt::Formatter<'_>, row: &'static Variant) -> fmt::Result {
    let now = fast_mem::selection();
    let [set, copy] = [(Routine::Set, now.set), (Routine::Copy, now.copy)].map(|(r, choice)| verdict(row, r, &choice));
    let runs = if row.is_supported() { '+' } else { '-' };
    let mark = |choice: Choice| if choice.variant == row { '*' } else { ' ' };
    let name = row.name();
    if set == copy {
        return writeln!(f, "  {name:12} {runs}{} set, copy  {set}", mark(now.set));
    }
    writeln!(f, "  {name:12} {runs}{} set        {set}", mark(now.set))?;
    writeln!(f, "  {:12} {runs}{} copy       {copy}", "", mark(now.copy))
}

/// Why a row was chosen or passed over.
fn verdict(row: &'static Variant, routine: Routine, choice: &Choice) -> String {
    let cpu = fast_mem::cpu();
    let missing = row.needs().without(cpu.features());
    if choice.variant == row {
        format!("chosen ({}): {}", choice.source, choice.why)
    } else if !row.is_supported() {
        format!("this CPU or its operating system lacks {missing}")
    } else if choice.source != Source::Detected {
        format!("passed over: {} was forced", choice.variant.name())
    } else if row.is_preferred(routine, &cpu) {
        format!("passed over: {} is better here", choice.variant.name())
    } else {
        format!("not for this CPU, but for: {}", row.reason(routine))
    }
}
