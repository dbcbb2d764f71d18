#!/bin/sh
# Runs the Jest suite on an addon (and core) built with sanitizers, after the core test of DuckDB's table function: the real
# DuckDB is not built with them.
#
#   scripts/sanitize.sh address|thread [argument of jest ...]
#
# address: AddressSanitizer and UndefinedBehaviorSanitizer; thread: ThreadSanitizer. Leaks are checked by valgrind (core
# tests), because Node itself frees little at exit. The tests in scripts/sanitize-skips.txt are left out, and the reasons
# printed. With TFR_BUILT set, dist is not built again.
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

kind=${1:-}
[ $# -gt 0 ] && shift
case $kind in
  address) flags=address,undefined library=libasan.so ;;
  thread) flags=thread library=libtsan.so ;;
  *)
    echo 'usage: scripts/sanitize.sh address|thread [argument of jest ...]' >&2
    exit 2
    ;;
esac

build=build-$kind
npx --no-install cmake-js build -B RelWithDebInfo -O "$build" --CDTFR_SANITIZE="$flags" --parallel "$JOBS"
[ -n "${TFR_BUILT:-}" ] || npm run --silent build:ts

# Lines: kind, pattern of a test file's path, reason.
ignore=''
while read -r for_kind pattern reason; do
  [ "$for_kind" = "$kind" ] || continue
  echo "skipped under $kind: $pattern ($reason)" >&2
  ignore="$ignore --testPathIgnorePatterns=$pattern"
done <scripts/sanitize-skips.txt

TFRECORD_NATIVE_BINDING=$PWD/$build/RelWithDebInfo/tfrecord.node
TFRECORD_SANITIZER=$kind
ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:exitcode=66
UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
TSAN_OPTIONS=suppressions=$PWD/scripts/tsan-suppressions.txt:exitcode=66:second_deadlock_stack=1
export TFRECORD_NATIVE_BINDING TFRECORD_SANITIZER ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS

core=build-core-$kind
cmake -S . -B "$core" -DTFR_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTFR_SANITIZE="$flags" >&2
cmake --build "$core" --parallel "$JOBS" --target duckdb_scan_test duckdb_pushed_rows_test >&2
ctest --test-dir "$core" --output-on-failure --tests-regex '^duckdb_' >&2

# Preloaded only into node and its children: otherwise a shell or npm would be checked, too.
preload=$(g++ -print-file-name="$library")
# --forceExit: only the plain run checks that the process ends by itself.
# The caller's arguments come first, because Jest takes every word after an option of patterns as one more pattern.
# shellcheck disable=SC2086 # a list of options
exec env LD_PRELOAD="$preload" node node_modules/jest/bin/jest.js --config test/rebuilt.jest.cjs "$@" \
  --runInBand --forceExit --testPathIgnorePatterns=/node_modules/ --testPathIgnorePatterns=/test/electron/ --testPathIgnorePatterns=/test/interop/ \
  $ignore
