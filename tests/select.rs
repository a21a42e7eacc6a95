//! Which row which CPU gets: real CPUID answers of many models, what lies about itself, and every combination.

mod common;
mod cpus;

use common::{not_run, subject::each_feature};
use cpus::Machine;
use fast_mem::{Caches, CpuInfo, Features, Routine, Source, Tunables, Wish, select};

const ROUTINES: [Routine; 2] = [Routine::Set, Routine::Copy];

/// CPUID is an instruction of x86, and the soft-float build has no vector row to choose.
const ASKS: bool = cfg!(all(target_arch = "x86_64", target_feature = "sse2"));

#[test]
fn each_machine_gets_its_row() {
    if !ASKS {
        return not_run("the choice for x86-64 machines", "this target does not ask CPUID");
    }
    for machine in cpus::all() {
        let Machine { name, set, copy, .. } = machine;
        let cpu = CpuInfo::from_cpuid(&machine);
        for (routine, rows) in ROUTINES.into_iter().zip([set, copy]) {
            // An older compiler builds a table without the row that asks for a newer one.
            let expected = rows.iter().find(|name| fast_mem::variants().any(|row| row.name() == **name)).unwrap();
            let choice = select(routine, &cpu, None);
            assert_eq!(choice.variant.name(), *expected, "{name}, {routine:?}: {cpu:?}");
            assert_eq!(choice.source, Source::Detected);
            assert_eq!(choice.why, choice.variant.reason(routine));
        }
    }
}

#[test]
fn each_machine_is_read_right() {
    if !ASKS {
        return not_run("reading CPUID", "this target does not ask it");
    }
    for machine in cpus::all() {
        let cpu = CpuInfo::from_cpuid(&machine);
        assert_eq!((cpu.family(), cpu.model()), machine.family_and_model, "{}", machine.name);
        assert_eq!(cpu.features(), Features::parse(machine.features), "{}", machine.name);
        assert_eq!(cpu.caches().l3, machine.l3, "{}: L3", machine.name);
        let vendor = machine.vendor.split(|&byte| byte == 0).next().unwrap();
        assert_eq!(cpu.vendor().as_bytes(), vendor, "{}", machine.name);
    }
}

/// XGETBV faults without OSXSAVE, leaves above the last one answer with another one's, and each
/// CPUID may cost a virtual machine a microsecond or more.
#[test]
fn nothing_is_asked_that_must_not_be() {
    if !ASKS {
        return not_run("what CPUID is asked", "this target does not ask it");
    }
    for machine in cpus::all() {
        let name = machine.name;
        CpuInfo::from_cpuid(&machine);
        let asked = machine.asked.borrow();
        assert!(asked.len() <= 16, "{name}: {} leaves: {asked:x?}", asked.len());
        let mut once = asked.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), asked.len(), "{name} is asked twice: {asked:x?}");
    }
}

/// Every combination of what a choice can depend on gets a row that it can run, whatever is wished.
#[test]
fn every_combination_gets_a_row_that_runs() {
    let bits = each_feature();
    let models = [(6, 0x0f), (6, 0x1a), (6, 0x55), (6, 0x6a), (0xf, 5), (0x17, 1), (0x19, 0x21), (0, 0)];
    for vendor in ["GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls", ""] {
        for (family, model) in models {
            for mask in 0..1u32 << bits.len() {
                let chosen = |(i, bit): (usize, &Features)| if mask >> i & 1 == 1 { *bit } else { Features::NONE };
                let features = bits.iter().enumerate().map(chosen).fold(Features::NONE, Features::with);
                let cpu = CpuInfo::imagine(vendor, family, model, features, Caches::default());
                for routine in ROUTINES {
                    let choice = select(routine, &cpu, None);
                    assert!(cpu.has(choice.variant.needs()), "{cpu:?} gets {choice}");
                    let best = fast_mem::variants().find(|row| cpu.has(row.needs()) && row.is_preferred(routine, &cpu));
                    assert_eq!(Some(choice.variant), best, "{cpu:?}");
                }
            }
        }
    }
}

#[test]
fn a_wish_never_makes_a_cpu_run_what_it_lacks() {
    let bits = each_feature();
    for mask in 0..1u32 << bits.len() {
        let chosen = |(i, bit): (usize, &Features)| if mask >> i & 1 == 1 { *bit } else { Features::NONE };
        let features = bits.iter().enumerate().map(chosen).fold(Features::NONE, Features::with);
        let cpu = CpuInfo::imagine("GenuineIntel", 6, 0x6a, features, Caches::default());
        for variant in fast_mem::variants() {
            for source in [Source::Feature, Source::Environment] {
                let choice = select(Routine::Copy, &cpu, Some(Wish { variant, source }));
                assert!(cpu.has(choice.variant.needs()), "{cpu:?}, {variant:?} wished: gets {choice}");
                if cpu.has(variant.needs()) {
                    assert_eq!((choice.variant, choice.source), (variant, source));
                } else {
                    assert_eq!(choice.variant, select(Routine::Copy, &cpu, None).variant);
                    assert_ne!(choice.why, choice.variant.reason(Routine::Copy), "{choice} hides the wish");
                }
            }
        }
    }
}

/// On AMD neither ERMS nor FSRM alone ever leads to string instructions.
#[test]
fn string_bits_change_nothing_on_amd() {
    let strings = Features::parse("erms,fsrm,fzrm,fsrs,fsrc");
    for base in ["sse2", "sse2,avx,avx2", "sse2,avx,avx2,avx512f,avx512bw,avx512vl"] {
        for (family, routine) in [0xf, 0x10, 0x15, 0x17, 0x19, 0x1a].into_iter().flat_map(|f| ROUTINES.map(|r| (f, r)))
        {
            let row = |features| {
                let cpu = CpuInfo::imagine("AuthenticAMD", family, 1, features, Caches::default());
                select(routine, &cpu, None).variant
            };
            let plain = Features::parse(base);
            assert_eq!(row(plain), row(plain.with(strings)), "family {family:x}h with {base}");
        }
    }
}

/// Whatever L3 a hypervisor claims, thresholds stay usable, and more cache never lowers one.
#[test]
fn thresholds_stay_within_bounds() {
    let of = |(vendor, family), l3| {
        let caches = Caches { l3, l3_sharers: 1, ..Caches::default() };
        Tunables::of(&CpuInfo::imagine(vendor, family, 1, Features::ALL, caches))
    };
    let sizes = [0, 1, 4096, 256 << 10, 8 << 20, 32 << 20, 256 << 20, usize::MAX / 4, usize::MAX];
    for cpu in [("GenuineIntel", 6), ("AuthenticAMD", 0x17), ("AuthenticAMD", 0x19), ("AuthenticAMD", 0x1a), ("", 0)] {
        for name in Tunables::of(&CpuInfo::UNKNOWN).iter().map(|tunable| tunable.name) {
            let known: Vec<_> = sizes[1..].iter().map(|&l3| *of(cpu, l3).get(name).unwrap()).collect();
            for tunable in known.iter().chain([of(cpu, 0).get(name).unwrap()]) {
                assert!(tunable.bytes >= tunable.least, "{tunable}: {}", tunable.source);
                // A gigabyte is out of every cache.
                assert!(tunable.bytes <= 1 << 30 || tunable.bytes == usize::MAX, "{tunable}: {}", tunable.source);
            }
            assert!(known.is_sorted_by_key(|tunable| tunable.bytes), "{known:?}");
        }
    }
}
