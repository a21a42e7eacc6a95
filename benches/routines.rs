//! Every supported variant beside the standard library and the platform's C library, by criterion.
//!
//! `cargo bench` makes an HTML report in `target/criterion/report`. For claims use the example
//! `membench` instead: criterion measures one routine after the other, not interleaved, and one size
//! again and again.

use core::hint::black_box;
use core::time::Duration;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group};
use fast_mem::Variant;
use plotters::style::{FontStyle, register_font};

/// Inlined, called, in each cache and beyond.
const SIZES: [usize; 6] = [16, 100, 1 << 10, 16 << 10, 256 << 10, 16 << 20];

/// Destination and source of a move overlap by all but this.
const DISTANCE: usize = 64;

const BYTE: u8 = 0xA5;

#[cfg(unix)]
mod platform {
    use core::ffi::{c_int, c_void};

    type Set = unsafe extern "C" fn(*mut c_void, c_int, usize) -> *mut c_void;
    type Copy = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;

    /// Its name in reports.
    pub(crate) const NAME: Option<&str> = Some("libc");

    // The black box keeps the compiler from making its own code of a call that it knows.
    pub(crate) fn set(dst: &mut [u8], byte: u8) {
        let memset: Set = core::hint::black_box(libc::memset);
        // SAFETY: a slice's own bytes.
        unsafe { memset(dst.as_mut_ptr().cast(), c_int::from(byte), dst.len()) };
    }

    pub(crate) fn copy(dst: &mut [u8], src: &[u8]) {
        assert_eq!(dst.len(), src.len());
        let memcpy: Copy = core::hint::black_box(libc::memcpy);
        // SAFETY: two slices of one length, of which one is borrowed mutably: they do not overlap.
        unsafe { memcpy(dst.as_mut_ptr().cast(), src.as_ptr().cast(), dst.len()) };
    }

    pub(crate) fn forward(buf: &mut [u8], distance: usize) {
        let n = buf.len() - distance;
        let memmove: Copy = core::hint::black_box(libc::memmove);
        let start = buf.as_mut_ptr();
        // SAFETY: `distance + n` is the slice's length.
        unsafe { memmove(start.cast(), start.add(distance).cast(), n) };
    }
}

#[cfg(not(unix))]
mod platform {
    pub(crate) const NAME: Option<&str> = None;
    pub(crate) fn set(_: &mut [u8], _: u8) {}
    pub(crate) fn copy(_: &mut [u8], _: &[u8]) {}
    pub(crate) fn forward(_: &mut [u8], _: usize) {}
}

fn supported() -> impl Iterator<Item = &'static Variant> {
    fast_mem::variants().filter(|v| v.is_supported())
}

/// A group with a routine for each size, short enough that all groups take about five minutes.
fn each_size(c: &mut Criterion, name: &str, mut body: impl FnMut(&mut BenchmarkGroup<'_, WallTime>, usize)) {
    let mut group = c.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400)).sample_size(20);
    for n in SIZES {
        group.throughput(Throughput::Bytes(n as u64));
        body(&mut group, n);
    }
    group.finish();
}

fn set_to(c: &mut Criterion, name: &str, byte: u8) {
    each_size(c, name, |group, n| {
        let mut buf = vec![1u8; n];
        let buf = &mut buf[..];
        let byte = || black_box(byte);
        group.bench_function(BenchmarkId::new("fast_mem", n), |b| {
            b.iter(|| fast_mem::set(black_box(&mut *buf), byte()))
        });
        for v in supported() {
            group.bench_function(BenchmarkId::new(v.name(), n), |b| b.iter(|| v.set(black_box(&mut *buf), byte())));
        }
        group.bench_function(BenchmarkId::new("std", n), |b| b.iter(|| black_box(&mut *buf).fill(byte())));
        if let Some(name) = platform::NAME {
            group.bench_function(BenchmarkId::new(name, n), |b| b.iter(|| platform::set(black_box(&mut *buf), byte())));
        }
    });
}

fn set(c: &mut Criterion) {
    set_to(c, "set", BYTE);
}

fn zero(c: &mut Criterion) {
    set_to(c, "zero", 0);
}

fn copy(c: &mut Criterion) {
    each_size(c, "copy", |group, n| {
        let (mut dst, src) = (vec![1u8; n], vec![2u8; n]);
        let (dst, src) = (&mut dst[..], &src[..]);
        group.bench_function(BenchmarkId::new("fast_mem", n), |b| {
            b.iter(|| fast_mem::copy(black_box(&mut *dst), black_box(src)));
        });
        for v in supported() {
            group.bench_function(BenchmarkId::new(v.name(), n), |b| {
                b.iter(|| v.copy(black_box(&mut *dst), black_box(src)))
            });
        }
        group.bench_function(BenchmarkId::new("std", n), |b| {
            b.iter(|| black_box(&mut *dst).copy_from_slice(black_box(src)))
        });
        if let Some(name) = platform::NAME {
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| platform::copy(black_box(&mut *dst), black_box(src)))
            });
        }
    });
}

fn move_(c: &mut Criterion) {
    each_size(c, "move", |group, n| {
        let mut buf = vec![1u8; n + DISTANCE];
        let buf = &mut buf[..];
        group.bench_function(BenchmarkId::new("fast_mem", n), |b| {
            b.iter(|| fast_mem::copy_within(black_box(&mut *buf), DISTANCE.., 0));
        });
        for v in supported() {
            group.bench_function(BenchmarkId::new(v.name(), n), |b| {
                b.iter(|| v.copy_within(black_box(&mut *buf), DISTANCE.., 0))
            });
        }
        group
            .bench_function(BenchmarkId::new("std", n), |b| b.iter(|| black_box(&mut *buf).copy_within(DISTANCE.., 0)));
        if let Some(name) = platform::NAME {
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| platform::forward(black_box(&mut *buf), DISTANCE))
            });
        }
    });
}

fn fill(c: &mut Criterion) {
    each_size(c, "fill", |group, n| {
        let mut buf = vec![1u32; n / size_of::<u32>()];
        let buf = &mut buf[..];
        let value = || black_box(0xA55A_1234u32);
        group.bench_function(BenchmarkId::new("fast_mem", n), |b| {
            b.iter(|| fast_mem::fill(black_box(&mut *buf), value()))
        });
        for v in supported() {
            group.bench_function(BenchmarkId::new(v.name(), n), |b| b.iter(|| v.fill(black_box(&mut *buf), value())));
        }
        group.bench_function(BenchmarkId::new("std", n), |b| b.iter(|| black_box(&mut *buf).fill(value())));
    });
}

criterion_group!(benches, set, zero, copy, move_, fill);

fn main() {
    // Criterion draws with plotters, which in this build has no font but those it is given.
    let font = epaint_default_fonts::UBUNTU_LIGHT;
    assert!(register_font("sans-serif", FontStyle::Normal, font).is_ok(), "the built-in font cannot be read");
    benches();
    Criterion::default().configure_from_args().final_summary();
}
