//! What a run shows in the terminal.

use crate::contender::{OURS, Role, Routine};
use crate::record::{LimitFigure, Record, Verified};
use crate::size::Bytes;
use crate::summary::{self, Row};
use crate::{shares, spreads};
use comfy_table::{CellAlignment, Table, presets};
use std::collections::BTreeMap;

/// More rows than this of the list of what is behind are in the files only.
const BEHIND_SHOWN: usize = 40;

fn table(header: impl IntoIterator<Item = String>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(header);
    table
}

fn print(mut table: Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}\n");
}

/// The machine, before anything is measured.
pub(crate) fn heading(record: &Record) {
    let m = &record.machine;
    let sizes = [m.l1d, m.l2, m.l3].map(|n| if n == 0 { "unknown".to_owned() } else { Bytes(n).to_string() });
    println!(
        "{} ({} family {:X}h model {}), {} cores; L1d {}, L2 {}, L3 {}",
        m.cpu, m.vendor, m.family, m.model, m.cores, sizes[0], sizes[1], sizes[2]
    );
    let core = m.clock.cycles_per_ns.map_or_else(|| "core clock unknown".to_owned(), |c| format!("core {c:.2} GHz"));
    println!("{} {:.3} GHz, {core}; {}", m.clock_source, m.clock.ticks_per_ns, m.compiler);
    println!("set: {}\ncopy: {}", m.set, m.copy);
    if m.debug_assertions {
        println!("This is a debug build: only the verification means anything. Use --release.");
    }
    println!();
}

/// Who gave right results.
pub(crate) fn verified(all: &[Verified]) {
    let mut table =
        table(["verified", "set", "zero", "copy", "move", "fill", "file", "bytes checked"].map(str::to_owned));
    let mark = |yes: bool| if yes { "ok" } else { "-" }.to_owned();
    for v in all {
        let has = |r: Routine| mark(v.routines.contains(&r));
        let fill = mark(v.routines.iter().any(|r| r.is_fill()));
        let checked = match v.bytes_checked {
            n @ 0..=0xF_FFFF => format!("{} KiB", n >> 10),
            n => format!("{} MiB", n >> 20),
        };
        table.add_row([
            v.contender.clone(),
            has(Routine::Set),
            has(Routine::Zero),
            has(Routine::Copy),
            has(Routine::Move),
            fill,
            mark(v.file),
            checked,
        ]);
    }
    print(table);
}

/// The fastest kernel of each kind at each level.
pub(crate) fn limits(all: &[LimitFigure]) {
    if all.is_empty() {
        return;
    }
    let mut levels: Vec<(&str, usize)> = all.iter().map(|l| (l.level.as_str(), l.bytes)).collect();
    levels.sort_by_key(|&(_, bytes)| bytes);
    levels.dedup();
    println!("this machine's limits, GB/s by the fastest plain loop or string instruction");
    let header = levels.iter().map(|(level, bytes)| format!("{level} {}", Bytes(*bytes)));
    let mut table = table(["".to_owned()].into_iter().chain(header));
    for kind in ["store", "load", "copy"] {
        let best = |level: &str| {
            let of = all.iter().filter(|l| l.level == level && l.kernel.starts_with(kind));
            let best = of.max_by(|a, b| a.gb_per_s.total_cmp(&b.gb_per_s));
            best.map_or_else(String::new, |l| {
                format!("{:.1} {}", l.gb_per_s, l.kernel.trim_start_matches(kind).trim_start_matches('-'))
            })
        };
        table.add_row([kind.to_owned()].into_iter().chain(levels.iter().map(|(level, _)| best(level))));
    }
    print(table);
}

/// The first call of a process.
pub(crate) fn first_call(record: &Record) {
    if let Some(ns) = record.first_call_ns {
        let us = ns.scaled(1e-3);
        println!("first call in a process, detection included: {:.1} us [{:.1} {:.1}]\n", us.value, us.low, us.high);
    }
}

/// Everything that was measured.
pub(crate) fn everything(record: &Record) {
    for routine in routines(record) {
        classes(record, routine);
    }
    limit_shares(record);
    offset_spreads(record);
    backward(record);
    behind(record);
    notes(record);
}

fn routines(record: &Record) -> Vec<Routine> {
    let mut all: Vec<Routine> = record.cells.iter().map(|c| c.routine).collect();
    all.dedup();
    all
}

fn classes(record: &Record, routine: Routine) {
    let rows = summary::rows(&record.cells, routine);
    let Some(first) = record.cells.iter().find(|c| c.routine == routine) else { return };
    let names: Vec<&str> =
        record.contenders.iter().filter(|p| p.role != Role::Limit).map(|p| p.name.as_str()).collect();
    let present: Vec<&str> = names.into_iter().filter(|n| first.of(n).is_some()).collect();
    println!(
        "{routine}: speed relative to {}, geometric means; * is the best of a row, = cannot be told apart",
        first.reference
    );
    let header = ["bytes", "cells"].into_iter().chain(present.iter().copied()).chain(["oracle", "ours/oracle"]);
    let mut table = table(header.map(str::to_owned));
    for row in &rows {
        table.add_row(line(row, &present));
    }
    print(table);
}

fn line(row: &Row, names: &[&str]) -> Vec<String> {
    let best = row.speeds.iter().map(|s| s.mean).max_by(f64::total_cmp);
    let number = |speed: Option<f64>| speed.map_or_else(|| "-".to_owned(), |s| format!("{s:.2}"));
    let speed = |name: &&str| {
        let speed = row.speed(name);
        let equal = if speed.is_some_and(|s| s.same) { "=" } else { "" };
        let mark = if speed.is_some_and(|s| Some(s.mean) == best) { "*" } else { "" };
        format!("{}{equal}{mark}", number(speed.map(|s| s.mean)))
    };
    let mut line = vec![row.name.clone(), row.cells.to_string()];
    line.extend(names.iter().map(speed));
    line.extend([number(row.oracle), number(row.ours_by_oracle())]);
    line
}

fn limit_shares(record: &Record) {
    let all: Vec<_> =
        routines(record).into_iter().flat_map(|r| shares::shares(&record.cells, r, &record.machine)).collect();
    if all.is_empty() {
        return;
    }
    println!("share of this machine's limit: the fastest of plain loops and string instructions in the same cells");
    let mut table = table(["range", "cells", "limit GB/s", "kernel", OURS, "least", "reference"].map(str::to_owned));
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    for s in all {
        let reference = s.reference.map_or_else(|| "-".to_owned(), percent);
        table.add_row([
            format!("{} {}", s.routine, s.range),
            s.cells.to_string(),
            format!("{:.1}", s.gb_per_s),
            s.kernel,
            percent(s.ours),
            percent(s.least),
            reference,
        ]);
    }
    print(table);
}

fn offset_spreads(record: &Record) {
    let all: Vec<_> = routines(record).into_iter().flat_map(|r| spreads::spreads(&record.cells, r)).collect();
    if all.is_empty() {
        return;
    }
    println!("relative offsets modulo 4096: the worst time over the best");
    let mut table = table(["length", "contender", "worst/best", "worst at"].map(str::to_owned));
    for s in all {
        let n = Bytes(s.bytes as usize);
        table.add_row([format!("{} {n}", s.routine), s.contender, format!("{:.2}", s.worst_by_best), s.worst_at]);
    }
    print(table);
}

fn backward(record: &Record) {
    let all = spreads::backward(&record.cells);
    if all.is_empty() {
        return;
    }
    println!("overlapping moves: backward beside forward, at the worst distance of 32 or more");
    let mut table = table(["length", "contender", "share", "at distance"].map(str::to_owned));
    for b in all {
        let share = format!("{:.0} %", b.least * 100.0);
        table.add_row([Bytes(b.bytes as usize).to_string(), b.contender, share, b.distance]);
    }
    print(table);
}

fn behind(record: &Record) {
    let all = summary::behind(&record.cells, &record.machine.clock);
    if all.is_empty() {
        println!("Nowhere is {OURS} behind the best peer by more than one core cycle (below 256 bytes) or 3 %.\n");
        return;
    }
    println!(
        "{} of {} cells are behind the best peer by more than one core cycle (below 256 bytes) or 3 %:",
        all.len(),
        record.cells.len()
    );
    let mut table = table(["cell", "ours ns", "best ns", "by", "ours/best"].map(str::to_owned));
    for b in all.iter().take(BEHIND_SHOWN) {
        table.add_row([
            b.id.clone(),
            format!("{:.2}", b.ours_ns),
            format!("{:.2}", b.best_ns),
            b.best.clone(),
            format!("{:.2}", b.ratio),
        ]);
    }
    print(table);
    if all.len() > BEHIND_SHOWN {
        println!("... and {} more, which --json lists\n", all.len() - BEHIND_SHOWN);
    }
}

fn notes(record: &Record) {
    println!(
        "{:.1} % of all rounds were disturbed by a neighbour, dropped and repeated.",
        record.dropped_share * 100.0
    );
    if record.not_measured.is_empty() {
        return;
    }
    let why = if record.interrupted { "interrupted" } else { "no time: a longer --budget holds them" };
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for id in &record.not_measured {
        *kinds.entry(id.split('/').nth(1).unwrap_or_default()).or_default() += 1;
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    println!("Not measured ({why}): {} cells: {}.", record.not_measured.len(), kinds.join(", "));
}
