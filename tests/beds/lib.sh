# What every bed shares: the cache, Debian packages of other releases beside the machine's own, and the two
# ways to end. Sourced, never run.
#
# A bed is a script here. It prints lines `swept VARIANT CASES …` or `covered VARIANT LINES of ALL lines`, and cargo's
# `test result:` lines (tests/beds/run counts them), and exits with 0 (passed), 77 (not run; its last line says why) or
# anything else (failed).

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${FAST_MEM_BEDS:-$root/target/beds}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
# Small enough for the streaming and string paths to be swept cheaply.
small_tunables='set_streaming=2048,zero_streaming=2560,copy_streaming=3072,set_rep=256,copy_rep=300,aliased_rep=1200,fresh_rep=1500,source_align=900,nehalem_rep=0'
export CARGO_TERM_COLOR=never CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
cd "$root"

# Ends the bed without a verdict. The reason is what the table shows.
not_run() {
  echo "not run: $*"
  exit 77
}

# The machine's own Debian mirror.
mirror() {
  { cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\]\)\{0,1\} *\([^ ]*\) .*/\2/p' | grep -v security | head -1
}

# Installs what is missing of these packages, from the machine's own release.
install() {
  local missing=() package
  for package; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  [ "$(id -u)" = 0 ] || not_run "needs root to install ${missing[*]}"
  apt-get -qq update >&2
  DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" >&2 ||
    not_run "cannot install ${missing[*]}"
}

# apt's options for a private tree on SUITE with foreign architectures, so that the machine's own apt stays as it is;
# SUITE `own` is the machine's release with its security updates.
private_apt() {
  if [ "$1" = own ]; then
    apt_options=(-qq -o APT::Sandbox::User=root)
    return
  fi
  local suite=$1 tree=$cache/apt-$1
  apt_options=(-qq -o Dir::Etc::SourceList="$tree/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists="$tree/lists" -o Dir::Cache="$tree/cache" -o APT::Sandbox::User=root
    -o APT::Architectures=amd64,arm64,armhf,i386,s390x)
  [ -e "$tree/ready" ] && return
  mkdir -p "$tree/lists/partial" "$tree/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg arch=${2:-amd64}] $(mirror) $suite main" >"$tree/sources.list"
  apt-get "${apt_options[@]}" update >&2 || not_run "no package list of Debian $suite"
  touch "$tree/ready"
}

# Unpacks packages of a suite into the cache folder INTO, unless that was done: fetch INTO SUITE ARCHITECTURES PACKAGE…
fetch() {
  local into=$cache/$1 suite=$2 architectures=$3
  shift 3
  [ -e "$into/.complete" ] && return
  private_apt "$suite" "$architectures"
  local work deb
  work=$(mktemp -d)
  (cd "$work" && apt-get "${apt_options[@]}" download "$@" >&2) || not_run "cannot download $*"
  mkdir -p "$into"
  for deb in "$work"/*.deb; do dpkg-deb -x "$deb" "$into"; done
  rm -rf "$work"
  touch "$into/.complete"
}

# Builds all test programs (with the given options of cargo) and keeps where they are for test_binary.
build_tests() {
  local log
  log=$(cargo test --no-run "$@" 2>&1) || { echo "$log" >&2; return 1; }
  test_binaries=$(sed -n 's/^ *Executable .*(\(.*\))$/\1/p' <<<"$log")
}

# The program of one test file.
test_binary() {
  grep -E "/$1-[0-9a-f]+$" <<<"$test_binaries" || { echo "no test program $1" >&2; return 1; }
}

# A copy of the crate without benches, examples, the tests that build or link programs of their own, and what only they
# depend on, so that foreign builds are short; goes there.
lean_tree() {
  local tree=$cache/$1 test
  rm -rf "$tree"
  mkdir -p "$tree"
  cp -a src tests README.md Cargo.lock "$tree/"
  for test in c_api cpu_example nocall preload readme self_calls static_link symbols unwinding; do rm -f "$tree/tests/$test.rs"; done
  grep -lE '(clap|criterion|csv|plotters|serde|serde_json)::' "$tree"/tests/*.rs | xargs -r rm
  awk '/^\[/ { dev = /dev-dependencies/; program = /^\[\[/ }
    !program && (!dev || /^$/ || /^\[/ || /^(libc|libloading|quickcheck|loom) /) { print }' Cargo.toml >"$tree/Cargo.toml"
  export CARGO_TARGET_DIR=$cache/target
  cd "$tree"
}
