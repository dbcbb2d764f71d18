#!/bin/sh
# Runs Jest on an addon without the optional libraries, as it is built if only zlib1g-dev is installed. Leaves out tests
# of what these libraries do not touch: Examples, threads, and TypeScript over the same readers and writers.
#
#   scripts/test-zlib-only.sh [argument of jest ...]
#
# With TFR_BUILT set, dist is not built again.
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

npx --no-install cmake-js build -O build-zlib-only --CDTFR_WITH_ISAL=OFF --CDTFR_WITH_LIBDEFLATE=OFF --parallel "$JOBS"
[ -n "${TFR_BUILT:-}" ] || npm run --silent build:ts

TFRECORD_NATIVE_BINDING=$PWD/build-zlib-only/Release/tfrecord.node
export TFRECORD_NATIVE_BINDING
node -e '
  const { isal, libdeflate } = require(process.env.TFRECORD_NATIVE_BINDING).codecs();
  if (isal || libdeflate) throw new Error("the optional libraries were built in");'
# The caller's arguments come first, because Jest takes every word after an option of patterns as one more pattern.
exec node node_modules/jest/bin/jest.js --config test/rebuilt.jest.cjs "$@" --testPathIgnorePatterns=/node_modules/ \
  --testPathIgnorePatterns='/test/(electron|interop|stress)/' \
  --testPathIgnorePatterns='/test/integration/(?!golden|real|decoders)' \
  --testPathIgnorePatterns='/test/lifecycle/(abort|changing|decode|pipes|transient|workers)' \
  --testPathIgnorePatterns='/test/unit/(adapters|cli|convert|dataset|decode|example|native|schema|sql|table|tensor|view)/'
