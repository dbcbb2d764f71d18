#!/bin/sh
# Jest on an addon without the optional libraries, as it is built where only zlib1g-dev is installed. Datasets are
# TypeScript over the same readers: they are left to the plain run.
#
#   scripts/test-zlib-only.sh [argument of jest ...]
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

npx --no-install cmake-js build -O build-zlib-only --CDTFR_WITH_ISAL=OFF --CDTFR_WITH_LIBDEFLATE=OFF --parallel "$JOBS"
npm run --silent build:ts

TFRECORD_NATIVE_BINDING=$PWD/build-zlib-only/Release/tfrecord.node
export TFRECORD_NATIVE_BINDING
node -e '
  const { isal, libdeflate } = require(process.env.TFRECORD_NATIVE_BINDING).codecs();
  if (isal || libdeflate) throw new Error("the optional libraries were built in");'
# Jest takes every word behind an option of patterns for one more pattern: the caller's words come first.
exec node node_modules/jest/bin/jest.js --config test/rebuilt.jest.cjs "$@" --testPathIgnorePatterns=/node_modules/ \
  --testPathIgnorePatterns=/test/interop/ --testPathIgnorePatterns=/test/unit/dataset/
