#!/bin/sh
# Checks the style of the C++: clang-format for native/, clang-tidy for core and addon, and for native/wasm where
# npm run build:prebuilds wasm32 has run.
#
#   scripts/lint-native.sh [--fix]
#
# --fix formats in place and does not run clang-tidy. A tool that is not installed is skipped with a message; with
# TFR_REQUIRE_TOOLS=1 (CI), that is a failure. The sources are formatted with version 19.
set -eu
cd "$(dirname -- "$0")/.."
. scripts/jobs.sh

find_tool() {
  for name in "$1-19" "$1"; do
    if command -v "$name" >/dev/null 2>&1 && "$name" --version | grep -q 'version 19\.'; then
      echo "$name"
      return
    fi
  done
}

missing() {
  echo "lint-native: $1 19 is not installed (Debian: apt-get install $1-19): skipped" >&2
  [ "${TFR_REQUIRE_TOOLS:-0}" != 1 ]
}

sources() {
  find native -name '*.cc' -o -name '*.h' | sort
}

format=$(find_tool clang-format)
if [ -z "$format" ]; then
  missing clang-format
elif [ "${1:-}" = --fix ]; then
  sources | xargs "$format" -i
  exit 0
else
  sources | xargs "$format" --dry-run --Werror
fi

tidy=$(find_tool clang-tidy)
if [ -z "$tidy" ]; then
  missing clang-tidy
else
  # Configures only: cmake-js knows the include paths of the addon.
  npx --no-install cmake-js configure -O build-tidy --CDTFR_BUILD_DUCKDB_EXTENSION=ON >/dev/null
  check() { xargs -P "$JOBS" -n 4 "$tidy" --quiet --extra-arg=-Wno-unknown-warning-option "$@"; }
  find native/core native/duckdb native/addon -name '*.cc' | sort | check -p build-tidy
  wasm=.cache/platforms/wasm32/build
  if [ -e "$wasm/compile_commands.json" ]; then
    # One thread: static variables need no guard.
    find native/wasm -name '*.cc' | sort | check -p "$wasm" --checks=-bugprone-dynamic-static-initializers
  else
    echo 'lint-native: native/wasm is not built: clang-tidy skipped' >&2
  fi
fi
