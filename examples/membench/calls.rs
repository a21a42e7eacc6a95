//! What is called: fast_mem, its variants, the standard library, and routines known by address.

use crate::arch::PeakFn;
use crate::callsite::Call;
use core::ffi::{c_int, c_void};
use core::slice::{from_raw_parts, from_raw_parts_mut};
use fast_mem::{Pattern, Variant};

/// A [`Call`] made of a name, the fields it carries, and the expression that is inlined in the loop.
///
/// The slices are made from raw parts, so no contender pays for a bounds check that another does not.
macro_rules! call {
    ($(#[$doc:meta])* $name:ident $(<$t:ident>)? { $($field:ident: $ty:ty),* }, |$self:ident, $dst:ident, $src:ident, $n:ident| $body:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name $(<$t>)? { $(pub(crate) $field: $ty),* }

        impl $(<$t: Pattern + Send + Sync>)? Call for $name $(<$t>)? {
            #[inline(always)]
            #[allow(unused_variables, reason = "set has no source")]
            unsafe fn call($self, $dst: *mut u8, $src: *const u8, $n: usize) {
                // SAFETY: the caller of `call` grants `n` writable bytes at `dst` and `n` readable bytes at
                // `src`, apart from one another unless this is a move, aligned to the element of a fill.
                unsafe { $body }
            }
        }
    };
}

call!(/// `fast_mem::set`, front inlined.
    FastSet { byte: u8 }, |self, dst, src, n| fast_mem::set(from_raw_parts_mut(dst, n), self.byte));
call!(/// `fast_mem::zero`, front inlined.
    FastZero {}, |self, dst, src, n| fast_mem::zero(from_raw_parts_mut(dst, n)));
call!(/// `fast_mem::copy`, front inlined.
    FastCopy {}, |self, dst, src, n| fast_mem::copy(from_raw_parts_mut(dst, n), from_raw_parts(src, n)));
call!(/// `fast_mem::raw::copy`, front inlined.
    FastMove {}, |self, dst, src, n| fast_mem::raw::copy(src, dst, n));
call!(/// `fast_mem::fill`.
    FastFill<T> { value: T }, |self, dst, src, n| fast_mem::fill(elements(dst, n), self.value));

// A variant is called through the table, which asks each time whether the CPU has what it needs. The
// contenders are supported, so the answer is dropped.
call!(/// `set` by one variant.
    VariantSet { of: &'static Variant, byte: u8 },
    |self, dst, src, n| _ = self.of.set(from_raw_parts_mut(dst, n), self.byte));
call!(/// `copy` by one variant.
    VariantCopy { of: &'static Variant },
    |self, dst, src, n| _ = self.of.copy(from_raw_parts_mut(dst, n), from_raw_parts(src, n)));
call!(/// `copy_within` by one variant, in the smallest slice that holds both ranges.
VariantMove { of: &'static Variant }, |self, dst, src, n| {
    let low = dst.cast_const().min(src);
    let (to, from) = (dst.addr() - low.addr(), src.addr() - low.addr());
    _ = self.of.copy_within(from_raw_parts_mut(low.cast_mut(), to.max(from) + n), from..from + n, to);
});
call!(/// `fill` by one variant.
    VariantFill<T> { of: &'static Variant, value: T },
    |self, dst, src, n| _ = self.of.fill(elements(dst, n), self.value));

call!(/// `slice::fill` in the caller.
    StdSet { byte: u8 }, |self, dst, src, n| from_raw_parts_mut(dst, n).fill(self.byte));
call!(/// `slice::fill` with a zero that the compiler sees.
    StdZero {}, |self, dst, src, n| from_raw_parts_mut(dst, n).fill(0));
call!(/// `slice::copy_from_slice` in the caller.
    StdCopy {}, |self, dst, src, n| from_raw_parts_mut(dst, n).copy_from_slice(from_raw_parts(src, n)));
call!(/// `core::ptr::copy`: what `slice::copy_within` is after its bounds check, and the twin of `raw::copy`.
    StdMove {}, |self, dst, src, n| core::ptr::copy(src, dst, n));
call!(/// `slice::fill` of wider elements, as the compiler makes it for this target's baseline.
    StdFill<T> { value: T }, |self, dst, src, n| elements(dst, n).fill(self.value));

/// The C routine of that name.
pub(crate) type MemsetFn = unsafe extern "C" fn(*mut c_void, c_int, usize) -> *mut c_void;
/// `memcpy` or `memmove`.
pub(crate) type MemcpyFn = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;

call!(/// A `memset` known by its address: the indirect call that a program makes through its GOT.
    ForeignSet { memset: MemsetFn, byte: u8 },
    |self, dst, src, n| drop_pointer((self.memset)(dst.cast(), c_int::from(self.byte), n)));
call!(/// The same with zero.
    ForeignZero { memset: MemsetFn }, |self, dst, src, n| drop_pointer((self.memset)(dst.cast(), 0, n)));
call!(/// A `memcpy` or `memmove` known by its address.
    ForeignCopy { memcpy: MemcpyFn }, |self, dst, src, n| drop_pointer((self.memcpy)(dst.cast(), src.cast(), n)));
call!(/// A peak kernel.
    PeakCall { run: PeakFn, byte: u8 }, |self, dst, src, n| (self.run)(dst, src, n, self.byte));

#[inline(always)]
fn drop_pointer(_: *mut c_void) {}

/// # Safety
/// `dst` starts `n` writable bytes and is aligned for `T`.
#[inline(always)]
unsafe fn elements<'a, T>(dst: *mut u8, n: usize) -> &'a mut [T] {
    // SAFETY: the caller's promise; `n / size_of::<T>()` elements are at most `n` bytes.
    unsafe { from_raw_parts_mut(dst.cast(), n / size_of::<T>()) }
}
