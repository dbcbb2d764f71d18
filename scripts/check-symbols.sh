#!/bin/sh
# Checks the symbols of the built addon: what it exports, what it must not import, and the oldest system that can load it.
#
#   scripts/check-symbols.sh [file]      (build/Release/tfrecord.node)
set -eu
cd "$(dirname -- "$0")/.."

addon=${1:-build/Release/tfrecord.node}
max_glibc=2.34
max_glibcxx=3.4.29
failures=0

[ -f "$addon" ] || {
  echo "check-symbols: no $addon: npm run build:native" >&2
  exit 1
}

check() { # description, offending lines
  if [ -z "$2" ]; then
    echo "ok: $1"
  else
    echo "FAILED: $1:"
    echo "$2" | sed 's/^/    /'
    failures=$((failures + 1))
  fi
}

names() { nm -D "$1" "$addon" | awk '{ print $NF }' | sed 's/@.*//' | sort; }
# Lists versions of the family $1 ("GLIBC") above $2.
newer() {
  objdump -T "$addon" | grep -o "\b$1_[0-9.]*" | sed "s/^$1_//" | sort -uV |
    while read -r version; do
      [ "$(printf '%s\n%s\n' "$version" "$2" | sort -V | tail -n 1)" = "$2" ] || echo "$1_$version"
    done
}

expected='napi_register_module_v1
node_api_module_get_api_version_v1'
defined=$(names --defined-only)
if [ "$defined" = "$expected" ]; then surplus=''; else surplus="${defined:-nothing}"; fi
check 'exports the two entry points of Node-API and nothing else' "$surplus"

undefined=$(names --undefined-only)
check 'makes no external buffers' "$(echo "$undefined" | grep -E '^napi_create_external_(buffer|arraybuffer)$' || :)"
check 'calls neither libuv nor V8' "$(echo "$undefined" | grep -E '^uv_|^_ZNK?2v8|^_ZNK?4node' || :)"
check 'carries its own zlib' "$(echo "$undefined" | grep -E '^(inflate|deflate|crc32|adler32)' || :)"
check 'needs no std::condition_variable' "$(echo "$undefined" | grep condition_variable || :)"
check "needs GLIBC_$max_glibc at most" "$(newer GLIBC $max_glibc)"
check "needs GLIBCXX_$max_glibcxx at most" "$(newer GLIBCXX $max_glibcxx)"
check 'is linked with nodelete and bind-now' \
  "$(for flag in NODELETE NOW; do readelf -d "$addon" | grep -qw "$flag" || echo "lacks $flag"; done)"
check 'needs shared libraries of the system only' "$(objdump -p "$addon" | awk '$1 == "NEEDED" { print $2 }' |
  grep -vE '^(libstdc\+\+\.so\.6|libm\.so\.6|libgcc_s\.so\.1|libc\.so\.6|ld-linux.*|libpthread\.so\.0|libdl\.so\.2)$' || :)"

[ "$failures" -eq 0 ]
