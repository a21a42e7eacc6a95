//! Code that evicts code: a million bytes of varied branches, and as much without a branch.

use core::arch::{asm, global_asm};

/// Whether this architecture has the two functions below.
pub(crate) const HAS_CODE_THRASH: bool = true;

/// One block of varied code.
macro_rules! blocks {
    ($count:literal) => {
        concat!(
            ".rept ",
            $count,
            "\n",
            "test edi, 1 << ((membench_block * 7) % 32)\n",
            "jz 2f\n",
            ".nops 3 + (membench_block * 5) % 16\n",
            "2:\n",
            "lea eax, [rdi + rdi * 4 + 1 + membench_block % 100]\n",
            "rol eax, 7\n",
            "xor edi, eax\n",
            ".set membench_block, membench_block + 1\n",
            ".endr"
        )
    };
}

// 40,000 blocks of about 28 bytes: a test of a bit that depends on the argument, a short branch over 3 to
// 18 bytes, and a step of a xorshift-like mix that decides what later blocks do. Evicts code caches, the
// micro-op cache, the branch target buffer and the history of the predictor.
global_asm!(
    ".p2align 6",
    "membench_varied_code:",
    ".set membench_block, 0",
    blocks!(30000),
    // The last quarter has an entrance of its own.
    "membench_varied_code_tail:",
    blocks!(10000),
    "mov eax, edi",
    "ret",
    // 2 MiB of the longest `nop`: the micro-op cache and every cache up to that size, and no branch at all.
    ".p2align 6",
    "membench_straight_code:",
    ".nops 2097152, 9",
    "ret",
);

unsafe extern "C" {
    fn membench_varied_code(seed: u32) -> u32;
    fn membench_varied_code_tail(seed: u32) -> u32;
    fn membench_straight_code();
}

/// Runs a million bytes of varied code: code caches and branch predictors forget what they knew.
pub(crate) fn thrash_code(seed: u32) -> u32 {
    // SAFETY: the function above; it uses only its argument, rax and the flags, all caller-saved.
    unsafe { membench_varied_code(seed) }
}

/// Runs the last quarter of that: ten thousand branches are enough for predictors to forget.
pub(crate) fn forget_branches(seed: u32) -> u32 {
    // SAFETY: as `thrash_code`, entered between two blocks.
    unsafe { membench_varied_code_tail(seed) }
}

/// Runs two million bytes without a branch: code caches forget, branch predictors do not.
pub(crate) fn chill_code() {
    // SAFETY: nothing but `nop`s and a return. The empty `asm!` keeps calls from being merged.
    unsafe {
        membench_straight_code();
        asm!("", options(nomem, nostack, preserves_flags));
    }
}
