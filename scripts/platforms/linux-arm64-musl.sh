# linux-arm64-musl: Alpine on 64-bit ARM. Core tests run under qemu; there is no Node for it here.
packages='clang-19 lld-19 g++-aarch64-linux-gnu cmake make ninja-build xz-utils qemu-user-static'
tools=aarch64-linux-gnu-
machine=aarch64 gcc=$(dirname "$(aarch64-linux-gnu-gcc -print-libgcc-file-name)")
. "$here/musl.sh"

prepare() {
  musl_sysroot arm64
  static_zlib
  static_libdeflate
  # Clang refuses one operand that GNU as takes.
  shared_isal libisal.so.2 "AS=${tools}gcc -D__ASSEMBLY__" host_cpu=aarch64 arch=aarch64 \
    "LDFLAGS=-s -fuse-ld=lld -nostdlib -lc" \
    LDFLAGS_so=-Wl,-soname,libisal.so.2
}

emulator="qemu-aarch64-static;-L;$TFR_SYSROOT"
run_program() { qemu-aarch64-static -L "$TFR_SYSROOT" "$@"; }
