//! CPUs that answer CPUID as real ones do, and some that lie about themselves.

use core::cell::RefCell;
use fast_mem::Cpuid;

mod lying;
mod real;

/// A machine: its answers, what must be read in them, and what must be chosen.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) name: &'static str,
    pub(crate) vendor: &'static [u8; 12],
    /// The last basic leaf.
    last: u32,
    /// Leaf 1: EAX and ECX.
    version: u32,
    leaf1_ecx: u32,
    /// Leaf 7, and EAX of its sub-leaf 1.
    leaf7: [u32; 4],
    leaf7_1: u32,
    /// `None`: there is no XGETBV.
    xcr0: Option<u64>,
    /// The sub-leaves of leaf 4, or of 8000001Dh.
    cache_list: &'static [[u32; 4]],

    pub(crate) family_and_model: (u16, u16),
    pub(crate) features: &'static str,
    pub(crate) l3: usize,
    /// The row for each routine: the first that the table holds.
    pub(crate) set: &'static [&'static str],
    pub(crate) copy: &'static [&'static str],

    /// What was asked: leaf and sub-leaf.
    pub(crate) asked: Asked,
}

/// Leaf and sub-leaf of each question.
pub(crate) type Asked = RefCell<Vec<(u32, u32)>>;

const OSXSAVE: u32 = 1 << 27;
const LAST_EXTENDED: u32 = 0x8000_0020;

/// All of them.
pub(crate) fn all() -> Vec<Machine> {
    real::machines().into_iter().chain(lying::machines()).collect()
}

impl Machine {
    fn leaf(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = *self.vendor;
        let [ebx, edx, ecx] = [[a, b, c, d], [e, f, g, h], [i, j, k, l]].map(u32::from_le_bytes);
        let amd = matches!(self.vendor, b"AuthenticAMD" | b"HygonGenuine");
        let cache = self.cache_list.get(subleaf as usize).copied().unwrap_or_default();
        match leaf {
            0 => [self.last, ebx, ecx, edx],
            0x8000_001d if amd => cache,
            0x8000_0000 => [LAST_EXTENDED, ebx, ecx, edx],
            0x8000_0001.. => [0; 4],
            // Intel's manual: a leaf above the last one answers as the last one does.
            _ if leaf > self.last => self.leaf(self.last, subleaf),
            1 => [self.version, 0x0010_0800, self.leaf1_ecx, 0xbfeb_fbff],
            // Cache descriptors, which read as a leaf 7 would claim AVX2.
            2 => [0x7603_6301, 0x00f0_b5ff, 0, 0x00c1_0000],
            4 if !amd => cache,
            7 if subleaf == 0 => self.leaf7,
            7 if subleaf == 1 => [self.leaf7_1, 0, 0, 0],
            _ => [0; 4],
        }
    }
}

impl Cpuid for Machine {
    fn cpuid(&self, leaf: u32, subleaf: u32) -> [u32; 4] {
        self.asked.borrow_mut().push((leaf, subleaf));
        self.leaf(leaf, subleaf)
    }

    fn xcr0(&self) -> u64 {
        assert!(self.leaf1_ecx & OSXSAVE != 0, "{}: XGETBV would fault", self.name);
        self.xcr0.expect("a machine with OSXSAVE has the register")
    }
}
