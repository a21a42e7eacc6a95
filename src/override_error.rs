//! What the environment asked for and could not get, without allocation.

use crate::environment;
use crate::tunables::DEFINITIONS;
use crate::variant::TABLE;
use core::ffi::CStr;
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// An environment variable of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    Variant,
    Tunables,
}

impl Variable {
    pub(crate) const fn c_name(self) -> &'static CStr {
        match self {
            Self::Variant => c"FAST_MEM_VARIANT",
            Self::Tunables => c"FAST_MEM_TUNABLES",
        }
    }

    fn name(self) -> &'static str {
        self.c_name().to_str().unwrap_or("")
    }
}

/// What is wrong with a value, or with the part of it that is quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    Empty,
    TooLong,
    NotUtf8,
    NoEquals,
    Twice,
    UnknownVariant,
    Unsupported,
    UnknownRoutine,
    UnknownTunable,
    NoSize,
    TooSmall,
}

use Problem::*;
const PROBLEMS: [Problem; 11] = [
    Empty,
    TooLong,
    NotUtf8,
    NoEquals,
    Twice,
    UnknownVariant,
    Unsupported,
    UnknownRoutine,
    UnknownTunable,
    NoSize,
    TooSmall,
];

/// The start of a value: enough to recognise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    bytes: [u8; Self::LONGEST],
    len: u8,
    cut: bool,
}

impl Quote {
    const LONGEST: usize = 48;

    pub(crate) fn of(text: &[u8]) -> Self {
        let mut quote = Self { bytes: [0; Self::LONGEST], len: 0, cut: text.len() > Self::LONGEST };
        for (to, from) in quote.bytes.iter_mut().zip(text) {
            *to = *from;
            quote.len += 1;
        }
        quote
    }
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.bytes[..usize::from(self.len)].escape_ascii();
        write!(f, "\"{text}\"{}", if self.cut { "..." } else { "" })
    }
}

/// What an environment variable asked for and could not get; the automatic choice is used instead.
///
/// It names the variable, the value or the part of it that is wrong, what was expected, and what
/// is used instead.
///
/// ```
/// if let Err(error) = fast_mem::init() {
///     eprintln!("{error}");
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverrideError {
    variable: Variable,
    problem: Problem,
    quote: Quote,
}

impl OverrideError {
    pub(crate) fn new(variable: Variable, problem: Problem, quote: Quote) -> Self {
        Self { variable, problem, quote }
    }

    /// The environment variable.
    pub fn variable(&self) -> &'static str {
        self.variable.name()
    }
}

impl core::error::Error for OverrideError {}

impl fmt::Display for OverrideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, problem, quote } = self;
        write!(f, "{}: ", variable.name())?;
        match problem {
            Empty => write!(f, "the value is empty"),
            TooLong => write!(f, "{quote} has more than {} bytes", environment::LONGEST),
            NotUtf8 => write!(f, "{quote} is not UTF-8"),
            NoEquals => write!(f, "{quote} has no \"=\""),
            Twice => write!(f, "{quote} is there twice"),
            UnknownVariant => write!(f, "{quote} is no variant"),
            Unsupported => {
                write!(f, "variant {quote} cannot run here: this CPU or its operating system lacks what it needs")
            }
            UnknownRoutine => write!(f, "{quote} is no routine"),
            UnknownTunable => write!(f, "{quote} is no tunable"),
            NoSize => write!(f, "{quote} is no size"),
            TooSmall => write!(f, "{quote} is below the least that works"),
        }?;
        match variable {
            Variable::Variant => {
                f.write_str("; expected NAME, set=NAME, copy=NAME or both with a comma, NAME one of")?;
                list(f, TABLE.iter().map(|row| row.name()))?;
                f.write_str("; the automatic choice is used")
            }
            Variable::Tunables => {
                f.write_str("; expected NAME=SIZE,... with SIZE like 4096, 64KiB, 8MiB or never, NAME and least SIZE")?;
                list(f, DEFINITIONS.iter().map(|definition| definition.least()))?;
                f.write_str("; the automatic thresholds are used")
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = impl fmt::Display>) -> fmt::Result {
    for (i, item) in items.enumerate() {
        write!(f, "{}{item}", if i == 0 { " " } else { ", " })?;
    }
    Ok(())
}

/// Tells the user, in one line.
pub(crate) fn report(error: &OverrideError) {
    /// A line that drops what does not fit.
    struct Line {
        bytes: [u8; 1024],
        len: usize,
    }
    impl Write for Line {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                if let Some(slot) = self.bytes.get_mut(self.len) {
                    *slot = byte;
                    self.len += 1;
                }
            }
            Ok(())
        }
    }
    let mut line = Line { bytes: [0; 1024], len: 0 };
    let _ = writeln!(line, "fast_mem: {error}");
    environment::complain(&line.bytes[..line.len]);
}

/// An error in atomics.
pub(crate) struct ErrorStore {
    /// Variable, problem, quote's length, whether it was cut.
    head: [AtomicU8; 4],
    bytes: [AtomicU8; Quote::LONGEST],
}

impl ErrorStore {
    pub(crate) const fn new() -> Self {
        Self { head: [const { AtomicU8::new(0) }; 4], bytes: [const { AtomicU8::new(0) }; Quote::LONGEST] }
    }

    pub(crate) fn store(&self, error: &OverrideError) {
        let OverrideError { variable, problem, quote } = error;
        let head = [*variable as u8, *problem as u8, quote.len, u8::from(quote.cut)];
        self.head.iter().zip(head).for_each(|(slot, byte)| slot.store(byte, Relaxed));
        self.bytes.iter().zip(quote.bytes).for_each(|(slot, byte)| slot.store(byte, Relaxed));
    }

    /// What was stored last; anything where nothing was.
    pub(crate) fn load(&self) -> OverrideError {
        let [variable, problem, len, cut] = self.head.each_ref().map(|slot| slot.load(Relaxed));
        let variable = if variable == Variable::Variant as u8 { Variable::Variant } else { Variable::Tunables };
        let problem = PROBLEMS[usize::from(problem) % PROBLEMS.len()];
        let bytes = self.bytes.each_ref().map(|slot| slot.load(Relaxed));
        OverrideError { variable, problem, quote: Quote { bytes, len: len.min(48), cut: cut != 0 } }
    }
}
