//! Where this runs.

use crate::arch;
use crate::clock::Clock;
use crate::failure::Failure;
use crate::record::Machine;
use core_affinity::CoreId;

/// Every core that this process may run on. Ask before pinning: afterwards it is one.
pub(crate) fn cores() -> Vec<CoreId> {
    core_affinity::get_core_ids().unwrap_or_default()
}

/// Pins this thread to a core: the one asked for, or the last (the first is where interrupts go).
pub(crate) fn pin(wanted: Option<usize>, cores: &[CoreId]) -> Result<Option<usize>, Failure> {
    let core = match wanted {
        None => cores.last().copied(),
        Some(n) => Some(*cores.iter().find(|c| c.id == n).ok_or_else(|| {
            let ids: Vec<_> = cores.iter().map(|c| c.id.to_string()).collect();
            Failure::input(format!("--cpu {n}: no such core here; expected one of {}", ids.join(", ")))
        })?),
    };
    Ok(core.filter(|&c| core_affinity::set_for_current(c)).map(|c| c.id))
}

/// Everything that is known about the machine and this build.
pub(crate) fn describe(clock: Clock, cores: usize, pinned_to: Option<usize>) -> Machine {
    let cpu = fast_mem::cpu();
    let caches = cpu.caches();
    let selection = fast_mem::selection();
    Machine {
        cpu: cpu_name().unwrap_or_else(|| cpu.vendor().to_owned()),
        vendor: cpu.vendor().to_owned(),
        family: cpu.family(),
        model: cpu.model(),
        features: cpu.features().names().map(str::to_owned).collect(),
        l1d: caches.l1d,
        l2: caches.l2,
        l3: caches.l3,
        cores,
        pinned_to,
        os: std::env::consts::OS.to_owned(),
        target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        compiler: compiler(),
        debug_assertions: cfg!(debug_assertions),
        clock_source: arch::CLOCK.to_owned(),
        clock,
        hardware_counters: false,
        set: selection.set.to_string(),
        copy: selection.copy.to_string(),
        tunables: fast_mem::tunables()
            .iter()
            .map(|t| (t.name.to_owned(), (t.bytes != usize::MAX).then_some(t.bytes)))
            .collect(),
    }
}

/// What Linux calls the CPU.
fn cpu_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The compiler that is found now: where the example was built and is run in one go, the one that built it.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output().ok();
    let text = output.filter(|o| o.status.success()).and_then(|o| String::from_utf8(o.stdout).ok());
    text.map_or_else(|| "unknown".to_owned(), |t| t.trim().to_owned())
}
