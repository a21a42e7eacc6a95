//! What a run found, as it stands in the JSON file.

use crate::cells::Group;
use crate::clock::Clock;
use crate::contender::{Role, Routine};
use crate::statistics::{Estimate, Verdict};
use serde::{Deserialize, Serialize};

/// The version of this layout; [`compare`](crate::compare) refuses others.
pub(crate) const FORMAT: u32 = 1;

/// Everything.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) format: u32,
    pub(crate) command: Vec<String>,
    pub(crate) machine: Machine,
    pub(crate) contenders: Vec<Participant>,
    pub(crate) limits: Vec<LimitFigure>,
    pub(crate) first_call_ns: Option<Estimate>,
    pub(crate) verified: Vec<Verified>,
    /// The share of rounds that a neighbour disturbed, and that were repeated.
    pub(crate) dropped_share: f64,
    /// Cells that were asked for and not measured, for want of time.
    pub(crate) not_measured: Vec<String>,
    pub(crate) interrupted: bool,
    pub(crate) cells: Vec<CellRecord>,
}

/// Where it was measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) vendor: String,
    pub(crate) family: u16,
    pub(crate) model: u16,
    pub(crate) features: Vec<String>,
    pub(crate) l1d: usize,
    pub(crate) l2: usize,
    pub(crate) l3: usize,
    pub(crate) cores: usize,
    pub(crate) pinned_to: Option<usize>,
    pub(crate) os: String,
    pub(crate) target: String,
    pub(crate) compiler: String,
    pub(crate) debug_assertions: bool,
    pub(crate) clock_source: String,
    pub(crate) clock: Clock,
    pub(crate) hardware_counters: bool,
    pub(crate) set: String,
    pub(crate) copy: String,
    pub(crate) tunables: Vec<(String, Option<usize>)>,
}

/// Who took part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Participant {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) about: String,
}

/// One peak kernel at one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LimitFigure {
    pub(crate) level: String,
    pub(crate) bytes: usize,
    pub(crate) kernel: String,
    pub(crate) gb_per_s: f64,
}

/// Who gave right results, and in what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Verified {
    pub(crate) contender: String,
    pub(crate) routines: Vec<Routine>,
    pub(crate) bytes_checked: u64,
    pub(crate) file: bool,
}

/// One cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CellRecord {
    pub(crate) id: String,
    pub(crate) routine: Routine,
    pub(crate) group: Group,
    pub(crate) label: String,
    /// The mean length of a call.
    pub(crate) bytes: f64,
    pub(crate) rounds: usize,
    pub(crate) dropped: usize,
    pub(crate) calls_per_sample: usize,
    /// Whom the others are compared with.
    pub(crate) reference: String,
    /// The fastest of all that are not ours.
    pub(crate) best_peer: Option<String>,
    pub(crate) figures: Vec<Figure>,
}

impl CellRecord {
    /// The figure of a contender.
    pub(crate) fn of(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|f| f.contender == name)
    }

    /// The fastest plain kernel in this cell.
    pub(crate) fn limit(&self) -> Option<&Figure> {
        let limits = self.figures.iter().filter(|f| f.role == Role::Limit);
        limits.min_by(|a, b| a.ns.value.total_cmp(&b.ns.value))
    }
}

/// One contender in one cell.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(crate) contender: String,
    pub(crate) role: Role,
    /// Nanoseconds a call.
    pub(crate) ns: Estimate,
    pub(crate) bytes_per_tick: f64,
    /// Its speed beside the reference's, by rounds: 2 is twice as fast.
    pub(crate) speed: Estimate,
    pub(crate) verdict: Verdict,
    /// The same beside the best peer.
    pub(crate) beside_best: Option<Estimate>,
    pub(crate) beside_best_verdict: Option<Verdict>,
    /// Core cycles and instructions a call, by hardware counters.
    pub(crate) cycles: Option<f64>,
    pub(crate) instructions: Option<f64>,
}

/// Cells with known times, for the tests of what is made of them.
#[cfg(test)]
pub(crate) mod samples {
    use super::*;
    use crate::contender::OURS;

    pub(crate) fn cell(id: &str, group: Group, bytes: f64, ns: &[(&str, Role, f64)]) -> CellRecord {
        let one = |value: f64| Estimate { value, low: value, high: value };
        let reference = ns[0].2;
        let figure = |&(name, role, ns): &(&str, Role, f64)| Figure {
            contender: name.to_owned(),
            role,
            ns: one(ns),
            bytes_per_tick: bytes / ns,
            speed: one(reference / ns),
            verdict: if ns == reference { Verdict::Same } else { Verdict::Faster },
            beside_best: None,
            beside_best_verdict: None,
            cycles: None,
            instructions: None,
        };
        CellRecord {
            id: id.to_owned(),
            routine: Routine::Move,
            group,
            label: id.to_owned(),
            bytes,
            rounds: 9,
            dropped: 0,
            calls_per_sample: 1,
            reference: ns[0].0.to_owned(),
            best_peer: None,
            figures: ns.iter().map(figure).collect(),
        }
    }

    pub(crate) const fn times(libc: f64, ours: f64, musl: f64) -> [(&'static str, Role, f64); 3] {
        [("libc", Role::Peer, libc), (OURS, Role::Ours, ours), ("musl", Role::Peer, musl)]
    }
}
