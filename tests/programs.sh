#!/usr/bin/env bash
# Whole programs on fast_mem, each way that people link them:
# tests/programs.sh [--short | preloaded_programs | kernel | musl | every_profile]
#
# Every line of the report says what was run, what was not and why, or what went wrong; the status is that of the worst.
# Preloaded programs must do the same as without, with every variant that this machine has (--short: with three).
# The long form takes about an hour, the short one less than three minutes.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
self=$root/tests/programs.sh
failed=0

report() { printf '%-8s %s\n' "$1:" "$2"; }
fail() { report FAILED "$1"; failed=1; }
has() { command -v "$1" >/dev/null; }

# --- What each program does, in an empty folder. Its standard output must not depend on time or place.

python_modules="bytes memoryview struct io zlib hashlib array mmap re json"
do_python3() {
    local modules=$python_modules
    [ "$short" ] && modules="bytes struct"
    # shellcheck disable=SC2086
    python3 -m test -q $(printf 'test_%s ' $modules) >log 2>&1 || { tail -20 log; return 1; }
    echo passed
}
do_perl() {
    perl -e '$s = join ",", map { $_ x 9 } 1..200000; $s =~ s/1(\d)/$1$1/g; $t = $s x 20; substr($t, 7, 9) = "";
        print unpack("%32C*", $t), " ", length($t), "\n"; print join ",", (reverse sort split /,/, $s)[0..999]'
}
do_git() {
    # By the protocol, and one branch: objects that nobody refers to may come and go meanwhile.
    git clone -q --single-branch "file://$root" copy && cd copy && git reset -q --hard "$commit" || return 1
    git repack -adfq && git fsck --full --strict 2>&1 | sort && git log --stat -p | sha256sum && git status --short
}
do_sqlite3() {
    local rows=400000
    [ "$short" ] && rows=20000
    sqlite3 file.db "pragma journal_mode = wal; create table t(a integer primary key, b text, c blob);
        with recursive n(i) as (select 1 union all select i + 1 from n where i < $rows)
        insert into t select i, printf('%.*c', i % 300, char(97 + i % 26)), zeroblob(i % 500) from n;
        create index u on t(b); select count(*), sum(length(b)), min(b), max(b), sum(length(c)) from t;
        update t set b = upper(b) where a % 3 = 0; select sum(length(b)) from t where b like 'K%';
        vacuum; pragma integrity_check"
}
do_compress() {
    tar -cf data -C "$root" src tests
    [ "$short" ] || for _ in 1 2 3; do cat data data data >more && mv more data; done
    for tool in gzip xz zstd bzip2; do
        command -v $tool >/dev/null || continue
        # From a pipe: of a file, gzip would keep the time.
        cat data | $tool -c >packed && $tool -dc <packed | cmp - data && sha256sum <packed || return 1
    done
}
do_gcc() {
    for level in 0 2 3; do gcc -O$level -I "$root/include" -S -o - "$root/tests/c_api.c" | sha256sum; done
    gcc -O2 -g -flto -x c - -o program <<<'#include <string.h>
        int main(int n, char **v) { char b[9999]; memset(b, n, sizeof b); return b[n] - n; }' && ./program && echo linked
}
do_tar() {
    tar -cf one.tar -C "$root" src tests include && mkdir out && tar -xf one.tar -C out && tar -cf two.tar -C out src tests include &&
        for part in src tests include; do diff -r "$root/$part" "out/$part" >&2 || return 1; done && stat -c %s two.tar
}
do_openssl() {
    head -c 20000000 /dev/zero | openssl enc -aes-256-ctr -K 01 -iv 02 2>/dev/null >data
    for digest in md5 sha256 sha3-512 blake2b512; do openssl dgst -$digest data; done
    openssl speed -seconds 1 -bytes 8192 sha256 aes-128-cbc >/dev/null 2>&1 && echo speed
}
do_cargo() {
    cp -r "$root/tests/consumer" consumer && cd consumer || return 1
    sed -i "s|\"../../examples|\"$root/examples|; s|\"../..\"|\"$root\"|" Cargo.toml
    cp "$root/Cargo.lock" . 2>/dev/null
    CARGO_TARGET_DIR=$PWD/built cargo build -q --bin reformat && built/debug/reformat <<<'{"a": [1, 2, "three"]}'
}

# --- Each of them without fast_mem, and then with every variant in front of libc.

in_a_folder() {
    local folder status
    folder=$(mktemp -d) && cd "$folder" || return 1
    "do_$1"
    status=$?
    cd / && rm -rf "$folder"
    return $status
}

preloaded() {
    local name=$1 program=${2:-$1} expected got
    has "$program" || { report "not run" "$name ($program is not installed)"; return; }
    expected=$("$self" --one "$name" $short 2>&1) || { report "not run" "$name (fails without fast_mem: ${expected:0:200})"; return; }
    for variant in "" $variants; do
        got=$(LD_PRELOAD=$library FAST_MEM_VARIANT=$variant in_environment "$name") && [ "$got" = "$expected" ] ||
            { fail "$name with ${variant:-the automatic choice}: $(diff <(echo "$expected") <(echo "$got") | head -5)"; return; }
    done
    report run "$name, preloaded ($(echo "automatic $variants" | wc -w) variants)"
}
in_environment() {
    # An empty FAST_MEM_VARIANT would be an error.
    [ "$FAST_MEM_VARIANT" ] || unset FAST_MEM_VARIANT
    timeout 3000 "$self" --one "$1" $short 2>&1
}

supported_variants() {
    local names name
    names=$(FAST_MEM_VARIANT='?' LD_PRELOAD=$library gzip --version 2>&1 >/dev/null | sed -n 's/.*NAME one of \([^;]*\);.*/\1/p')
    for name in ${names//,/}; do
        FAST_MEM_VARIANT=$name LD_PRELOAD=$library gzip --version 2>&1 | grep -q "^fast_mem:" || echo "$name"
    done
}

preloaded_programs() {
    cargo build -q --release --example preload --manifest-path "$root/Cargo.toml" || { fail "building the preload library"; return; }
    library=$target/release/examples/libpreload.so
    variants=$(supported_variants)
    [ "$variants" ] || { fail "no variant is supported?"; return; }
    [ "$short" ] && variants="erms generic"
    preloaded perl
    preloaded tar
    preloaded gcc
    preloaded compress gzip
    preloaded sqlite3
    preloaded openssl
    preloaded python3
    if commit=$(git -C "$root" rev-parse HEAD 2>/dev/null); then export commit && preloaded git; else report "not run" "git (this is no repository)"; fi
    if [ "$short" ]; then report "not run" "cargo (only in the long form)"; else preloaded cargo; fi
}

# --- Other targets: with the standard library installed for them, or built from its source.

# Sets `rust` to a command that builds for a target, or says why there is none.
toolchain() {
    local rustc sysroot
    for rustc in $(type -ap rustc); do
        sysroot=$("$rustc" --print sysroot)
        if [ -d "$sysroot/lib/rustlib/$1/lib" ]; then
            rust=(env "RUSTC=$rustc" "$(dirname "$rustc")/cargo")
            std=()
            return 0
        elif [ -f "$sysroot/lib/rustlib/src/rust/library/Cargo.lock" ] || [ -d "$sysroot/lib/rustlib/src/rust/library/core" ]; then
            rust=(env RUSTC_BOOTSTRAP=1 "RUSTC=$rustc" "$(dirname "$rustc")/cargo")
            std=(-Z "build-std=$2")
            return 0
        fi
    done
    return 1
}

# consumer TARGET NAME FEATURES…: builds a program of tests/consumer below $target/programs/NAME.
consumer() {
    local triple=$1 name=$2
    shift 2
    (cd "$root/tests/consumer" && CARGO_TARGET_DIR=$target/programs/$name "${rust[@]}" build -q --release "${std[@]}" --target "$triple" "$@")
}

kernel() {
    local triple=x86_64-unknown-none program said
    toolchain $triple core,compiler_builtins || { report "not run" "kernel ($triple: neither installed nor the source of core)"; return; }
    program=$target/programs/kernel/$triple/release/kernel
    RUSTFLAGS="-C relocation-model=static -C linker-flavor=ld -C linker=ld" \
        consumer $triple kernel --no-default-features --features symbols --bin kernel || { fail "building the kernel proof"; return; }
    [ "$(objdump -d "$program" | grep -c '<mem\(set\|cpy\|move\)>:')" -ge 2 ] || { fail "the kernel proof lacks the functions"; return; }
    ! objdump -d "$program" | grep -q '%[xyz]mm' || { fail "the kernel proof has vector registers"; return; }
    said=$("$program") || { fail "the kernel proof: $said"; return; }
    report run "kernel, no vector register in it: ${said##*$'\n'}"
}

# The least user time of five runs, in seconds.
seconds() { for _ in 1 2 3 4 5; do { TIMEFORMAT=%U; time "$@" <"$work/in.json" >/dev/null; } 2>&1; done | sort -n | head -1; }

musl() {
    local triple=x86_64-unknown-linux-musl flags="-C target-feature=+crt-static -C relocation-model=static" plain ours without with
    has musl-gcc || { report "not run" "musl (musl-gcc is not installed)"; return; }
    toolchain $triple std,panic_abort || { report "not run" "musl ($triple: neither installed nor the source of std)"; return; }
    if [ "${#std[@]}" -gt 0 ]; then
        # std wants libunwind; gcc's unwinder is one, but for a function that only glibc has. (Always in the same
        # place: other flags would build std again.)
        mkdir -p "$target/programs/lib"
        cp "$(gcc -print-file-name=libgcc_eh.a)" "$target/programs/lib/libunwind.a"
        gcc -c -x c -o "$work/none.o" - <<<'int _dl_find_object(void *pc, void *o) { (void)pc; (void)o; return -1; }'
        ar r "$target/programs/lib/libunwind.a" "$work/none.o"
        flags="$flags -C link-self-contained=no -L $target/programs/lib"
        export CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=musl-gcc
    fi
    RUSTFLAGS=$flags consumer $triple musl --bin reformat && RUSTFLAGS=$flags consumer $triple musl-symbols --bin reformat --features symbols ||
        { fail "building for musl"; return; }
    plain=$target/programs/musl/$triple/release/reformat ours=$target/programs/musl-symbols/$triple/release/reformat
    cmp <("$plain" 2 <"$work/in.json") <("$ours" 2 <"$work/in.json") || { fail "musl: other output"; return; }
    FAST_MEM_VARIANT='?' "$ours" </dev/null 2>&1 | grep -q '^fast_mem: ' || { fail "musl: the environment is not heeded"; return; }
    # libc's first copies come before it knows that the program is set-uid: its environment must not be heeded even so.
    if [ "$(id -u)" = 0 ] && install -m 4755 -o nobody "$ours" "$work/set-uid"; then
        ! FAST_MEM_VARIANT='?' "$work/set-uid" </dev/null 2>&1 | grep -q . || { fail "musl: the environment of a set-uid program is heeded"; return; }
    else
        report "not run" "musl, set-uid (only root can)"
    fi
    without=$(seconds "$plain" 20000) with=$(seconds "$ours" 20000)
    report run "musl, static: $without s without fast_mem, $with s with it, $(awk "BEGIN { printf \"%.2f\", $without / $with }") times as fast"
}

every_profile() {
    (cd "$root" && cargo test -q --test self_calls -- --include-ignored >"$work/log" 2>&1) &&
        report run "disassembly in every profile" || fail "self_calls: $(tail -5 "$work/log")"
}

short=
case "${1-}" in
    --one) short=${3-}; in_a_folder "$2"; exit ;;
    --short) short=--short ;;
    "" | preloaded_programs | kernel | musl | every_profile) ;;
    *) sed -n '2,7s/^# //p' "$0"; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk 'BEGIN { printf "["; for (i = 0; i < 30; i++) { t = ""; for (j = 0; j < (i * 131) % 400; j++) t = t "lorem ipsum ";
    printf "{\"id\": %d, \"text\": \"%s\", \"list\": [1, 2.5, null]}, ", i, t } print "0]" }' >"$work/in.json"

if [ "$short" ]; then
    preloaded_programs
    kernel
    report "not run" "musl, disassembly in every profile (only in the long form)"
else
    for part in ${1:-preloaded_programs kernel musl every_profile}; do $part; done
fi
exit $failed
