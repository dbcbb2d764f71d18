#!/bin/sh
# Builds the libFuzzer targets (clang, address and undefined-behaviour sanitizers) and runs each of them.
#
#   scripts/fuzz.sh [seconds per target] [name ...]       (60, all)
#
# Starts from the committed corpus (native/fuzz/corpus/<name>) and writes new inputs to build-fuzz/corpus/<name>, and inputs
# that fail to build-fuzz. `KEEP=1` merges the new inputs into the committed corpus, minimised.
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

seconds=${1:-60}
[ $# -gt 0 ] && shift
build=$PWD/build-fuzz
corpus=$PWD/native/fuzz/corpus
clang=$(command -v clang++-19 || command -v clang++) || {
  echo 'fuzz: no clang++ (Debian: apt-get install clang-19 libclang-rt-19-dev)' >&2
  exit 1
}

cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTFR_BUILD_FUZZERS=ON \
  -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="$(dirname "$clang")/$(basename "$clang" | sed 's/++//')"
cmake --build "$build" --parallel "$JOBS"

names=${*:-$(for source in native/fuzz/fuzz_*.cc; do basename "$source" .cc; done)}

fuzz_one() {
  name=$1
  mkdir -p "$build/corpus/$name" "$corpus/$name"
  log=$build/$name.log
  if "$build/native/fuzz/$name" "$build/corpus/$name" "$corpus/$name" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$build/$name-" >"$log" 2>&1; then
    printf '%-28s ok: %s runs\n' "$name" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  else
    printf '%-28s FAILED, see %s\n' "$name" "$log"
    grep -E '^SUMMARY|ERROR: |Test unit written|deadly signal' "$log" | sed 's/^/    /'
    return 1
  fi
}

# Runs JOBS targets at a time. Results are checked when all have ended.
failed=0
running=''
wait_all() {
  for pid in $running; do wait "$pid" || failed=1; done
  running=''
}
count=0
for name in $names; do
  fuzz_one "$name" &
  running="$running $!"
  count=$((count + 1))
  [ $((count % JOBS)) -ne 0 ] || wait_all
done
wait_all
[ "$count" -gt 0 ] || failed=1

if [ "${KEEP:-0}" = 1 ]; then
  for name in $names; do "$build/native/fuzz/$name" -merge=1 "$corpus/$name" "$build/corpus/$name"; done
fi
exit $failed
