# Functions that build the C libraries of the addon from Debian's sources, for the compiler $cc and the archiver $ar of a
# platform, into $TFR_SYSROOT/usr.

# objects FOLDER FLAGS -- FILE...: compiles some dozen C files of the current folder, all at once.
objects() {
  into=$1 flags=$2
  shift 3
  rm -rf "$into"
  mkdir -p "$into"
  jobs=''
  for file; do
    # shellcheck disable=SC2086 # lists
    ${CMAKE_C_COMPILER_LAUNCHER:-} $cc -w -O3 -fPIC $flags -c "$file" -o "$into/$(echo "$file" | tr / _ | sed 's/c$/o/')" &
    jobs="$jobs $!"
  done
  for job in $jobs; do wait "$job"; done
}

static_zlib() {
  source_of zlib
  mkdir -p "$TFR_SYSROOT/usr/lib" "$TFR_SYSROOT/usr/include"
  (
    cd "$source"
    objects "$work/$platform/zlib" -DHAVE_UNISTD_H -- adler32.c compress.c crc32.c deflate.c inffast.c inflate.c \
      inftrees.c trees.c uncompr.c zutil.c
  )
  cp "$source/zlib.h" "$source/zconf.h" "$TFR_SYSROOT/usr/include/"
  archive libz.a "$work/$platform/zlib"
}

static_libdeflate() {
  source_of libdeflate
  mkdir -p "$TFR_SYSROOT/usr/lib" "$TFR_SYSROOT/usr/include"
  (cd "$source" && objects "$work/$platform/libdeflate" '-I. -Ilib' -- lib/*.c lib/*/*.c)
  cp "$source/libdeflate.h" "$TFR_SYSROOT/usr/include/"
  archive libdeflate.a "$work/$platform/libdeflate"
}

# archive NAME FOLDER
archive() {
  rm -f "$TFR_SYSROOT/usr/lib/$1"
  $ar rcs "$TFR_SYSROOT/usr/lib/$1" "$2"/*.o
}

# shared_isal FILE ARGUMENT...: ISA-L's igzip and checksums as a shared library. The arguments go to make.
shared_isal() {
  library=$1
  shift
  source_of libisal
  copy=$work/$platform/isal
  rm -rf "$copy"
  cp -r "$source" "$copy"
  make -s -C "$copy" -f Makefile.unx units='igzip crc' CC="$cc" AR="$ar" "so_lib_name=bin/$library" "$@" -j"$JOBS" slib
  mkdir -p "$TFR_SYSROOT/usr/include/isa-l"
  cp "$copy"/include/*.h "$TFR_SYSROOT/usr/include/isa-l/"
  isal=$copy/bin/$library
}

# The part of LLVM that its C++ library needs.
llvm_source() {
  source_of llvm-toolchain-19 '*/libcxx*' '*/libunwind*' '*/runtimes*' '*/cmake*' '*/llvm/utils/llvm-lit*' '*/libc/*.h'
}
