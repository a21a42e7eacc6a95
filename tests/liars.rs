//! CPUs that answer anything: whatever CPUID says, the row chosen is one that the operating system and the bits allow, and
//! every threshold is within its bounds.
#![cfg(target_arch = "x86_64")]

use core::cell::Cell;
use fast_mem::{CpuInfo, Cpuid, Features, Routine, Tunables, select};
use quickcheck::{Arbitrary, Gen, QuickCheck};

/// Answers drawn from a seed, the same for the same leaf; some of them as a real CPU gives them.
#[derive(Clone, Debug)]
struct Liar {
    seed: u64,
    vendor: &'static [u8; 12],
    last: u32,
    xcr0: u64,
    /// Bits that are set in every answer, and bits that may be.
    always: u32,
    ever: u32,
    asked: Cell<usize>,
    xcr0_asked: Cell<bool>,
}

impl Arbitrary for Liar {
    fn arbitrary(g: &mut Gen) -> Self {
        let vendors: [&[u8; 12]; 7] = [
            b"GenuineIntel",
            b"AuthenticAMD",
            b"HygonGenuine",
            b"CentaurHauls",
            b"  Shanghai  ",
            b"\xff\xfe\0\x01garbage!",
            b"\0\0\0\0\0\0\0\0\0\0\0\0",
        ];
        let [last, always, sometimes, ever] = core::array::from_fn(|_| u32::arbitrary(g));
        let any = u64::arbitrary(g);
        Self {
            seed: u64::arbitrary(g),
            vendor: g.choose(&vendors).expect("some"),
            last: *g.choose(&[0, 1, 2, 4, 7, 0xd, 0x1f, u32::MAX, last]).expect("some"),
            xcr0: *g.choose(&[0, 1, 3, 5, 7, 0x67, 0xe3, 0xe7, u64::MAX, any]).expect("some"),
            always: *g.choose(&[0, 0, u32::MAX, sometimes]).expect("some") & always,
            ever: *g.choose(&[u32::MAX, u32::MAX, 0, ever]).expect("some"),
            asked: Cell::new(0),
            xcr0_asked: Cell::new(false),
        }
    }
}

impl Liar {
    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let mut state = self.seed ^ u64::from(leaf) << 32 ^ u64::from(subleaf).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let answer = core::array::from_fn(|_| {
            state = (state ^ state >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ state >> 27;
            (state >> 17) as u32 & self.ever | self.always
        });
        let text = |at: usize| u32::from_le_bytes(core::array::from_fn(|i| self.vendor[at + i]));
        match leaf {
            0 => [self.last, text(0), text(8), text(4)],
            _ => answer,
        }
    }

    fn bit(&self, leaf: u32, register: usize, bit: u32) -> bool {
        leaf <= self.last && self.leaf(leaf, 0)[register] >> bit & 1 == 1
    }
}

impl Cpuid for Liar {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        self.asked.set(self.asked.get() + 1);
        self.leaf(leaf, subleaf)
    }

    fn xcr0(&self) -> u64 {
        self.xcr0_asked.set(true);
        self.xcr0
    }
}

/// What the operating system and the bits allow, read here by hand.
fn allowed(liar: &Liar) -> Features {
    let saved = if liar.bit(1, 2, 27) { liar.xcr0 } else { 0 };
    let ymm = saved & 6 == 6 && liar.bit(1, 2, 28);
    let zmm = ymm && saved & 0xe6 == 0xe6;
    Features::SSE2
        .with_if(ymm, Features::AVX)
        .with_if(ymm && liar.bit(7, 1, 5), Features::AVX2)
        .with_if(ymm && liar.bit(7, 1, 8), Features::BMI2)
        .with_if(zmm && liar.bit(7, 1, 16), Features::AVX512F)
        .with_if(zmm && liar.bit(7, 1, 30), Features::AVX512BW)
        .with_if(zmm && liar.bit(7, 1, 31), Features::AVX512VL)
}

fn holds(liar: Liar) -> bool {
    let cpu = CpuInfo::from_cpuid(&liar);
    let vectors = Features::parse("sse2,avx,avx2,bmi2,avx512f,avx512bw,avx512vl");
    let found = cpu.features().without(Features::ALL.without(vectors));
    assert_eq!(found, allowed(&liar), "{cpu:?}");
    assert!(!liar.xcr0_asked.get() || liar.bit(1, 2, 27), "XGETBV without OSXSAVE");
    assert!(liar.asked.get() <= 16, "{} leaves", liar.asked.get());
    for routine in [Routine::Set, Routine::Copy] {
        let row = select(routine, &cpu, None).variant;
        assert!(allowed(&liar).contains(row.needs()), "{row:?} on {cpu:?}");
    }
    for tunable in Tunables::of(&cpu).iter() {
        // Streaming below 2 MiB would miss every cache that there is, whatever size is claimed.
        let least = if tunable.name.ends_with("_streaming") { 2 << 20 } else { tunable.least };
        let bounded = tunable.bytes == usize::MAX || tunable.bytes <= 1 << 30;
        assert!(tunable.bytes >= least && bounded, "{tunable} on {cpu:?}");
    }
    true
}

#[test]
fn any_answers_get_a_row_that_runs() {
    QuickCheck::new().tests(20_000).max_tests(20_000).min_tests_passed(20_000).quickcheck(holds as fn(Liar) -> bool);
}
