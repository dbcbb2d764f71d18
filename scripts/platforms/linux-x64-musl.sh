# linux-x64-musl: Alpine 3.17 and newer.
# Tests run with the system's own loader.
packages='clang-19 lld-19 gcc cmake make ninja-build nasm xz-utils musl'
tools=''
machine=x86_64 gcc=$(dirname "$(gcc -print-libgcc-file-name)")
. "$here/musl.sh"

prepare() {
  musl_sysroot amd64
  static_zlib
  static_libdeflate
  shared_isal libisal.so.2 AS=nasm host_cpu=x86_64 arch= "LDFLAGS=-s -fuse-ld=lld -nostdlib -lc" \
    LDFLAGS_so=-Wl,-soname,libisal.so.2
}

emulator=''
run_program() { "$@"; }
