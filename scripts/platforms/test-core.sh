#!/bin/sh
# Builds the tests of native/core for other systems, and runs them under qemu or wine. build.sh must have run.
#
#   scripts/platforms/test-core.sh [PLATFORM...]      (all)
set -eu
. "$(dirname -- "$0")/common.sh"

[ $# -gt 0 ] || set -- $PLATFORMS
for name; do
  use_platform "$name"
  cmake "$build" -DTFR_BUILD_TESTS=ON "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator"
  cmake --build "$build" --parallel "$JOBS"
  ctest --test-dir "$build" --output-on-failure --parallel "$JOBS" --output-junit "$work/$platform/core.xml"
done
