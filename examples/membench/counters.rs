//! Core cycles and instructions, where the system lets a process count them.

/// What was counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) cycles: f64,
    pub(crate) instructions: f64,
}

pub(crate) use os::Counters;

// As in Cargo.toml: where perf-event2 has bindings.
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod os {
    use super::Counts;
    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter, Group};
    use std::io;

    /// Hardware counters of this thread.
    pub(crate) struct Counters {
        group: Group,
        cycles: Counter,
        instructions: Counter,
    }

    impl Counters {
        /// Fails where there are none, as in most virtual machines, or where they are not allowed.
        pub(crate) fn open() -> io::Result<Self> {
            let mut group = Group::new()?;
            let cycles = group.add(&Builder::new(Hardware::CPU_CYCLES))?;
            let instructions = group.add(&Builder::new(Hardware::INSTRUCTIONS))?;
            Ok(Self { group, cycles, instructions })
        }

        /// Counts during `work`.
        pub(crate) fn count(&mut self, work: impl FnOnce()) -> io::Result<Counts> {
            self.group.reset()?;
            self.group.enable()?;
            work();
            self.group.disable()?;
            let data = self.group.read()?;
            Ok(Counts { cycles: data[&self.cycles] as f64, instructions: data[&self.instructions] as f64 })
        }
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod os {
    use super::Counts;
    use std::io;

    /// No counters.
    #[derive(Debug)]
    pub(crate) struct Counters;

    impl Counters {
        /// Always fails.
        pub(crate) fn open() -> io::Result<Self> {
            Err(io::Error::from(io::ErrorKind::Unsupported))
        }

        /// Never called: there is no `Counters`.
        pub(crate) fn count(&mut self, work: impl FnOnce()) -> io::Result<Counts> {
            work();
            Err(io::Error::from(io::ErrorKind::Unsupported))
        }
    }
}
