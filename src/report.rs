//! What was chosen, why and by whom: the types that [`selection`](crate::selection) and
//! [`init`](crate::init) answer with.

use crate::Variant;
use crate::select::Routine;
use crate::wish::OverrideError;
use core::fmt;

/// Who decided.
///
/// ```
/// use fast_mem::{Source, selection};
/// if selection().set.source == Source::Environment {
///     println!("FAST_MEM_VARIANT is obeyed");
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What this CPU was found to be best at.
    Detected,
    /// A cargo feature `force-…`.
    Feature,
    /// The environment variable `FAST_MEM_VARIANT`.
    Environment,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Detected => "detected",
            Self::Feature => "feature",
            Self::Environment => "environment",
        })
    }
}

/// The variant that a routine uses, why, and who decided.
///
/// ```
/// let choice = fast_mem::selection().copy;
/// println!("{} since {}, says {}", choice.variant.name(), choice.why, choice.source);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The row of the table.
    pub variant: &'static Variant,
    /// The reason, in a few words.
    pub why: &'static str,
    /// Who decided.
    pub source: Source,
    /// Whether another row was wished for that cannot run here.
    pub(crate) unmet: bool,
}

impl Choice {
    pub(crate) fn new(routine: Routine, variant: &'static Variant, source: Source, unmet: bool) -> Self {
        let why = match source {
            _ if unmet => "the forced variant cannot run here: the best that can",
            Source::Detected => variant.preference(routine).why,
            Source::Feature => "forced by a cargo feature",
            Source::Environment => "forced by FAST_MEM_VARIANT",
        };
        Self { variant, why, source, unmet }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}: {})", self.variant.name(), self.source, self.why)
    }
}

/// What is in force in this process.
///
/// ```
/// let now = fast_mem::selection();
/// println!("set by {}, copy by {}", now.set, now.copy);
/// assert!(now.set.variant.is_supported() && now.copy.variant.is_supported());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// For [`set`](crate::set), [`zero`](crate::zero) and [`fill`](crate::fill).
    pub set: Choice,
    /// For [`copy`](crate::copy) and [`copy_within`](crate::copy_within).
    pub copy: Choice,
    /// What the environment asked for and could not get; the choices above are then the automatic ones.
    pub override_error: Option<OverrideError>,
}
