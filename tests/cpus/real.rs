//! Answers as dumped from real machines.

use super::{Asked, Machine};

const INTEL: &[u8; 12] = b"GenuineIntel";
const AMD: &[u8; 12] = b"AuthenticAMD";

const MIB: usize = 1 << 20;
const YMM: Option<u64> = Some(0b111);
const ZMM: Option<u64> = Some(0xe7);

const L1D_32K: [u32; 4] = [0x1c00_4121, 0x01c0_003f, 0x3f, 0];
const L1I_32K: [u32; 4] = [0x1c00_4122, 0x01c0_003f, 0x3f, 0];
const L2_256K: [u32; 4] = [0x1c00_4143, 0x01c0_003f, 0x1ff, 0];
const fn intel_l3(ways: u32, sets: u32) -> [u32; 4] {
    [0x1c03_c163, (ways - 1) << 22 | 0x3f, sets - 1, 6]
}
const fn amd_l3(sets: u32) -> [u32; 4] {
    [0x0001_c163, 0x03c0_003f, sets - 1, 1]
}
const ZEN_L1D: [u32; 4] = [0x0000_4121, 0x01c0_003f, 0x3f, 0];
const ZEN_L1I: [u32; 4] = [0x0000_4122, 0x01c0_003f, 0x3f, 0];
const ZEN_L2: [u32; 4] = [0x0000_4143, 0x01c0_003f, 0x3ff, 2];

const CLIENT_8M: &[[u32; 4]] = &[L1D_32K, L1I_32K, L2_256K, intel_l3(16, 0x2000)];
const ZEN_8M: &[[u32; 4]] = &[ZEN_L1D, ZEN_L1I, ZEN_L2, amd_l3(0x2000)];
const ZEN_32M: &[[u32; 4]] = &[ZEN_L1D, ZEN_L1I, ZEN_L2, amd_l3(0x8000)];

/// A machine of which nothing is known but its vendor.
pub(super) fn blank() -> Machine {
    Machine {
        name: "",
        vendor: INTEL,
        last: 0xd,
        version: 0,
        leaf1_ecx: 0,
        leaf7: [0; 4],
        leaf7_1: 0,
        xcr0: None,
        cache_list: &[],
        family_and_model: (6, 0),
        features: "sse2",
        l3: 0,
        set: &["sse2"],
        copy: &["sse2"],
        asked: Asked::default(),
    }
}

pub(super) fn haswell() -> Machine {
    Machine {
        name: "Haswell",
        version: 0x0003_06c3,
        leaf1_ecx: 0x7ffa_fbff,
        leaf7: [0, 0x0000_27ab, 0, 0],
        xcr0: YMM,
        cache_list: CLIENT_8M,
        family_and_model: (6, 0x3c),
        features: "sse2,avx,avx2,bmi2,erms,rep_good",
        l3: 8 * MIB,
        set: &["avx2"],
        copy: &["avx2"],
        ..blank()
    }
}

pub(super) fn ice_lake() -> Machine {
    Machine {
        name: "Ice Lake",
        last: 0x1b,
        version: 0x0007_06e5,
        leaf1_ecx: 0x7ffa_fbbf,
        leaf7: [0, 0xf2bf_67ef, 0x4041_5f5e, 0xbc00_0410],
        xcr0: ZMM,
        cache_list: CLIENT_8M,
        family_and_model: (6, 0x7e),
        features: "sse2,avx,avx2,bmi2,avx512f,avx512bw,avx512vl,erms,fsrm,rep_good",
        l3: 8 * MIB,
        set: &["avx512", "avx2"],
        copy: &["avx512", "avx2"],
        ..blank()
    }
}

pub(super) fn zen_3() -> Machine {
    Machine {
        name: "Zen 3",
        vendor: AMD,
        last: 0x10,
        version: 0x00a2_0f10,
        leaf1_ecx: 0x7ef8_320b,
        leaf7: [0, 0x219c_97a9, 0x0040_068c, 0x0000_0010],
        xcr0: YMM,
        cache_list: ZEN_32M,
        family_and_model: (0x19, 0x21),
        features: "sse2,avx,avx2,bmi2,erms,fsrm,rep_good",
        l3: 32 * MIB,
        set: &["avx2"],
        copy: &["avx2"],
        ..blank()
    }
}

pub(super) fn zen_4() -> Machine {
    Machine {
        name: "Zen 4",
        version: 0x00a6_0f12,
        leaf7: [1, 0xf1bf_97a9, 0x0040_5fce, 0x1000_0010],
        leaf7_1: 0x20,
        xcr0: ZMM,
        family_and_model: (0x19, 0x61),
        features: "sse2,avx,avx2,bmi2,avx512f,avx512bw,avx512vl,erms,fsrm,rep_good",
        set: &["avx512", "avx2"],
        copy: &["avx512", "avx2"],
        ..zen_3()
    }
}

/// Machines without AVX2.
fn early() -> [Machine; 9] {
    let nehalem = Machine {
        name: "Nehalem",
        last: 0xb,
        version: 0x0001_06a5,
        leaf1_ecx: 0x0098_e3bd,
        cache_list: CLIENT_8M,
        family_and_model: (6, 0x1a),
        features: "sse2,rep_good,nehalem",
        l3: 8 * MIB,
        set: &["nehalem"],
        copy: &["nehalem"],
        ..blank()
    };
    let westmere = Machine {
        name: "Westmere",
        version: 0x0002_06c2,
        leaf1_ecx: 0x029e_e3ff,
        cache_list: const { &[L1D_32K, L1I_32K, L2_256K, intel_l3(16, 0x3000)] },
        family_and_model: (6, 0x2c),
        l3: 12 * MIB,
        ..nehalem.clone()
    };
    let sandy_bridge = Machine {
        name: "Sandy Bridge",
        last: 0xd,
        version: 0x0002_06a7,
        leaf1_ecx: 0x1fba_e3ff,
        xcr0: YMM,
        family_and_model: (6, 0x2a),
        features: "sse2,avx,rep_good",
        ..nehalem.clone()
    };
    let ivy_bridge = Machine {
        name: "Ivy Bridge",
        version: 0x0003_06a9,
        leaf1_ecx: 0x7fba_e3ff,
        leaf7: [0, 0x0000_0281, 0, 0],
        family_and_model: (6, 0x3a),
        features: "sse2,avx,erms,rep_good",
        set: &["sse2"],
        copy: &["sse2"],
        ..sandy_bridge.clone()
    };
    let goldmont = Machine {
        name: "Goldmont",
        last: 0x15,
        version: 0x0005_06c9,
        leaf1_ecx: 0x4ff8_ebbf,
        leaf7: [0, 0x2294_e283, 0, 0],
        xcr0: Some(3),
        cache_list: &[],
        family_and_model: (6, 0x5c),
        features: "sse2,erms,rep_good",
        l3: 0,
        ..ivy_bridge.clone()
    };
    let core_2 = Machine {
        name: "Core 2",
        last: 0xa,
        version: 0x0000_06f6,
        leaf1_ecx: 0x0000_e3bd,
        cache_list: &[L1D_32K, L1I_32K, [0x0400_4143, 0x03c0_003f, 0xfff, 1]],
        family_and_model: (6, 0xf),
        features: "sse2,rep_good",
        l3: 0,
        ..nehalem.clone()
    };
    let pentium_4 = Machine {
        name: "Pentium 4",
        last: 2,
        version: 0x0f29,
        leaf1_ecx: 0x4400,
        family_and_model: (15, 2),
        ..blank()
    };
    let k8 = Machine {
        name: "K8",
        vendor: AMD,
        last: 1,
        version: 0x0002_0ff0,
        leaf1_ecx: 1,
        family_and_model: (15, 0x2f),
        features: "sse2,rep_good",
        ..blank()
    };
    let nano = Machine {
        name: "VIA Nano",
        vendor: b"CentaurHauls",
        last: 0xa,
        version: 0x0000_06f8,
        leaf1_ecx: 0x0000_63a9,
        family_and_model: (6, 0xf),
        features: "sse2,rep_good",
        set: &["sse2"],
        copy: &["sse2"],
        ..blank()
    };
    [nehalem, westmere, sandy_bridge, ivy_bridge, goldmont, core_2, pentium_4, k8, nano]
}

pub(super) fn machines() -> Vec<Machine> {
    let skylake_x = Machine {
        name: "Skylake-X",
        last: 0x16,
        version: 0x0005_0654,
        leaf1_ecx: 0x7ffe_fbff,
        leaf7: [0, 0xd39f_fffb, 0, 0x9c00_2400],
        xcr0: ZMM,
        cache_list: const { &[L1D_32K, L1I_32K, [0x1c00_4143, 0x03c0_003f, 0x3ff, 0], intel_l3(11, 0x5000)] },
        family_and_model: (6, 0x55),
        features: "sse2,avx,avx2,bmi2,avx512f,avx512bw,avx512vl,erms,rep_good",
        l3: 11 * 64 * 0x5000,
        ..haswell()
    };
    let sapphire_rapids = Machine {
        name: "Sapphire Rapids",
        last: 0x20,
        version: 0x0008_06f8,
        leaf7: [2, 0xf3bf_b7ef, 0xfb81_6f5e, 0xffd9_4432],
        leaf7_1: 0x0000_1c30,
        family_and_model: (6, 0x8f),
        features: "sse2,avx,avx2,bmi2,avx512f,avx512bw,avx512vl,erms,fsrm,fzrm,fsrs,fsrc,rep_good",
        ..ice_lake()
    };
    let zen_1 = Machine {
        name: "Zen 1",
        last: 0xd,
        version: 0x0080_0f11,
        leaf1_ecx: 0x7ed8_320b,
        leaf7: [0, 0x209c_01a9, 0, 0],
        cache_list: ZEN_8M,
        family_and_model: (0x17, 1),
        features: "sse2,avx,avx2,bmi2,rep_good",
        l3: 8 * MIB,
        ..zen_3()
    };
    let dhyana = Machine {
        name: "Dhyana",
        vendor: b"HygonGenuine",
        version: 0x0090_0f02,
        family_and_model: (0x18, 0),
        ..zen_1.clone()
    };
    let modern = [haswell(), skylake_x, ice_lake(), sapphire_rapids, zen_1, zen_3(), zen_4(), dhyana];
    early().into_iter().chain(modern).collect()
}
