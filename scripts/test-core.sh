#!/bin/sh
# Builds native/core with its tests under plain CMake and runs them.
#
#   scripts/test-core.sh [--memcheck] [argument of ctest ...]
#
# --memcheck runs every test under valgrind, from the same build. CMAKE_ARGS is passed to cmake, and BUILD names the build
# folder (build-core), so that the script can build cross compiled and sanitized variants.
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

build=${BUILD:-build-core}
emulator=''
if [ "${1:-}" = --memcheck ]; then
  shift
  # Valgrind runs as CMake's "emulator", which is put before each test's command.
  emulator='valgrind;--quiet;--soname-synonyms=somalloc=nouserintercepts;--leak-check=full;--errors-for-leak-kinds=definite;--error-exitcode=9'
  emulator="$emulator;--suppressions=$PWD/scripts/memcheck-suppressions.txt"
fi

# shellcheck disable=SC2086 # CMAKE_ARGS is a list
cmake -S . -B "$build" -DTFR_BUILD_TESTS=ON -DCMAKE_BUILD_TYPE="${BUILD_TYPE:-RelWithDebInfo}" \
  -DCMAKE_CROSSCOMPILING_EMULATOR="$emulator" ${CMAKE_ARGS:-}
cmake --build "$build" --parallel "$JOBS"
exec ctest --test-dir "$build" --output-on-failure --parallel "$JOBS" "$@"
