#!/bin/sh
# Tests the addons of prebuilds/ in Node of their platforms: what smoke.mjs prints must equal what this machine's Node
# prints, and an addon must survive the workers that loaded it. build.sh and npm run build:ts must have run.
#
#   scripts/platforms/test.sh [--unit] [PLATFORM...]      (linux-arm64 win32-x64 linux-x64-musl)
#
# --unit adds the unit tests of records, Examples and writing; under qemu they take half an hour.
set -eu
. "$(dirname -- "$0")/common.sh"

unit=''
if [ "${1-}" = --unit ]; then
  unit=yes
  shift
fi
[ $# -gt 0 ] || set -- linux-arm64 win32-x64 linux-x64-musl
cases=$root/test/runtimes/platforms
results=$work/results
mkdir -p "$results"
cd "$root"
"$here/node.sh" linux-x64 test/runtimes/platforms/smoke.mjs >"$results/linux-x64.txt"
tests=''
[ -z "$unit" ] || tests=$(node "$cases/compile-tests.mjs")

for name; do
  "$here/node.sh" "$name" test/runtimes/platforms/smoke.mjs >"$results/$name.txt"
  diff "$results/linux-x64.txt" "$results/$name.txt"
  echo "ok: $name prints the $(wc -l <"$results/$name.txt") lines of linux-x64"
  alive=$("$here/node.sh" "$name" test/runtimes/platforms/unload.mjs examples/data/weather.tfrecord.gz)
  [ "$alive" = alive ]
  echo "ok: $name stays loaded while its threads run"
  [ -n "$unit" ] || continue
  # shellcheck disable=SC2086 # a list
  (cd "$work/compiled" && "$here/node.sh" "$name" "$cases/jest-globals.cjs" $tests) >"$results/$name.tap" || {
    grep -aE '^ *(not ok|✖)' "$results/$name.tap" || :
    echo "FAILED: unit tests of $name, see $results/$name.tap" >&2
    exit 1
  }
  echo "ok: $name, unit tests: $(grep -aE '^(#|ℹ) (pass|skipped)' "$results/$name.tap" | tr '\n' ' ')"
done
