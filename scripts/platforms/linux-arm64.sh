# linux-arm64: glibc 2.34 and newer, cross compiled; runs under qemu.
packages='g++-aarch64-linux-gnu cmake make qemu-user-static'
duckdb=linux_arm64
tools=aarch64-linux-gnu-
cc=${tools}gcc ar=${tools}ar
configure="-DCMAKE_TOOLCHAIN_FILE=$here/linux-arm64.cmake"

prepare() {
  [ -e "$TFR_SYSROOT/usr/include/libdeflate.h" ] ||
    packages_into "$TFR_SYSROOT" arm64 zlib1g-dev libdeflate-dev libc6 libstdc++6 libgcc-s1 libatomic1
  shared_isal libisal.so.2 host_cpu=aarch64 arch=aarch64 LDFLAGS=-s LDFLAGS_so=-Wl,-soname,libisal.so.2
}

emulator="qemu-aarch64-static;-L;$TFR_SYSROOT"
run_program() { qemu-aarch64-static -L "$TFR_SYSROOT" "$@"; }
