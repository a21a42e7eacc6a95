//! Peers made of a few lines of C, where there is a compiler for it, and an interrupt.

use super::*;

/// What all of them have: a plain `rep`-free copy that no compiler turns into a call of `memcpy`.
const PLAIN: &str = "#include <stddef.h>
    static void step(unsigned char *d, const unsigned char *s, size_t n) {
        for (size_t i = 0; i < n; i++) { d[i] = s[i]; __asm__ volatile(\"\"); }
    }\n";

/// `None` where there is no C compiler for this target.
fn peer(folder: &Folder, name: &str, code: &str) -> Option<PathBuf> {
    let source = folder.write(&format!("{name}.c"), &format!("{PLAIN}{code}"));
    let object = folder.file(&format!("{name}.so"));
    let status =
        Command::new("cc").args(["-O2", "-fno-builtin", "-shared", "-fPIC", "-o"]).arg(&object).arg(&source).status();
    if !status.is_ok_and(|s| s.success()) {
        eprintln!("no C compiler: planted peers are not tried");
        return None;
    }
    Some(object)
}

#[test]
fn a_wrong_peer_is_refused_by_name() {
    let folder = Folder::new("wrong");
    let code = "void *memcpy(void *d, const void *s, size_t n) { step(d, s, n == 100 ? 99 : n); return d; }";
    let Some(wrong) = peer(&folder, "wrong", code) else { return };
    let mut arguments = TWO.to_vec();
    arguments.extend(["--peer", wrong.to_str().unwrap()]);
    refuses(&arguments, &["wrong gives a wrong result for copy of 100 bytes"]);
    let code = "void *memcpy(void *d, const void *s, size_t n) { step(d, s, n); ((char *)d)[n] = 1; return d; }";
    let Some(beyond) = peer(&folder, "beyond", code) else { return };
    let mut arguments = TWO.to_vec();
    arguments.extend(["--peer", beyond.to_str().unwrap()]);
    refuses(&arguments, &["beyond gives", "beside its destination"]);
    let Some(none) = peer(&folder, "none", "int unrelated;") else { return };
    refuses(&["--peer", none.to_str().unwrap()], &["none of memset, memcpy, memmove"]);
}

#[test]
fn a_right_peer_takes_part() {
    let folder = Folder::new("right");
    let code = "void *memcpy(void *d, const void *s, size_t n) { step(d, s, n); return d; }";
    let Some(right) = peer(&folder, "libpeer_right", code) else { return };
    let json = folder.file("right.json");
    let output = membench().args(TWO).arg("--peer").arg(&right).arg("--json").arg(&json).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stderr).contains("peer right: no memset, memmove"), "{output:?}");
    let record: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let figures = record["cells"][0]["figures"].as_array().unwrap();
    assert!(figures.iter().any(|f| f["contender"] == "right" && f["role"] == "peer"), "{figures:?}");
}

#[test]
fn ctrl_c_prints_what_is_finished() {
    let folder = Folder::new("interrupt");
    let json = folder.file("interrupted.json");
    let mut child = membench()
        .args(["set", "--max-size", "64", "--json"])
        .arg(&json)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let command_line = format!("/proc/{}/cmdline", child.id());
    // Cargo becomes the tool once it is built; before that, it is cargo that an interrupt would end.
    let started = || fs::read(&command_line).is_ok_and(|c| text(&c).contains("examples/membench"));
    if !Path::new("/proc/self/cmdline").exists() {
        eprintln!("no /proc: when the tool has started cannot be told");
    } else {
        while !started() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(core::time::Duration::from_millis(50));
        }
    }
    std::thread::sleep(core::time::Duration::from_secs(2));
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    // SAFETY: a signal to a child that has not been waited for, so its number is still its own.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGINT) }, 0);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(text(&output.stdout).contains("interrupted"), "{output:?}");
    let record: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(record["interrupted"], true);
}

/// A plain AVX2 `memset`, without and with three per cent of its bytes stored twice.
#[cfg(target_arch = "x86_64")]
const VECTORS: &str = "#include <immintrin.h>
    __attribute__((target(\"avx2\"))) void *memset(void *to, int byte, size_t n) {
        unsigned char *d = to; __m256i v = _mm256_set1_epi8((char)byte); size_t i = 0;
        for (; i + 32 <= n; i += 32) { _mm256_storeu_si256((void *)(d + i), v); __asm__ volatile(\"\" ::: \"memory\"); }
        for (; i < n; i++) { d[i] = byte; __asm__ volatile(\"\" ::: \"memory\"); }
        size_t more = n < 1024 ? 0 : (n * PERCENT / 100 + 31) / 32 * 32;
        for (i = 0; i < more; i += 32) { _mm256_storeu_si256((void *)(d + i), v); __asm__ volatile(\"\" ::: \"memory\"); }
        return to;
    }";

#[test]
#[cfg(target_arch = "x86_64")]
#[ignore = "depends on timing: for a machine with AVX2 and an optimised build"]
fn three_per_cent_are_told_apart_and_a_twin_is_not() {
    let folder = Folder::new("twins");
    let with = |percent: u32| format!("#define PERCENT {percent}\n{VECTORS}");
    let (Some(first), Some(slower)) = (peer(&folder, "first", &with(0)), peer(&folder, "slower", &with(3))) else {
        return;
    };
    let twin = folder.file("twin.so");
    fs::copy(&first, &twin).unwrap();
    let json = folder.file("twins.json");
    let mut command = membench();
    command.args([
        "set",
        "--quick",
        "--cells",
        "fixed",
        "--sizes",
        "1K,64K",
        "--variants",
        "none",
        "--reference",
        "first",
    ]);
    for path in [&first, &twin, &slower] {
        command.arg("--peer").arg(path);
    }
    succeeds(command.arg("--json").arg(&json));
    let record: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    for cell in record["cells"].as_array().unwrap() {
        let figures = cell["figures"].as_array().unwrap();
        let of = |name: &str| figures.iter().find(|f| f["contender"] == name).unwrap();
        assert_eq!(of("twin")["verdict"], "=", "{}", of("twin"));
        assert_eq!(of("slower")["verdict"], "Slower", "{}", of("slower"));
    }
}
