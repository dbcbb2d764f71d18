#include <__verbose_abort>

// The last words of the C++ library. A trap ends the instance; JavaScript says
// so (lib/native/wasm/instance.ts). Without these functions, the module would
// need a standard error.

extern "C" [[noreturn]] void abort_message(const char* /*format*/, ...) {
  __builtin_trap();
}

_LIBCPP_BEGIN_NAMESPACE_STD

[[noreturn]] void __libcpp_verbose_abort(const char* /*format*/, ...) {
  __builtin_trap();
}

_LIBCPP_END_NAMESPACE_STD
