# linux-x64: glibc 2.34 and newer, by this machine's own compiler. The static libraries are Debian's.
packages='g++ cmake make nasm zlib1g-dev libdeflate-dev libisal-dev'
duckdb=linux_amd64
tools=''
cc=gcc ar=ar

prepare() {
  shared_isal libisal.so.2 AS=nasm host_cpu=x86_64 arch= LDFLAGS=-s LDFLAGS_so=-Wl,-soname,libisal.so.2
}

emulator=''
run_program() { "$@"; }
