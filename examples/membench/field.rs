//! Everybody who takes part, by routine.

use crate::contender::{Contender, Routine, contenders};
use crate::failure::Failure;
use crate::peers::Peer;
use fast_mem::Variant;

/// The contenders of each routine, and whom they are compared with.
pub(crate) struct Field {
    by_routine: Vec<(Routine, Vec<Contender>)>,
    reference: Option<String>,
}

impl Field {
    /// Everybody in `routines`.
    pub(crate) fn new(routines: Vec<Routine>, variants: &[&'static Variant], peers: &[Peer]) -> Self {
        let by_routine = routines.into_iter().map(|r| (r, contenders(r, variants, peers))).collect();
        Self { by_routine, reference: None }
    }

    /// The same, compared with `name` wherever that takes part.
    pub(crate) fn beside(self, name: Option<&str>) -> Result<Self, Failure> {
        let known = |name: &str| self.everybody().any(|c| c.name == name);
        if let Some(name) = name.filter(|name| !known(name)) {
            let mut names: Vec<&str> = self.everybody().map(|c| c.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let names = names.join(", ");
            return Err(Failure::input(format!("--reference: nobody is called `{name}`; expected one of {names}")));
        }
        Ok(Self { reference: name.map(str::to_owned), ..self })
    }

    /// Whom all are compared with, where that is not the usual one.
    pub(crate) fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }

    /// The routines with their contenders.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Routine, &[Contender])> {
        self.by_routine.iter().map(|(routine, contenders)| (*routine, contenders.as_slice()))
    }

    /// The contenders of one routine.
    pub(crate) fn of(&self, routine: Routine) -> &[Contender] {
        self.iter().find(|(r, _)| *r == routine).map_or(&[], |(_, contenders)| contenders)
    }

    /// All contenders of all routines.
    pub(crate) fn everybody(&self) -> impl Iterator<Item = &Contender> {
        self.iter().flat_map(|(_, contenders)| contenders)
    }
}
