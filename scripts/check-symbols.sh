#!/bin/sh
# Checks the symbols of a built addon, or of DuckDB's loadable extension: what it exports, what it must not import, and the
# oldest system that can load it.
#
#   scripts/check-symbols.sh [PLATFORM [FILE] | FILE]     FILE (of this machine's platform, if none is named), or
#                                                         prebuilds/PLATFORM/tfrecord.node; build/Release/tfrecord.node
set -eu
cd "$(dirname -- "$0")/.."

platform=''
addon=build/Release/tfrecord.node
case ${1:-} in
  */*) addon=$1 ;;
  ?*) platform=$1 addon=${2:-prebuilds/$1/tfrecord.node} ;;
esac
case $addon in
  *.duckdb_extension)
    host=DuckDB expected=tfrecord_init_c_api
    # DuckDB brings a C++ library, which may be older than ours.
    libraries='libgcc_s\.so\.1|'
    ;;
  *)
    host=Node-API
    expected='napi_register_module_v1
node_api_module_get_api_version_v1'
    libraries='libstdc\+\+\.so\.6|libgcc_s\.so\.1|'
    ;;
esac
case $platform in
  win32-x64) tools=x86_64-w64-mingw32- ;;
  linux-arm64*) tools=aarch64-linux-gnu- ;;
  *) tools='' ;;
esac
max_glibc=2.34
max_glibcxx=3.4.29
failures=0

[ -f "$addon" ] || {
  echo "check-symbols: no $addon: npm run build:${platform:+prebuilds }${platform:-native}" >&2
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

# Sets defined and undefined (names of symbols, sorted) and needed (libraries).
read_elf() {
  names() { "${tools}nm" -D "$1" "$addon" | awk '{ print $NF }' | sed 's/@.*//' | sort; }
  defined=$(names --defined-only)
  undefined=$(names --undefined-only)
  needed=$("${tools}objdump" -p "$addon" | awk '$1 == "NEEDED" { print $2 }')
}
read_pe() {
  tables=$("${tools}objdump" -p "$addon")
  defined=$(echo "$tables" | sed -n 's/^[[:space:]]*\[ *[0-9]*\] \([a-zA-Z_][a-zA-Z_0-9]*\)$/\1/p' | sort)
  # objdump does not list what is imported from the delay-loaded node.exe: the names are plain text in the file.
  undefined=$("${tools}strings" -a "$addon" | grep -E '^(napi|node_api|uv)_[a-z_0-9]+$|^_ZN' | sort)
  needed=$(echo "$tables" | sed -n 's/^[[:space:]]*DLL Name: //p')
}
if [ "$platform" = win32-x64 ]; then read_pe; else read_elf; fi

# Lists versions of the family $1 ("GLIBC") above $2.
newer() {
  "${tools}objdump" -T "$addon" | grep -o "\b$1_[0-9.]*" | sed "s/^$1_//" | sort -uV |
    while read -r version; do
      [ "$(printf '%s\n%s\n' "$version" "$2" | sort -V | tail -n 1)" = "$2" ] || echo "$1_$version"
    done
}

# Lists needed libraries that do not match $1.
strange() { echo "$needed" | grep -vE "^($1)\$" || :; }

if [ "$defined" = "$expected" ]; then surplus=''; else surplus="${defined:-nothing}"; fi
check "exports the entry points of $host and nothing else" "$surplus"
check 'makes no external buffers' "$(echo "$undefined" | grep -E '^napi_create_external_(buffer|arraybuffer)$' || :)"
check 'calls neither libuv nor V8' "$(echo "$undefined" | grep -E '^uv_|^_ZNK?2v8|^_ZNK?4node' || :)"
check 'carries its own zlib' "$(echo "$undefined" | grep -E '^(inflate|deflate|crc32|adler32)' || :)"
check 'needs no std::condition_variable' "$(echo "$undefined" | grep condition_variable || :)"
case $platform in
  win32-x64)
    check 'needs libraries of Windows only' "$(strange 'KERNEL32.dll|msvcrt.dll')"
    ;;
  *-musl)
    check "needs musl's libc only" "$(strange 'libc.so')"
    check 'carries its own C++ library' "$(echo "$undefined" | grep -E '^_Z|^__cxa_throw|^_Unwind' || :)"
    ;;
  *)
    check "needs GLIBC_$max_glibc at most" "$(newer GLIBC $max_glibc)"
    check "needs GLIBCXX_$max_glibcxx at most" "$(newer GLIBCXX $max_glibcxx)"
    check 'needs shared libraries of the system only' \
      "$(strange "${libraries}libm\.so\.6|libc\.so\.6|ld-linux.*|libpthread\.so\.0|libdl\.so\.2")"
    ;;
esac
case $platform in
  win32-x64) ;;
  *)
    check 'is linked with nodelete and bind-now' \
      "$(for flag in NODELETE NOW; do "${tools}readelf" -d "$addon" | grep -qw "$flag" || echo "lacks $flag"; done)"
    ;;
esac

[ "$failures" -eq 0 ]
