//! From CPUID leaves to [`CpuInfo`].

use crate::cpu::{Caches, CpuInfo, Cpuid, Features};
use core::arch::asm;
use core::cell::Cell;
use raw_cpuid::{CacheType, CpuId, CpuIdReader, CpuIdResult, cpuid};

/// This CPU.
#[derive(Debug)]
struct Native;

impl Cpuid for Native {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let CpuIdResult { eax, ebx, ecx, edx } = cpuid!(leaf, subleaf);
        [eax, ebx, ecx, edx]
    }

    fn xcr0(&self) -> u64 {
        let (low, high): (u32, u32);
        // SAFETY: asked only where OSXSAVE says that the instruction exists; it reads one register.
        unsafe {
            asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") high, options(nomem, nostack, preserves_flags));
        }
        u64::from(high) << 32 | u64::from(low)
    }
}

// One row of feature bits each, as the vector rows need them. Their tests read leaf 7 without asking
// whether there is one, hence only where our own reading already says yes.
cpufeatures::new!(has_avx2, "avx2");
cpufeatures::new!(has_avx512, "avx512f", "avx512bw", "avx512vl", "bmi2");

/// All of AVX-512 that the row uses.
const AVX512: Features = Features::AVX512F.with(Features::AVX512BW).with(Features::AVX512VL);

/// What this CPU is. In a virtual machine each CPUID may cost a microsecond or more: at most 16 are executed.
pub(crate) fn detect() -> CpuInfo {
    let mut cpu = read(&Native);
    // A second opinion from a crate that many depend on: a vector row runs only if both agree.
    let mut doubted = Features::NONE;
    if cpu.has(AVX512) && !has_avx512::get() {
        doubted = doubted.with(AVX512);
    }
    if cpu.has(Features::AVX2) && (!cpu.has(AVX512) || doubted.contains(AVX512)) && !has_avx2::get() {
        doubted = doubted.with(Features::AVX2).with(Features::AVX);
    }
    cpu.features = cpu.features.without(doubted);
    cpu
}

/// What a CPU says that answers as `reader` does.
pub(crate) fn read<R: Cpuid>(reader: &R) -> CpuInfo {
    let memo = Memo { reader, answers: [const { Cell::new(None) }; 16] };
    let id = CpuId::with_cpuid_reader(Leaves(&memo));
    let [max_leaf, b, c, d] = memo.ask(0, 0);
    let mut vendor = [0; 12];
    for (to, from) in vendor.iter_mut().zip([b, d, c].iter().flat_map(|part| part.to_le_bytes())) {
        *to = from;
    }
    let [version, _, ecx, _] = if max_leaf >= 1 { memo.ask(1, 0) } else { [0; 4] };
    let (family, model) = family_and_model(version);
    let osxsave = ecx & 1 << 27 != 0;
    let features = Features::NONE
        .with_if(cfg!(fast_mem_simd), Features::SSE2)
        .with_if(ecx & 1 << 31 != 0, Features::HYPERVISOR)
        .with_if(rep_good(&vendor, family, model), Features::REP_GOOD)
        .with_if(nehalem(&vendor, family, model), Features::NEHALEM)
        .with(strings(&id, &memo, max_leaf, &vendor))
        .with(vectors(&memo, max_leaf, ecx, if osxsave { reader.xcr0() } else { 0 }));
    CpuInfo { vendor, family, model, features, caches: caches(&id) }
}

/// Every leaf is asked once, however often it is read.
struct Memo<'a, R> {
    reader: &'a R,
    answers: [Cell<Option<Answer>>; 16],
}

/// Leaf, sub-leaf, and what the reader said.
type Answer = (u32, u32, [u32; 4]);

impl<R: Cpuid> Memo<'_, R> {
    fn ask(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        for slot in &self.answers {
            match slot.get() {
                Some((l, s, answer)) if (l, s) == (leaf, subleaf) => return answer,
                Some(_) => {}
                None => {
                    let answer = self.reader.cpuid(leaf, subleaf);
                    slot.set(Some((leaf, subleaf, answer)));
                    return answer;
                }
            }
        }
        self.reader.cpuid(leaf, subleaf)
    }
}

/// The memo as the decoder wants it.
struct Leaves<'a, R>(&'a Memo<'a, R>);

impl<R> Clone for Leaves<'_, R> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<R: Cpuid> CpuIdReader for Leaves<'_, R> {
    fn cpuid2(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        // Two questions whose answers nobody here needs, each a trap of four microseconds in a virtual machine. AMD's
        // manual fixes what 8000001Dh sub-leaf 1 is: the first-level instruction cache (type 2, level 1). Leaf 7
        // sub-leaf 1 has bits about string instructions on Intel, and is asked there by `strings`.
        let [eax, ebx, ecx, edx] = match (leaf, subleaf) {
            (0x8000_001d, 1) => [1 << 5 | 2, 0, 0, 0],
            (7, 1) => [0; 4],
            _ => self.0.ask(leaf, subleaf),
        };
        CpuIdResult { eax, ebx, ecx, edx }
    }
}

/// Family and model, the extended parts included. By hand: the decoder adds them up in eight bits, which
/// overflow on what a lying hypervisor may say.
fn family_and_model(version: u32) -> (u16, u16) {
    let field = |shift: u32, bits: u32| (version >> shift & ((1 << bits) - 1)) as u16;
    let (base_family, base_model) = (field(8, 4), field(4, 4));
    let family = if base_family == 15 { 15 + field(20, 8) } else { base_family };
    let model = if matches!(base_family, 6 | 7 | 15) { field(16, 4) << 4 | base_model } else { base_model };
    (family, model)
}

/// What Linux calls fast strings. It also asks a bit of an Intel MSR that firmware sets and user space cannot read.
fn rep_good(vendor: &[u8; 12], family: u16, model: u16) -> bool {
    match vendor {
        b"GenuineIntel" => family == 6,
        // K8 from revision C: its models count in steps of four from 4 on.
        b"AuthenticAMD" => family >= 0x10 || family == 0xf && model >= 4,
        b"HygonGenuine" => true,
        b"CentaurHauls" | b"  Shanghai  " => family >= 7 || family == 6 && model >= 0xf,
        _ => false,
    }
}

fn nehalem(vendor: &[u8; 12], family: u16, model: u16) -> bool {
    vendor == b"GenuineIntel" && family == 6 && matches!(model, 0x1a | 0x1e | 0x1f | 0x2e | 0x25 | 0x2c | 0x2f)
}

/// The bits about string instructions.
fn strings<R: Cpuid>(id: &CpuId<Leaves<'_, R>>, memo: &Memo<'_, R>, max_leaf: u32, vendor: &[u8; 12]) -> Features {
    let Some(extended) = id.get_extended_feature_info() else {
        return Features::NONE;
    };
    // The decoder has no FSRM, FZRM, FSRS and FSRC: these four by hand.
    let [subleaves, _, _, edx] = if max_leaf >= 7 { memo.ask(7, 0) } else { [0; 4] };
    let eax1 = if subleaves >= 1 && vendor == b"GenuineIntel" { memo.ask(7, 1)[0] } else { 0 };
    Features::NONE
        .with_if(extended.has_rep_movsb_stosb(), Features::ERMS)
        .with_if(edx & 1 << 4 != 0, Features::FSRM)
        .with_if(eax1 & 1 << 10 != 0, Features::FZRM)
        .with_if(eax1 & 1 << 11 != 0, Features::FSRS)
        .with_if(eax1 & 1 << 12 != 0, Features::FSRC)
}

/// The vector bits that the operating system backs by saving the registers (XCR0).
fn vectors<R: Cpuid>(memo: &Memo<'_, R>, max_leaf: u32, leaf1_ecx: u32, xcr0: u64) -> Features {
    const YMM: u64 = 0b110;
    const ZMM: u64 = 0b1110_0110;
    let avx = leaf1_ecx & 1 << 28 != 0 && xcr0 & YMM == YMM;
    if !cfg!(fast_mem_simd) || !avx {
        return Features::NONE;
    }
    let ebx = if max_leaf >= 7 { memo.ask(7, 0)[1] } else { 0 };
    let zmm = xcr0 & ZMM == ZMM;
    Features::AVX
        .with_if(ebx & 1 << 5 != 0, Features::AVX2)
        .with_if(ebx & 1 << 8 != 0, Features::BMI2)
        .with_if(zmm && ebx & 1 << 16 != 0, Features::AVX512F)
        .with_if(zmm && ebx & 1 << 30 != 0, Features::AVX512BW)
        .with_if(zmm && ebx & 1 << 31 != 0, Features::AVX512VL)
}

/// Leaf 4 on Intel and others, 8000001Dh on AMD and Hygon: caches as one core sees them.
fn caches<R: Cpuid>(id: &CpuId<Leaves<'_, R>>) -> Caches {
    let mut caches = Caches::default();
    // No CPU has more than five; one that claims an endless list is not believed.
    for cache in id.get_cache_parameters().into_iter().flatten().take(5) {
        let size = [cache.associativity(), cache.physical_line_partitions(), cache.coherency_line_size(), cache.sets()]
            .into_iter()
            .fold(1, usize::saturating_mul);
        match (cache.level(), cache.cache_type()) {
            (1, CacheType::Data) => caches.l1d = size,
            (2, CacheType::Data | CacheType::Unified) => caches.l2 = size,
            (3, CacheType::Data | CacheType::Unified) => {
                (caches.l3, caches.l3_sharers) = (size, cache.max_cores_for_cache());
                // What comes after is not asked: each question is a trap in a virtual machine.
                break;
            }
            _ => {}
        }
    }
    caches
}
