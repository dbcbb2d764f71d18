# wasm32: WebAssembly, one thread, for pages and for systems without an addon. native/wasm/CMakeLists.txt builds it.
packages='clang-19 lld-19 llvm-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32 cmake make
  xz-utils'

prepare() {
  source_of zlib
  source_of libdeflate
  llvm_source
}
