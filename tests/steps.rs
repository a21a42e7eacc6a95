//! Which instructions a call executes, one by one: the trap flag stops the CPU after each, and a signal handler looks at
//! the next.
//!
//! So it is shown, on whatever CPU runs this, where string instructions and streaming stores come in and where not, that
//! a fence follows the last streaming store, that `vzeroupper` follows the last use of a wide register, that the direction
//! flag is never set, and that the string instructions have exactly their two or three bytes.
//!
//! Only in a release build: without optimisation a call takes ten times as many instructions, and each costs a signal.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(debug_assertions)))]

mod common;

use common::each_variant;
use core::arch::asm;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use fast_mem::Variant;
use std::sync::Mutex;

/// The first eight bytes of every instruction that was about to run; a repeated one counts once.
static SEEN: [AtomicUsize; 1 << 15] = [const { AtomicUsize::new(0) }; 1 << 15];
static COUNT: AtomicUsize = AtomicUsize::new(0);
static LAST: AtomicUsize = AtomicUsize::new(0);
/// A loop over more bytes takes more steps than [`SEEN`] holds.
const STEPPABLE: usize = 8 << 10;
/// Only one test at a time.
static STEPPING: Mutex<()> = Mutex::new(());

extern "C" fn on_step(_signal: i32, _info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let context = context.cast::<libc::ucontext_t>();
    // SAFETY: the kernel passes a valid context to a handler with SA_SIGINFO.
    let at = unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] } as usize;
    if LAST.swap(at, Relaxed) == at {
        return;
    }
    // SAFETY: code is about to run there, and more code of this program follows it.
    let bytes = unsafe { (at as *const usize).read_unaligned() };
    let slot = COUNT.fetch_add(1, Relaxed);
    if let Some(slot) = SEEN.get(slot) {
        slot.store(bytes, Relaxed);
    }
}

/// Runs `body` step by step; returns the instructions.
fn instructions(body: impl FnOnce()) -> Vec<[u8; 8]> {
    let _one = STEPPING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: an all-zero action is a valid one to fill in; the handler only touches atomics.
    unsafe {
        let mut action: libc::sigaction = core::mem::zeroed();
        action.sa_sigaction = on_step as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        assert_eq!(libc::sigaction(libc::SIGTRAP, &raw const action, core::ptr::null_mut()), 0);
    }
    COUNT.store(0, Relaxed);
    // SAFETY: sets and clears the trap flag alone; the stack is as before after each.
    unsafe {
        asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq");
        body();
        asm!("pushfq", "and qword ptr [rsp], -0x101", "popfq");
    }
    let count = COUNT.load(Relaxed);
    assert!(
        (5..SEEN.len()).contains(&count),
        "{count} steps: the trap flag does nothing here, or the call never ended"
    );
    SEEN[..count].iter().map(|slot| slot.load(Relaxed).to_le_bytes()).collect()
}

/// What an instruction is, as far as these tests ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Rep(&'static str),
    /// A string instruction with other bytes than the four: redundant prefixes, or other units.
    OddRep,
    Stream,
    Fence,
    /// Uses a ymm or zmm register whose upper half slows down later code (not 16 to 31, which it does not see).
    Wide,
    Clean,
    SetDirection,
    Other,
}

fn kind(code: &[u8; 8]) -> Kind {
    match *code {
        [0xf3, 0xaa, ..] => Kind::Rep("stosb"),
        [0xf3, 0xa4, ..] => Kind::Rep("movsb"),
        [0xf3, 0x48, 0xab, ..] => Kind::Rep("stosq"),
        [0xf3, 0x48, 0xa5, ..] => Kind::Rep("movsq"),
        [0xf2 | 0xf3, 0xa4..=0xa7 | 0xaa..=0xaf, ..] => Kind::OddRep,
        [
            0xf2 | 0xf3,
            0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf2 | 0xf3,
            0xa4..=0xa7 | 0xaa..=0xaf,
            ..,
        ] => Kind::OddRep,
        [0xfd, ..] => Kind::SetDirection,
        [0x0f, 0xae, 0xf8, ..] => Kind::Fence,
        [0x0f, 0x2b, ..] | [0x66, 0x0f, 0xe7, ..] | [0x66, 0x40..=0x4f, 0x0f, 0xe7, ..] | [0x0f, 0xc3, ..] => {
            Kind::Stream
        }
        [0xc5, 0xf8, 0x77, ..] => Kind::Clean,
        // VEX and EVEX: opcode E7 or 2B streams; L (bit 2 of the last prefix byte, or L'L of EVEX) is the width, and
        // R' (bit 4 of EVEX's first) is set for the registers 0 to 15.
        [0xc5, _, 0xe7 | 0x2b, ..] | [0xc4, _, _, 0xe7 | 0x2b, ..] | [0x62, _, _, _, 0xe7 | 0x2b, ..] => Kind::Stream,
        [0xc5, prefix, ..] | [0xc4, _, prefix, ..] if prefix & 4 != 0 => Kind::Wide,
        [0x62, first, _, prefix, ..] if first & 0x10 != 0 && prefix & 0x60 != 0 => Kind::Wide,
        _ => Kind::Other,
    }
}

/// A call to trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Set(u8),
    Fill,
    Copy,
    MoveUp,
    MoveDown,
}

const CALLS: [Call; 6] = [Call::Set(0), Call::Set(7), Call::Fill, Call::Copy, Call::MoveUp, Call::MoveDown];

/// How far the destination of a copy lies above its source, modulo 4096.
const APART: usize = 2048;

fn trace(variant: &Variant, call: Call, n: usize) -> Vec<Kind> {
    trace_apart(variant, call, n, APART)
}

fn trace_apart(variant: &Variant, call: Call, n: usize, apart: usize) -> Vec<Kind> {
    let mut memory = vec![0u64; n / 4 + 2048];
    // SAFETY: any bytes are u64s and the other way round; the aligned middle of all of them.
    let (_, pages, _) = unsafe { memory.align_to_mut::<Page>() };
    // SAFETY: the pages' own bytes.
    let bytes = unsafe { core::slice::from_raw_parts_mut(pages.as_mut_ptr().cast::<u8>(), size_of_val(pages)) };
    let code = instructions(|| {
        let done = match call {
            Call::Set(byte) => variant.set(&mut bytes[..n], byte),
            Call::Fill => {
                // SAFETY: n / 8 aligned words of the bytes.
                let words = unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast::<u64>(), n / 8) };
                variant.fill(words, 0x0102_0304_0506_0708)
            }
            Call::Copy => {
                let (low, high) = bytes.split_at_mut(n.next_multiple_of(4096));
                variant.copy(&mut low[..n], &high[4096 - apart..][..n])
            }
            Call::MoveUp => variant.copy_within(bytes, 100..100 + n, 0),
            Call::MoveDown => variant.copy_within(bytes, 0..n, 100),
        };
        assert!(done.is_ok());
    });
    code.iter().map(kind).collect()
}

#[repr(align(4096))]
struct Page(#[expect(dead_code, reason = "only its place counts")] [u8; 4096]);

fn tunable(name: &str) -> usize {
    fast_mem::tunables().get(name).expect("a tunable").bytes
}

/// On either side of each class and of the cheap thresholds; for rows of words, of which a long call has
/// thousands of instructions, only the short ones.
fn lengths(variant: &Variant) -> Vec<usize> {
    let mut lengths = vec![0, 1, 33, 64, 65, 129, 257, 264, 513, 1024];
    let most = if has_vectors(variant) { 4 << 10 } else { 257 };
    for edge in fast_mem::tunables().iter().map(|tunable| tunable.bytes) {
        lengths.extend([edge.saturating_sub(1), edge, edge.saturating_add(1)]);
    }
    lengths.retain(|&n| n <= most);
    lengths
}

fn has_vectors(variant: &Variant) -> bool {
    variant.needs() != fast_mem::Features::NONE
}

#[test]
fn nehalem_uses_string_quadwords_from_its_threshold_and_not_below() {
    let nehalem = fast_mem::variants().find(|row| row.name() == "nehalem").expect("a row of every x86-64");
    // Up to 64 bytes go by overlapping blocks, whatever the threshold.
    let edge = tunable("nehalem_rep").max(65);
    for n in [65, 512, edge - 1, edge, edge + 1, 2 * edge] {
        for (call, unit) in
            [(Call::Set(7), "stosq"), (Call::Fill, "stosq"), (Call::Copy, "movsq"), (Call::MoveUp, "movsq")]
        {
            let n = if call == Call::Fill { n / 8 * 8 } else { n };
            let kinds = trace(nehalem, call, n);
            assert_eq!(kinds.contains(&Kind::Rep(unit)), n >= edge, "{call:?} of {n}, threshold {edge}");
        }
        let down = trace(nehalem, Call::MoveDown, n);
        // From 101 bytes on the ranges overlap.
        assert!(
            n <= 100 || !down.iter().any(|kind| matches!(kind, Kind::Rep(_))),
            "a move that goes down by strings, {n}"
        );
    }
}

/// Below this a vector row has no loop: eight blocks.
fn blocks(variant: &Variant) -> usize {
    let width = [("sse2", 16), ("avx2", 32), ("avx512", 64)].into_iter().find(|(name, _)| *name == variant.name());
    8 * width.expect("a vector row of a known width").1
}

#[test]
fn vector_rows_use_strings_between_their_thresholds_and_not_elsewhere() {
    for variant in each_variant().into_iter().filter(|row| has_vectors(row)) {
        for (call, unit, from, to) in [
            (Call::Set(7), "stosb", "set_rep", "set_streaming"),
            (Call::Fill, "stosq", "set_rep", "set_streaming"),
            (Call::Copy, "movsb", "copy_rep", "copy_streaming"),
        ] {
            let strings = tunable(from).max(blocks(variant) + 1)..tunable(to);
            let edge = if strings.start < STEPPABLE { strings.start } else { 1024 };
            for n in [104, edge - 8, edge - 1, edge, edge + 1, edge + 8]
                .map(|n| if call == Call::Fill { n / 8 * 8 } else { n })
            {
                let kinds = trace(variant, call, n);
                assert_eq!(
                    kinds.contains(&Kind::Rep(unit)),
                    strings.contains(&n),
                    "{}: {call:?} of {n}",
                    variant.name()
                );
            }
        }
    }
}

/// Where microcode falls back to a slow loop: up to a line above the source, modulo 4096. From `aliased_rep` on it does not.
#[test]
fn vector_rows_copy_without_strings_where_those_are_slow() {
    for variant in each_variant().into_iter().filter(|row| has_vectors(row)) {
        let n = tunable("copy_rep").max(blocks(variant) + 1);
        if n >= STEPPABLE.min(tunable("copy_streaming")) {
            common::not_run(variant.name(), "no string instruction in copies of a length that can be stepped through");
            continue;
        }
        let fast_again = tunable("aliased_rep");
        let may_step = |&n: &usize| n < STEPPABLE.min(tunable("copy_streaming"));
        for n in [n, fast_again - 1, fast_again].into_iter().filter(may_step) {
            for (apart, fast) in [(0, true), (1, false), (31, false), (63, false), (64, true), (4095, true)] {
                let kinds = trace_apart(variant, Call::Copy, n, apart);
                let may = n >= tunable("copy_rep") && (fast || n >= fast_again);
                assert_eq!(kinds.contains(&Kind::Rep("movsb")), may, "{}: {apart} above, {n}", variant.name());
            }
        }
    }
}

#[test]
fn every_call_leaves_and_streams_as_it_should() {
    for variant in each_variant() {
        for call in CALLS {
            for n in lengths(variant) {
                let kinds = trace(variant, call, n);
                let case = format!("{}: {call:?} of {n}", variant.name());
                leaves_clean(&kinds, &case);
                strings_by_name(variant, &kinds, &case);
                streams_above(variant, call, n, &kinds, &case);
            }
        }
    }
}

fn leaves_clean(kinds: &[Kind], case: &str) {
    assert!(!kinds.contains(&Kind::SetDirection), "{case}: sets the direction flag");
    assert!(!kinds.contains(&Kind::OddRep), "{case}: a string instruction of other bytes");
    let last = |wanted: Kind| kinds.iter().rposition(|&kind| kind == wanted);
    let (wide, clean) = (last(Kind::Wide), last(Kind::Clean));
    assert!(wide.is_none() || clean > wide, "{case}: no vzeroupper after the last wide instruction");
    let (stream, fence) = (last(Kind::Stream), last(Kind::Fence));
    assert!(stream.is_none() || fence > stream, "{case}: no fence after the last streaming store");
}

fn strings_by_name(variant: &Variant, kinds: &[Kind], case: &str) {
    if matches!(variant.name(), "unrolled" | "generic") {
        let strung = kinds.iter().any(|kind| matches!(kind, Kind::Rep(_)));
        assert!(!strung, "{case}: a string instruction in a row without");
    }
}

fn streams_above(variant: &Variant, call: Call, n: usize, kinds: &[Kind], case: &str) {
    let edge = match call {
        Call::Set(0) => tunable("zero_streaming"),
        Call::Set(_) | Call::Fill => tunable("set_streaming"),
        Call::Copy => tunable("copy_streaming"),
        // Ranges that overlap never stream; a move by 100 bytes overlaps from 101 on.
        Call::MoveUp | Call::MoveDown => usize::MAX,
    };
    let n = if call == Call::Fill { n / 8 * 8 } else { n };
    assert_eq!(kinds.contains(&Kind::Stream), has_vectors(variant) && n >= edge, "{case}, streaming from {edge}");
}
