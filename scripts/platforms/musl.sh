# Settings and functions that both musl platforms share. Set before: machine (x86_64 or aarch64), tools (the prefix of binutils), gcc (the folder of GCC's
# crtbeginS.o and libgcc.a, which hold nothing of glibc: Debian's clang has no compiler-rt of its own).
# libc++, libc++abi and libunwind are linked statically and hidden, so the addon needs musl's libc alone. What no source
# here uses is left out of them, which saves a third of their time: files, streams, locales.
cc="clang-19 --target=$machine-linux-musl --sysroot=$TFR_SYSROOT" ar=${tools}ar
TFR_MACHINE=$machine
TFR_GCC=$gcc
TFR_TOOLS=$tools
export TFR_MACHINE TFR_GCC TFR_TOOLS
configure="-DCMAKE_TOOLCHAIN_FILE=$here/musl.cmake"

# musl_sysroot ARCHITECTURE: libc and the kernel's headers of Debian, then the C++ library, built from its source.
musl_sysroot() {
  [ -e "$TFR_SYSROOT/usr/lib/libc++.a" ] && return 0
  packages=$work/$platform/packages
  packages_into "$packages" "$1" musl musl-dev linux-libc-dev
  mkdir -p "$TFR_SYSROOT/usr/include" "$TFR_SYSROOT/usr/lib" "$TFR_SYSROOT/lib"
  cp -R "$packages/usr/include/$machine-linux-musl/." "$packages/usr/include/linux" "$packages/usr/include/asm-generic" \
    "$packages/usr/include/$machine-linux-gnu/asm" "$TFR_SYSROOT/usr/include/"
  cp -P "$packages/usr/lib/$machine-linux-musl/"* "$TFR_SYSROOT/usr/lib/"
  cp "$packages/lib/$machine-linux-musl/libc.so" "$TFR_SYSROOT/usr/lib/"
  cp "$packages/lib/$machine-linux-musl/libc.so" "$TFR_SYSROOT/lib/ld-musl-$machine.so.1"

  llvm_source
  cmake -G Ninja -S "$source/runtimes" -B "$work/$platform/libcxx" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON "-DCMAKE_TOOLCHAIN_FILE=$here/musl.cmake" -DTFR_NO_CXX_LIBRARY=ON \
    -DCMAKE_INSTALL_PREFIX="$TFR_SYSROOT/usr" "-DLLVM_ENABLE_RUNTIMES=libunwind;libcxxabi;libcxx" \
    -DLLVM_INCLUDE_TESTS=OFF -DLLVM_INCLUDE_DOCS=OFF -DLIBUNWIND_ENABLE_SHARED=OFF -DLIBUNWIND_USE_COMPILER_RT=OFF \
    -DLIBCXXABI_ENABLE_SHARED=OFF -DLIBCXXABI_USE_LLVM_UNWINDER=ON -DLIBCXXABI_ENABLE_STATIC_UNWINDER=ON \
    -DLIBCXX_ENABLE_SHARED=OFF -DLIBCXX_HAS_MUSL_LIBC=ON -DLIBCXX_CXX_ABI=libcxxabi \
    -DLIBCXX_ENABLE_STATIC_ABI_LIBRARY=ON -DLIBCXX_INCLUDE_BENCHMARKS=OFF -DLIBCXX_HARDENING_MODE=none \
    -DLIBCXX_ENABLE_FILESYSTEM=OFF -DLIBCXX_ENABLE_LOCALIZATION=OFF -DLIBCXX_ENABLE_TIME_ZONE_DATABASE=OFF \
    -DLIBCXX_ENABLE_RANDOM_DEVICE=OFF -DLIBCXX_ENABLE_UNICODE=OFF -DLIBCXX_INSTALL_MODULES=OFF \
    -DLIBCXX_INCLUDE_TESTS=OFF -DLIBCXXABI_INCLUDE_TESTS=OFF -DLIBUNWIND_INCLUDE_TESTS=OFF
  cmake --build "$work/$platform/libcxx" --parallel "$JOBS" --target install-unwind install-cxxabi install-cxx
}
