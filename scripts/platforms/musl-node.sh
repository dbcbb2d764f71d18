#!/bin/sh
# Prints the path of a program that runs Node for linux-x64-musl. It is for tests only, and nothing of it is shipped. npm has
# that Node (26) inside of @pnpm/linuxstatic-x64: a "single executable", which is a plain Node once its fuse is set back. It
# needs musl's libstdc++.so.6 and libgcc_s.so.1, which Debian lacks: they are built from Debian's sources, which takes ten
# minutes the first time. build.sh linux-x64-musl must have run.
set -eu
. "$(dirname -- "$0")/common.sh"
. "$here/debian.sh"
use_platform linux-x64-musl

version=11.21.0
fuse=NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2
libraries=$work/musl-node/lib
node=$work/musl-node/node-$version
program=$work/musl-node/run

unpack_node() {
  folder=$work/musl-node/pnpm
  mkdir -p "$folder"
  (cd "$folder" && npm pack --silent "@pnpm/linuxstatic-x64@$version" >/dev/null && tar -xzf ./*.tgz --strip-components=1)
  sed "s/$fuse:1/$fuse:0/" "$folder/pnpm" >"$node"
  chmod +x "$node"
  rm -rf "$folder"
}

# GCC's C++ library, by this machine's compiler with musl's headers and start files.
build_libstdcxx() {
  gcc_source=$work/source/gcc-12
  if [ ! -d "$gcc_source" ]; then
    packages_into "$work/source/gcc-12.deb" "$(dpkg --print-architecture)" gcc-12-source
    mkdir -p "$gcc_source"
    # Patterns that match nothing make tar fail; what is needed is checked by the build.
    tar -xJf "$work"/source/gcc-12.deb/usr/src/gcc-12/gcc-12*.tar.xz -C "$gcc_source" --strip-components=1 --wildcards \
      '*/libstdc++-v3/*' '*/libgcc/*' '*/config/*' '*/include/*' '*/config.guess' '*/config.sub' '*/install-sh' \
      '*/ltmain.sh' '*/missing' '*/mkinstalldirs' '*/depcomp' '*/compile' '*/libtool*' '*/ltgcc.m4' '*/config-ml.in' \
      '*/move-if-change' '*/symlink-tree' '*/libiberty/*' '*/gcc/BASE-VER' '*/gcc/DATESTAMP' '*/gcc/DEV-PHASE' || :
    # Otherwise configure finds no threads.
    ln -sf gthr-posix.h "$gcc_source/libgcc/gthr-default.h"
  fi
  specs=/usr/lib/x86_64-linux-musl/musl-gcc.specs
  mkdir -p "$work/musl-node/libstdcxx"
  cd "$work/musl-node/libstdcxx"
  for compiler in gcc g++; do
    printf '#!/bin/sh\nexec %s "$@" -specs %s\n' "$compiler" "$specs" >"musl-$compiler"
    chmod +x "musl-$compiler"
  done
  "$gcc_source/libstdc++-v3/configure" --build=x86_64-linux-gnu --host=x86_64-linux-musl --disable-multilib --disable-nls \
    --disable-libstdcxx-pch --disable-libstdcxx-filesystem-ts --enable-threads=posix --disable-werror \
    --with-target-subdir= --enable-symvers=gnu CC="$PWD/musl-gcc" CXX="$PWD/musl-g++" CFLAGS='-O1 -fPIC' \
    CXXFLAGS='-O1 -fPIC'
  make -j"$JOBS"
  cp -L src/.libs/libstdc++.so.6 "$libraries/"
}

# libgcc_s.so.1: LLVM's unwinder, and the few functions for 128-bit numbers that Node imports.
build_libgcc() {
  # musl.sh has fetched the source.
  builtins=$work/source/llvm-builtins
  if [ ! -d "$builtins" ]; then
    mkdir -p "$builtins"
    tar -xf "$work"/apt-source/files/llvm-toolchain-19_*.orig.tar.xz -C "$builtins" --strip-components=4 --wildcards \
      '*/compiler-rt/lib/builtins/*'
  fi
  objects=$work/musl-node/objects
  mkdir -p "$objects"
  for name in popcountdi2 udivti3 umodti3 divti3 modti3 udivmodti4 divmodti4; do
    [ ! -e "$builtins/$name.c" ] || $cc -O2 -fPIC -I"$builtins" -c "$builtins/$name.c" -o "$objects/$name.o"
  done
  $cc -O2 -fPIC -c "$here/musl_replace_cold.c" -o "$objects/cold.lo"
  link="$cc -fuse-ld=lld -nostdlib -shared -L $TFR_SYSROOT/usr/lib"
  $link -Wl,-soname,libgcc_s.so.1 "$objects"/*.o -Wl,--whole-archive "$TFR_SYSROOT/usr/lib/libunwind.a" \
    -Wl,--no-whole-archive -lc "$gcc/libgcc.a" -o "$libraries/libgcc_s.so.1"
  $link "$objects/cold.lo" -lc -o "$libraries/libcold.so"
}

mkdir -p "$libraries"
{
  [ -e "$node" ] || unpack_node
  [ -e "$libraries/libstdc++.so.6" ] || (build_libstdcxx)
  [ -e "$libraries/libcold.so" ] || build_libgcc
} >"$work/musl-node/build.log" 2>&1
cat >"$program" <<END
#!/bin/sh
LD_LIBRARY_PATH='$libraries' LD_PRELOAD='$libraries/libcold.so' exec '$node' "\$@"
END
chmod +x "$program"
echo "$program"
