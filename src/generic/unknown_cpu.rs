//! Architectures without CPUID: nothing is asked, and nothing depends on the answer.

use crate::cpu::{CpuInfo, Cpuid};

/// This CPU.
pub(crate) fn detect() -> CpuInfo {
    CpuInfo::UNKNOWN
}

/// What any other would be.
pub(crate) fn read<R: Cpuid>(_reader: &R) -> CpuInfo {
    CpuInfo::UNKNOWN
}
