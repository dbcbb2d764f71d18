#!/bin/sh
# scripts/test-arm.sh from nothing: as root on Debian or Ubuntu, first installs the cross compiler and the emulator that
# it needs.
set -eu
cd "$(dirname -- "$0")/.."

lacking=''
command -v "${ARM_CXX:-aarch64-linux-gnu-g++}" >/dev/null 2>&1 || lacking="$lacking g++-aarch64-linux-gnu"
command -v "${ARM_QEMU:-qemu-aarch64-static}" >/dev/null 2>&1 || lacking="$lacking qemu-user-static"
if [ -n "$lacking" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  # shellcheck disable=SC2086 # a list of package names
  apt-get install -q -y --no-install-recommends $lacking
fi
exec sh scripts/test-arm.sh
