//! CPUs behind hypervisors, emulators and firmware that hide a part of them.

use super::real::{blank, haswell, ice_lake, zen_3, zen_4};
use super::{Machine, OSXSAVE};

const ERMS: u32 = 1 << 9;
const HYPERVISOR: u32 = 1 << 31;
const XMM: Option<u64> = Some(0b011);
const YMM: Option<u64> = Some(0b111);

pub(super) fn machines() -> Vec<Machine> {
    let mut all = hidden_registers();
    all.extend(hidden_leaves());
    all
}

/// The CPU could, but the operating system does not save the registers.
fn hidden_registers() -> Vec<Machine> {
    let without_avx = Machine { features: "sse2,erms,rep_good", set: &["sse2"], copy: &["sse2"], ..haswell() };
    let no_osxsave = Machine {
        name: "AVX without OSXSAVE",
        leaf1_ecx: haswell().leaf1_ecx & !OSXSAVE,
        xcr0: None,
        ..without_avx.clone()
    };
    let no_ymm = Machine { name: "XCR0 without ymm", xcr0: XMM, ..without_avx };
    let half_ymm = Machine { name: "XCR0 with ymm and without xmm", xcr0: Some(0b101), ..no_ymm.clone() };
    let no_zmm = Machine {
        name: "Ice Lake, XCR0 without zmm",
        xcr0: YMM,
        features: "sse2,avx,avx2,bmi2,erms,fsrm,rep_good",
        set: &["avx2"],
        copy: &["avx2"],
        ..ice_lake()
    };
    let half_zmm = Machine { name: "Ice Lake, XCR0 without zmm16 to 31", xcr0: Some(0x67), ..no_zmm.clone() };
    let no_zmm_amd = Machine {
        name: "Zen 4, XCR0 without zmm",
        xcr0: YMM,
        features: "sse2,avx,avx2,bmi2,erms,fsrm,rep_good",
        set: &["avx2"],
        copy: &["avx2"],
        ..zen_4()
    };
    vec![no_osxsave, no_ymm, half_ymm, no_zmm, half_zmm, no_zmm_amd]
}

/// Leaves or bits are hidden.
fn hidden_leaves() -> Vec<Machine> {
    let rosetta = Machine {
        name: "Rosetta-like",
        vendor: b"VirtualApple",
        version: 0x0002_06c0,
        leaf1_ecx: 0x0298_e3bd,
        family_and_model: (6, 0x2c),
        ..blank()
    };
    let limited = Machine {
        name: "Haswell, last leaf 2",
        last: 2,
        features: "sse2,avx,rep_good",
        l3: 0,
        set: &["nehalem"],
        copy: &["nehalem"],
        ..haswell()
    };
    let no_l3 = Machine { name: "Zen 3, no cache sizes", cache_list: &[], l3: 0, ..zen_3() };
    let masked = Machine {
        name: "Haswell, ERMS masked by a hypervisor",
        leaf1_ecx: haswell().leaf1_ecx | HYPERVISOR,
        leaf7: [0, haswell().leaf7[1] & !ERMS, 0, 0],
        features: "sse2,avx,avx2,bmi2,rep_good,hypervisor",
        set: &["avx2"],
        copy: &["avx2"],
        ..haswell()
    };
    let fsrm_alone = Machine {
        name: "FSRM without ERMS",
        leaf7: [0, haswell().leaf7[1] & !ERMS, 0, 1 << 4],
        features: "sse2,avx,avx2,bmi2,fsrm,rep_good",
        set: &["avx2"],
        copy: &["avx2"],
        ..haswell()
    };
    let one_of_three = Machine {
        name: "AVX-512 without BW",
        leaf7: [0, ice_lake().leaf7[1] & !(1 << 30), 0, 0x10],
        features: "sse2,avx,avx2,bmi2,avx512f,avx512vl,erms,fsrm,rep_good",
        set: &["avx2"],
        copy: &["avx2"],
        ..ice_lake()
    };
    let silent = Machine { name: "nothing but zeros", vendor: &[0; 12], last: 0, family_and_model: (0, 0), ..blank() };
    vec![rosetta, limited, no_l3, masked, fsrm_alone, one_of_three, silent]
}
