# win32-x64: Windows 10 and newer, by mingw-w64; runs under wine. The addon needs KERNEL32 and msvcrt alone.
packages='g++-mingw-w64-x86-64-posix cmake make nasm wine wine64'
duckdb=windows_amd64
tools=x86_64-w64-mingw32-
cc=${tools}gcc-posix ar=${tools}ar

# The import library of "node.exe" is delay-loaded, and its hook finds the host, whatever its file is called.
delayed=$work/$platform/libnode_delay.a
configure="-DCMAKE_TOOLCHAIN_FILE=$here/win32-x64.cmake -DCMAKE_JS_SRC=$here/delay_load_hook.cc
  -DCMAKE_JS_LIB=$delayed;delayimp"

prepare() {
  static_zlib
  static_libdeflate
  shared_isal isa-l.dll AS=nasm host_cpu=x86_64 arch=mingw 'LDFLAGS=-s -static' LDFLAGS_so=
  definitions=$root/node_modules/node-api-headers/def
  {
    cat "$definitions/node_api.def"
    grep -vE '^(NAME|EXPORTS)' "$definitions/js_native_api.def"
  } >"$work/$platform/node.def"
  ${tools}dlltool -d "$work/$platform/node.def" -y "$delayed"
}

emulator=$here/wine.sh
run_program() { "$here/wine.sh" "$@"; }
