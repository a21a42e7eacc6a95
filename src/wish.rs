//! What the environment wishes: `FAST_MEM_VARIANT` and `FAST_MEM_TUNABLES`.
//!
//! A variable is obeyed whole or not at all: with an error anywhere in it, the automatic choice is
//! used, one line on standard error says so, and [`init`](crate::init) returns the error.

use crate::Variant;
use crate::cpu::CpuInfo;
use crate::environment::{self, Value};
use crate::override_error::{Problem, Quote, Variable};
use crate::tunables::{self, DEFINITIONS, NEVER};
use crate::variant::TABLE;

pub use crate::override_error::OverrideError;
pub(crate) use crate::override_error::{ErrorStore, report};

/// What was wished, and what was wrong with it.
pub(crate) struct Wishes {
    pub(crate) set: Option<&'static Variant>,
    pub(crate) copy: Option<&'static Variant>,
    pub(crate) tunables: tunables::Wishes,
    pub(crate) errors: [Option<OverrideError>; 2],
}

/// Reads both variables.
pub(crate) fn from_environment(cpu: &CpuInfo) -> Wishes {
    let rows = read(Variable::Variant, |text| rows(text, cpu));
    let numbers = read(Variable::Tunables, numbers);
    let (set, copy) = rows.unwrap_or_default();
    Wishes { set, copy, tunables: numbers.unwrap_or_default(), errors: [rows.err(), numbers.err()] }
}

/// A variable that is not set is no wish.
fn read<T: Default>(variable: Variable, parse: impl Fn(&str) -> Result<T, Fault<'_>>) -> Result<T, OverrideError> {
    let error = |problem, bytes: &[u8]| OverrideError::new(variable, problem, Quote::of(bytes));
    match environment::read(variable.c_name()) {
        Value::Unset => Ok(T::default()),
        Value::TooLong(start) => Err(error(Problem::TooLong, &start)),
        Value::Set(bytes, len) => match core::str::from_utf8(&bytes[..len]) {
            Err(_) => Err(error(Problem::NotUtf8, &bytes[..len])),
            Ok("") => Err(error(Problem::Empty, b"")),
            Ok(text) => parse(text).map_err(|Fault(problem, part)| error(problem, part.as_bytes())),
        },
    }
}

/// What is wrong, and with which part of the value.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault<'a>(pub(crate) Problem, pub(crate) &'a str);

type Rows = (Option<&'static Variant>, Option<&'static Variant>);

/// `avx2`, or `set=erms,copy=avx2`, or one of the two.
pub(crate) fn rows<'a>(text: &'a str, cpu: &CpuInfo) -> Result<Rows, Fault<'a>> {
    if !text.contains(['=', ',']) {
        let row = row(text, cpu)?;
        return Ok((Some(row), Some(row)));
    }
    let (mut set, mut copy) = (None, None);
    for entry in text.split(',') {
        let (routine, name) = entry.split_once('=').ok_or(Fault(Problem::NoEquals, entry))?;
        let wish = match routine {
            "set" => &mut set,
            "copy" => &mut copy,
            _ => return Err(Fault(Problem::UnknownRoutine, routine)),
        };
        if wish.replace(row(name, cpu)?).is_some() {
            return Err(Fault(Problem::Twice, routine));
        }
    }
    Ok((set, copy))
}

fn row<'a>(name: &'a str, cpu: &CpuInfo) -> Result<&'static Variant, Fault<'a>> {
    let row = TABLE.iter().find(|row| row.name() == name).ok_or(Fault(Problem::UnknownVariant, name))?;
    if cpu.has(row.needs()) { Ok(row) } else { Err(Fault(Problem::Unsupported, name)) }
}

/// `set_streaming=8MiB,copy_rep=never`.
pub(crate) fn numbers(text: &str) -> Result<tunables::Wishes, Fault<'_>> {
    let mut wishes = tunables::Wishes::default();
    for entry in text.split(',') {
        let (name, size) = entry.split_once('=').ok_or(Fault(Problem::NoEquals, entry))?;
        let known = DEFINITIONS.iter().position(|definition| definition.name == name);
        let index = known.ok_or(Fault(Problem::UnknownTunable, name))?;
        let bytes = bytes(size).ok_or(Fault(Problem::NoSize, size))?;
        if bytes < DEFINITIONS[index].min {
            return Err(Fault(Problem::TooSmall, entry));
        }
        if wishes[index].replace(bytes).is_some() {
            return Err(Fault(Problem::Twice, name));
        }
    }
    Ok(wishes)
}

/// `4096`, `64KiB`, `8MiB`, `1GiB` or `never`; the unit may be short (`8M`).
fn bytes(size: &str) -> Option<usize> {
    if size == "never" {
        return Some(NEVER);
    }
    let digits = size.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = size.split_at(digits);
    let shift = match unit {
        "" | "B" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        _ => return None,
    };
    number.parse::<usize>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Features;

    /// A CPU with nothing but the baseline, so that the answers do not depend on this machine.
    fn plain() -> CpuInfo {
        CpuInfo { features: Features::SSE2, ..CpuInfo::UNKNOWN }
    }

    fn names(text: &str) -> Result<(Option<&str>, Option<&str>), Problem> {
        let (set, copy) = rows(text, &plain()).map_err(|fault| fault.0)?;
        Ok((set.map(Variant::name), copy.map(Variant::name)))
    }

    #[test]
    fn rows_are_named_for_both_or_each() {
        assert_eq!(names("generic"), Ok((Some("generic"), Some("generic"))));
        assert_eq!(names("set=generic"), Ok((Some("generic"), None)));
        assert_eq!(names("copy=generic"), Ok((None, Some("generic"))));
        assert_eq!(names("copy=generic,set=generic"), Ok((Some("generic"), Some("generic"))));
    }

    #[test]
    fn rows_that_are_not_understood_are_refused() {
        use Problem::*;
        let cases = [
            ("GENERIC", UnknownVariant),
            (" generic", UnknownVariant),
            ("set", UnknownVariant),
            ("set=", UnknownVariant),
            ("set=generic,", NoEquals),
            (",", NoEquals),
            ("=", UnknownRoutine),
            ("move=generic", UnknownRoutine),
            ("set=generic=copy", UnknownVariant),
            ("set=generic,set=generic", Twice),
        ];
        for (text, problem) in cases {
            assert_eq!(names(text), Err(problem), "{text:?}");
        }
    }

    #[cfg(fast_mem_simd)]
    #[test]
    fn a_row_that_this_cpu_lacks_is_refused() {
        assert_eq!(names("avx2"), Err(Problem::Unsupported));
        assert_eq!(names("set=generic,copy=avx2"), Err(Problem::Unsupported));
    }

    #[test]
    fn sizes_have_binary_units() {
        let cases = [
            ("4096", Some(4096)),
            ("0", Some(0)),
            ("7B", Some(7)),
            ("64K", Some(64 << 10)),
            ("64KiB", Some(64 << 10)),
            ("8MiB", Some(8 << 20)),
            ("1G", Some(1 << 30)),
            ("never", Some(NEVER)),
            ("", None),
            ("MiB", None),
            ("8 MiB", None),
            ("8mib", None),
            ("8MB", None),
            ("+8", None),
            ("-1", None),
            ("0x10", None),
            ("99999999999999999999", None),
            ("18446744073709551615G", None),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), expected, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_checked_one_by_one() {
        let wishes = numbers("set_streaming=8MiB,copy_rep=never").unwrap();
        assert_eq!(wishes[tunables::Threshold::SetStreaming as usize], Some(8 << 20));
        assert_eq!(wishes[tunables::Threshold::CopyRep as usize], Some(NEVER));
        assert_eq!(wishes.iter().flatten().count(), 2);
        use Problem::*;
        let cases = [
            ("set_streaming", NoEquals),
            ("streaming=8MiB", UnknownTunable),
            ("set_streaming=8MB", NoSize),
            ("set_streaming=1", TooSmall),
            ("set_streaming=8M,set_streaming=9M", Twice),
            ("set_streaming=8M,", NoEquals),
        ];
        for (text, problem) in cases {
            assert_eq!(numbers(text).unwrap_err().0, problem, "{text:?}");
        }
    }
}
