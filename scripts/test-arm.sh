#!/bin/sh
# Cross compiles the tests of the CRC kernels for 64-bit ARM, and runs them under qemu (Debian: g++-aarch64-linux-gnu
# qemu-user-static). On an ARM machine, use npm run test:core instead.
set -eu
cd "$(dirname -- "$0")/.."

cxx=${ARM_CXX:-aarch64-linux-gnu-g++}
qemu=${ARM_QEMU:-qemu-aarch64-static}
for tool in "$cxx" "$qemu"; do
  command -v "$tool" >/dev/null 2>&1 || {
    echo "test-arm: no $tool (Debian: apt-get install g++-aarch64-linux-gnu qemu-user-static)" >&2
    exit 1
  }
done

mkdir -p build-arm
"$cxx" -std=c++17 -O2 -g -Wall -Wextra -Werror -fno-rtti -static -I native \
  native/core/crc32c/*.cc native/test/crc32c/crc32c_test.cc -o build-arm/crc32c_test
"$qemu" build-arm/crc32c_test
