#!/usr/bin/env bash
# What takes too long for every change. Usage: tests/long.sh [STEP…]   (steps: full random programs windows)
#   full      every body with its full grid, natively, and every row above 4 GiB
#   random    an hour of random calls of every row against a model (FAST_MEM_HOURS=… for more)
#   programs  whole programs preloaded, static and freestanding: tests/programs.sh
#   windows   the suite as Windows programs under wine
. "$(dirname "$0")/beds/lib.sh"

full() {
  # Some tests run the examples, which `--tests` does not build.
  cargo build --release --examples
  FAST_MEM_TEST_GRID=full cargo test --release --tests -- --nocapture
  FAST_MEM_TEST_GRID=full FAST_MEM_TUNABLES=$small_tunables cargo test --release --test sweep -- --nocapture
}

random() {
  local seconds end rounds=0
  # The shell has no fractions.
  seconds=$(awk "BEGIN { print int(3600 * ${FAST_MEM_HOURS:-1}) }")
  end=$((SECONDS + seconds))
  # Half a minute a round: starting cargo does not count.
  export QUICKCHECK_TESTS=400000
  while [ $SECONDS -lt $end ]; do
    cargo test -q --release --test props -- --nocapture
    FAST_MEM_TUNABLES=$small_tunables cargo test -q --release --test props -- --nocapture
    rounds=$((rounds + 1))
  done
  echo "random: $rounds rounds"
}

programs() {
  tests/programs.sh
}

# std wants one function of a system library that wine 8 lacks.
stub_library() {
  cat >"$1/stub.c" <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T count) { return RtlGenRandom(bytes, (ULONG)count); }
C
  x86_64-w64-mingw32-gcc -shared -o "$1/bcryptprimitives.dll" "$1/stub.c" -ladvapi32
}

windows() {
  local work=$cache/windows
  install rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64 wine64
  mkdir -p "$work"
  stub_library "$work"
  export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 PATH=/usr/bin:$PATH FAST_MEM_TEST_GRID=thin WINEDEBUG=-all
  export WINEPREFIX=$work/prefix WINEPATH=$work FAST_MEM_TEST_RUNNER=/usr/lib/wine/wine64
  export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=/usr/lib/wine/wine64
  lean_tree lean
  /usr/bin/cargo test -Z build-std --release --target x86_64-pc-windows-gnu --test set --test copy --test move_ --test fill \
    --test thresholds --test props --test panics --test select --test liars --test machine -- --nocapture
}

for step in ${*:-full random programs windows}; do
  echo "== $step"
  # Not in a condition: there `set -e` would not hold inside.
  set +e
  (set -e; "$step")
  status=$?
  set -e
  # What cannot run here has said why; the others go on.
  [ $status = 0 ] || [ $status = 77 ] || exit $status
done
