//! Right before fast: every contender's results, byte for byte, and a file copied by each.

use crate::callsite::{CallLoop, Operation, SITES};
use crate::contender::{BYTE, Contender, Role, Routine, U16, U32, U64, U128};
use crate::failure::Failure;
use crate::field::Field;
use crate::memory::Arena;
use crate::record::Verified;
use core::sync::atomic::{AtomicBool, Ordering};
use std::fs;
use std::path::Path;

/// Where a destination starts; what is before and behind it must not change.
const MARGIN: usize = 4096;

/// Memory with a pattern, and a pristine copy of it.
pub(crate) struct Bench {
    work: Arena,
    pristine: Arena,
    greatest: usize,
}

impl Bench {
    /// Room for two sides of `greatest` bytes each.
    pub(crate) fn new(greatest: usize) -> Result<Self, Failure> {
        let n = 2 * greatest + 4 * MARGIN;
        let mut bench = Self { work: Arena::touched(n)?, pristine: Arena::touched(n)?, greatest };
        for (i, byte) in bytes(&mut bench.pristine).iter_mut().enumerate() {
            // Neither 256 nor a power of two is a period, and neighbours differ.
            *byte = (i.wrapping_mul(131) ^ (i >> 7) ^ (i >> 15)).to_le_bytes()[0];
        }
        bytes(&mut bench.work).copy_from_slice(bytes(&mut bench.pristine));
        Ok(bench)
    }

    /// Checks `contender` in `routine` at every length; the bytes checked, or what was wrong.
    pub(crate) fn check(&mut self, routine: Routine, contender: &Contender, stop: &AtomicBool) -> Result<u64, String> {
        let mut checked = 0;
        for (i, n) in lengths(self.greatest).into_iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            for (dst, src) in places(routine, n, i) {
                self.check_one(routine, &*contender.calls, i, (dst, src, n))?;
                checked += n as u64;
            }
        }
        Ok(checked)
    }

    fn check_one(
        &mut self,
        routine: Routine,
        calls: &dyn CallLoop,
        site: usize,
        (dst, src, n): (usize, usize, usize),
    ) -> Result<(), String> {
        let narrow = |n: usize| u32::try_from(n).expect("at most 1 GiB");
        let operation = Operation { dst: narrow(dst), src: narrow(src), len: narrow(n) };
        // SAFETY: `places` keeps both sides within the arena and lets only moves overlap.
        unsafe { calls.run(site % SITES, &[operation], self.work.as_ptr()) };
        let (work, pristine) = (bytes(&mut self.work), bytes(&mut self.pristine));
        // Up to a page on either side shows a store too many; the rest of the arena was checked by others.
        let (low, high) = (dst - MARGIN.min(dst), (dst + n + MARGIN).min(work.len()));
        let right = match pattern(routine) {
            None => work[dst..dst + n] == pristine[src..src + n],
            Some(pattern) => work[dst..dst + n].chunks(16).all(|c| c == &pattern[..c.len()]),
        };
        let beside = work[low..dst] == pristine[low..dst] && work[dst + n..high] == pristine[dst + n..high];
        work[dst..dst + n].copy_from_slice(&pristine[dst..dst + n]);
        let place = || {
            format!("{n} bytes at {dst}{}", if routine.has_source() { format!(" from {src}") } else { String::new() })
        };
        match (right, beside) {
            (true, true) => Ok(()),
            (false, _) => Err(format!("a wrong result for {routine} of {}", place())),
            (true, false) => Err(format!("{routine} of {} wrote beside its destination", place())),
        }
    }
}

fn bytes(arena: &mut Arena) -> &mut [u8] {
    // SAFETY: the arena's own bytes, all written by `Arena::touched`, borrowed as long as the arena is.
    unsafe { core::slice::from_raw_parts_mut(arena.as_ptr(), arena.len()) }
}

/// Every length to 300, then around each power of two.
fn lengths(greatest: usize) -> Vec<usize> {
    let powers = (9..=30).map(|p| 1usize << p).flat_map(|n| [n - 16, n, n + 48]);
    (0..=300).chain(powers).filter(|&n| n <= greatest).collect()
}

/// Pairs of destination and source: apart, and for a move overlapping on either side.
fn places(routine: Routine, n: usize, i: usize) -> Vec<(usize, usize)> {
    if n % routine.element() != 0 {
        return Vec::new();
    }
    let dst = MARGIN + (i * 7 % 64) / routine.element() * routine.element();
    let apart = (dst, dst + n + MARGIN + i * 5 % 64);
    let distance = 1 + i * 13 % 100;
    match routine {
        Routine::Move => vec![apart, (dst, dst + distance), (dst + distance, dst)],
        _ => vec![apart],
    }
}

/// What a set or fill repeats, to sixteen bytes.
fn pattern(routine: Routine) -> Option<[u8; 16]> {
    let repeated = |value: &[u8]| core::array::from_fn(|i| value[i % value.len()]);
    match routine {
        Routine::Set => Some([BYTE; 16]),
        Routine::Zero => Some([0; 16]),
        Routine::Copy | Routine::Move => None,
        Routine::FillU16 => Some(repeated(&U16.to_ne_bytes())),
        Routine::FillU32 => Some(repeated(&U32.to_ne_bytes())),
        Routine::FillU64 => Some(repeated(&U64.to_ne_bytes())),
        Routine::FillU128 => Some(repeated(&U128.to_ne_bytes())),
    }
}

/// Checks everybody; what each one has been checked in. The first wrong result ends the run.
pub(crate) fn everybody(
    field: &Field,
    greatest: usize,
    file: Option<&Path>,
    stop: &AtomicBool,
) -> Result<Vec<Verified>, Failure> {
    let mut bench = Bench::new(greatest)?;
    let mut verified: Vec<Verified> = Vec::new();
    for (routine, contenders) in field.iter() {
        for contender in contenders.iter().filter(|c| c.role != Role::Limit) {
            let checked = bench.check(routine, contender, stop).map_err(|what| refused(contender, &what))?;
            let entry = entry(&mut verified, &contender.name);
            entry.routines.push(routine);
            entry.bytes_checked += checked;
        }
    }
    drop(bench);
    let copies = field.of(Routine::Copy);
    if !copies.is_empty() {
        let content = read(file)?;
        for contender in copies.iter().filter(|c| c.role != Role::Limit) {
            copy_file(&content, contender).map_err(|what| refused(contender, &what))?;
            let entry = entry(&mut verified, &contender.name);
            (entry.file, entry.bytes_checked) = (true, entry.bytes_checked + content.len() as u64);
        }
    }
    Ok(verified)
}

fn entry<'a>(verified: &'a mut Vec<Verified>, name: &str) -> &'a mut Verified {
    let at = verified.iter().position(|v| v.contender == name).unwrap_or_else(|| {
        verified.push(Verified { contender: name.to_owned(), routines: Vec::new(), bytes_checked: 0, file: false });
        verified.len() - 1
    });
    &mut verified[at]
}

fn refused(contender: &Contender, what: &str) -> Failure {
    let message = format!("{} gives {what}: it is not measured", contender.name);
    // A wrong peer is bad input; a wrong variant is this crate's defect.
    if contender.role == Role::Peer { Failure::input(message) } else { Failure::negative(message) }
}

fn read(file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let path = match file {
        Some(path) => path.to_owned(),
        None => std::env::current_exe()
            .map_err(|e| Failure::input(format!("this executable cannot be found ({e}): give --file")))?,
    };
    let shown = path.display();
    let content =
        fs::read(&path).map_err(|e| Failure::input(format!("--file {shown}: {e}; give a file that can be read")))?;
    if content.is_empty() || content.len() > 1 << 30 {
        let n = content.len();
        return Err(Failure::input(format!("--file {shown} has {n} bytes: expected 1 byte to 1 GiB")));
    }
    Ok(content)
}

fn copy_file(content: &[u8], contender: &Contender) -> Result<(), String> {
    let arena = Arena::touched(2 * content.len()).map_err(|e| e.to_string())?;
    let mut arena = arena;
    let n = content.len();
    bytes(&mut arena)[n..2 * n].copy_from_slice(content);
    let narrow = |n: usize| u32::try_from(n).expect("at most 1 GiB");
    let operation = Operation { dst: 0, src: narrow(n), len: narrow(n) };
    // SAFETY: the arena holds twice the file.
    unsafe { contender.calls.run(0, &[operation], arena.as_ptr()) };
    let same = bytes(&mut arena)[..n] == *content;
    if same { Ok(()) } else { Err(format!("a copy of the file of {n} bytes that differs")) }
}
