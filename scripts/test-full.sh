#!/bin/sh
# Runs every suite with TFRECORD_FULL=1 (10 GB instead of 1, 450 workers instead of 100 …) and each fuzzer for ten minutes.
# Takes hours. Continues after a failure; exits with code 1 if anything failed.
set -u
cd "$(dirname -- "$0")/.." || exit 1

export TFRECORD_FULL=1
failed=''
run() {
  echo "==> $*"
  "$@" || failed="$failed
  $*"
}

run npm test
run npm run test:slow
run npm run test:core
run npm run test:core -- --memcheck
run npm run test:interop
run npm run test:sanitize -- address
run npm run test:sanitize -- thread
run sh scripts/platforms/build.sh
run sh scripts/platforms/test-core.sh
run npm run test:fuzz -- 600
run npm run test:package

[ -z "$failed" ] && exit 0
echo "failed:$failed" >&2
exit 1
