#!/bin/sh
# Builds the addon, with ISA-L beside it, for other systems: prebuilds/PLATFORM/tfrecord.node, on Debian 12, and DuckDB's
# loadable extension where its name of the platform is known, extensions/NAME/tfrecord.duckdb_extension. And, where there is
# no addon: prebuilds/wasm32/tfrecord.wasm.
#
#   scripts/platforms/build.sh [PLATFORM...]      (all)
#
# A platform's file in this folder names its Debian packages; as root, missing ones are installed.
set -eu
. "$(dirname -- "$0")/common.sh"
. "$here/debian.sh"
. "$here/libraries.sh"

# Installs what is missing of the packages $@.
install() {
  missing=''
  for package; do dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"; done
  [ -n "$missing" ] || return 0
  [ "$(id -u)" -eq 0 ] || {
    echo "build.sh: $platform needs apt-get install$missing" >&2
    exit 1
  }
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  # shellcheck disable=SC2086 # a list
  apt-get update && apt-get install -y --no-install-recommends $missing
}

build_addon() {
  # The values that cmake-js would pass: headers alone. Node-API needs no library of Node.
  # shellcheck disable=SC2086 # configure is a list
  cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_JS_VERSION=8 \
    "-DCMAKE_JS_INC=$root/node_modules/node-api-headers/include;$root/node_modules/node-addon-api" \
    "-DTFR_BUILD_DUCKDB_EXTENSION=${duckdb:+ON}" $configure
  # shellcheck disable=SC2086 # nothing, or a target
  cmake --build "$build" --parallel "$JOBS" --target tfrecord ${duckdb:+tfrecord_duckdb}
  rm -rf "$prebuilt"
  mkdir -p "$prebuilt"
  cp "$build/tfrecord.node" "$isal" "$prebuilt/"
  "$root/scripts/check-symbols.sh" "$platform"
}

# Needs build_addon.
pack_extension() {
  extension=$root/extensions/$duckdb/tfrecord.duckdb_extension
  node "$root/scripts/duckdb-extension.mjs" --platform "$duckdb" --out "$extension" \
    --library "$(ls "$build/native/duckdb/extension/tfrecord_duckdb".*)"
  "$root/scripts/check-symbols.sh" "$platform" "$extension"
}

build_wasm() {
  cmake -S "$root/native/wasm" -B "$build" -DCMAKE_BUILD_TYPE=Release "-DTFR_SOURCE=$work/source" \
    "-DCMAKE_TOOLCHAIN_FILE=$here/wasm32.cmake"
  cmake --build "$build" --parallel "$JOBS"
  mkdir -p "$prebuilt"
  cp "$build/tfrecord.wasm" "$prebuilt/"
  node "$root/scripts/check-wasm.mjs"
}

# licence NAME FILE: the text in FILE, with a heading; nothing if there is no such file.
licence() {
  [ ! -e "$2" ] || printf '=== %s\n\n%s\n\n' "$1" "$(cat "$2")"
}

# The licences of the libraries that the addons hold: those built from sources, and the C libraries of Debian's packages
# that are linked statically (that of mingw-w64 with its threads).
write_licences() {
  for library in zlib libdeflate libisal llvm-toolchain-19; do
    for file in LICENSE COPYING libcxx/LICENSE.TXT; do licence "$library" "$work/source/$library/$file"; done
  done
  for package in mingw-w64-x86-64-dev wasi-libc; do licence "$package" "/usr/share/doc/$package/copyright"; done
}

[ $# -gt 0 ] || set -- $WASM $PLATFORMS
for name; do
  use_platform "$name"
  # shellcheck disable=SC2086 # lists
  install $packages
  mkdir -p "$work/$platform"
  prepare
  if [ "$platform" = "$WASM" ]; then build_wasm; else build_addon; fi
  # Not behind &&, which would hide failures in the functions.
  if [ -n "$duckdb" ]; then pack_extension; fi
  ls -l "$prebuilt"
done
source_of zlib
source_of libdeflate
write_licences >"$root/prebuilds/LICENSES.txt"
