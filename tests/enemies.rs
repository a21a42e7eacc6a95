//! First calls from the worst places: a constructor before `main`, a child that shares the parent's memory, a thread with
//! next to no stack, and a process whose standard error is closed while its override is wrong.
#![cfg(target_os = "linux")]

mod common;

use common::child::{command, overrides_are_read, start};
use common::{in_child, not_run};
use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::ffi::OsStr;
use std::os::unix::process::CommandExt;

/// Everything once, through the pointers; on the stack, without an allocation.
fn use_all(seed: u8) -> usize {
    let mut bytes = [0u8; 700];
    fast_mem::set(&mut bytes, seed);
    let (low, high) = bytes.split_at_mut(350);
    fast_mem::set(low, !seed);
    fast_mem::copy(high, low);
    fast_mem::copy_within(&mut bytes, 0..500, 100);
    let mut words = [0u32; 100];
    fast_mem::fill(&mut words, u32::from(seed));
    let set = bytes.iter().filter(|&&byte| byte == !seed).count();
    set + words.iter().filter(|&&word| word == u32::from(seed)).count()
}

/// What `use_all` counts where everything works.
const ALL: usize = 700 + 100;

/// What it counted before `main`.
static BEFORE_MAIN: AtomicUsize = AtomicUsize::new(0);

extern "C" fn constructor() {
    if std::env::var_os("FAST_MEM_TEST_EARLY").is_some() {
        BEFORE_MAIN.store(use_all(5), SeqCst);
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = constructor;

#[test]
fn before_main() {
    let vars = [("FAST_MEM_TEST_EARLY", OsStr::new("1")), ("FAST_MEM_VARIANT", OsStr::new("generic"))];
    let Some(answer) = in_child("before_main", "constructor", &vars, || {
        format!("{} {}", BEFORE_MAIN.load(SeqCst), fast_mem::selection().set.variant.name())
    }) else {
        return;
    };
    let name = if common::ENV { "generic" } else { fast_mem::selection().set.variant.name() };
    assert_eq!(answer.text, format!("{ALL} {name}"));
}

extern "C" fn child_of_vfork(counted: *mut libc::c_void) -> i32 {
    // SAFETY: the parent waits, and this is its counter.
    unsafe { counted.cast::<usize>().write(use_all(9)) };
    0
}

/// As after vfork: the child runs in the parent's memory, on a stack of its own, until it ends.
#[test]
fn in_a_child_that_shares_the_memory() {
    if std::env::var_os("FAST_MEM_TEST_RUNNER").is_some() {
        return not_run("a child that shares the memory", "qemu gives it a copy");
    }
    in_child("in_a_child_that_shares_the_memory", "clone", &[], || {
        let (mut stack, mut counted) = (vec![0u128; 8 << 10], 0usize);
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
        let top = stack.as_mut_ptr_range().end.cast();
        // SAFETY: the stack is 128 KiB and aligned, grows down from its end, and outlives the child, for which
        // CLONE_VFORK makes this thread wait; so does the counter.
        let child = unsafe { libc::clone(child_of_vfork, top, flags, (&raw mut counted).cast()) };
        let mut status = 0;
        // SAFETY: our own child.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        assert_eq!((status, counted), (0, ALL), "the child");
        assert_eq!(use_all(3), ALL, "the parent afterwards");
        String::new()
    });
}

/// The least that a thread can have (musl allows 2 KiB, which no two frames fit into: 16 there as in glibc); without
/// optimisation functions take several times what they do with it.
const STACK: usize = if cfg!(debug_assertions) { 4 * LEAST } else { LEAST };
const LEAST: usize = if libc::PTHREAD_STACK_MIN < 16 << 10 { 16 << 10 } else { libc::PTHREAD_STACK_MIN };

#[test]
fn on_the_smallest_stack() {
    let overrides = [("FAST_MEM_VARIANT", OsStr::new("nonsense")), ("FAST_MEM_TUNABLES", OsStr::new("x=1"))];
    in_child("on_the_smallest_stack", "thread", &overrides, || {
        extern "C" fn thread(_: *mut libc::c_void) -> *mut libc::c_void {
            core::ptr::without_provenance_mut(use_all(7))
        }
        // SAFETY: a thread as POSIX wants it, joined before the attributes and the result go.
        let counted = unsafe {
            let mut attributes = core::mem::zeroed();
            assert_eq!(libc::pthread_attr_init(&raw mut attributes), 0);
            assert_eq!(libc::pthread_attr_setstacksize(&raw mut attributes, STACK), 0);
            let (mut id, mut result) = (core::mem::zeroed(), core::ptr::null_mut());
            assert_eq!(libc::pthread_create(&raw mut id, &raw const attributes, thread, core::ptr::null_mut()), 0);
            assert_eq!(libc::pthread_join(id, &raw mut result), 0);
            result.addr()
        };
        assert_eq!(counted, ALL);
        String::new()
    });
}

#[test]
fn under_a_small_stack_limit() {
    const TEST: &str = "under_a_small_stack_limit";
    if std::env::var_os("FAST_MEM_TEST_RUNNER").is_some() {
        return not_run(TEST, "an emulator needs a larger stack itself");
    }
    let body = || use_all(1).to_string();
    if common::child::is_child() {
        in_child(TEST, "limit", &[], body);
        return;
    }
    let mut limited = command(TEST, &format!("{TEST}/limit"), &[]);
    // SAFETY: setrlimit may be called between fork and exec.
    unsafe {
        limited.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: 64 << 10, rlim_max: 64 << 10 };
            match libc::setrlimit(libc::RLIMIT_STACK, &raw const limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
    assert_eq!(start(limited, TEST).text, ALL.to_string());
}

#[test]
fn with_standard_error_closed_and_a_wrong_override() {
    const TEST: &str = "with_standard_error_closed_and_a_wrong_override";
    let wrong = [("FAST_MEM_VARIANT", OsStr::new("nonsense"))];
    in_child(TEST, "closed", &wrong, || {
        // SAFETY: nobody in this process writes there any more.
        assert_eq!(unsafe { libc::close(2) }, 0);
        assert_eq!(use_all(2), ALL);
        assert_eq!(fast_mem::init().is_err(), common::ENV);
        String::new()
    });
    if !common::child::is_child() {
        overrides_are_read(TEST);
    }
}

/// Any of the three can be the one that decides, at any length.
#[test]
fn each_routine_can_be_the_first() {
    fn first(routine: &str, n: usize) {
        let (mut to, from) = ([1u8; 300], [2u8; 300]);
        match routine {
            "set" => fast_mem::set(&mut to[..n], 2),
            "copy" => fast_mem::copy(&mut to[..n], &from[..n]),
            _ => {
                let mut words = [0x0101u16; 300];
                fast_mem::fill(&mut words[..n], 0x0202);
                assert!(words[n..].iter().all(|&word| word == 0x0101));
                to.iter_mut().zip(words).for_each(|(to, word)| *to = (word >> 8) as u8);
            }
        }
        assert_eq!((&to[..n], &to[n..]), (&from[..n], &[1; 300][n..]), "{routine} of {n}");
    }
    for routine in ["set", "copy", "fill"] {
        for n in [0, 1, 40, 64, 65, 300] {
            for row in ["generic", "erms", "sse2"]
                .into_iter()
                .filter(|&name| fast_mem::variants().any(|row| row.name() == name))
            {
                let vars = [("FAST_MEM_VARIANT", OsStr::new(row))];
                in_child("each_routine_can_be_the_first", &format!("{routine} {n} {row}"), &vars, || {
                    first(routine, n);
                    first(routine, n);
                    fast_mem::selection().set.variant.name().to_owned()
                });
            }
        }
    }
}
