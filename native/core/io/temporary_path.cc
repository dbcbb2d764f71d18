#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>

#include "core/io/file_sink.h"

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace tfr {
namespace {

/// NAME_MAX of all common file systems.
constexpr size_t kMaxName = 255;

unsigned ProcessId() {
#if defined(_WIN32)
  return static_cast<unsigned>(_getpid());
#else
  return static_cast<unsigned>(getpid());
#endif
}

/// Differs between calls, threads and, through the clock, processes with the
/// same id in different containers. It need not be secret: the file is created
/// exclusively.
uint64_t Random(int attempt) {
  static std::atomic<uint64_t> calls{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  uint64_t x = static_cast<uint64_t>(now);
  x += 0x9e3779b97f4a7c15u * (calls.fetch_add(1) + 1);
  x += static_cast<uint64_t>(attempt) << 56;
  // The finalizer of splitmix64.
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

std::string TemporaryPathFor(const std::string& path, int attempt) {
#if defined(_WIN32)
  const size_t slash = path.find_last_of("/\\");
#else
  const size_t slash = path.rfind('/');
#endif
  const size_t start = slash == std::string::npos ? 0 : slash + 1;
  char suffix[48];
  const int size = std::snprintf(
      suffix, sizeof(suffix), ".%u-%012llx.tmp", ProcessId(),
      static_cast<unsigned long long>(Random(attempt) >> 16));  // NOLINT
  std::string name = path.substr(start);
  const size_t room = kMaxName - 1 - static_cast<size_t>(size);
  if (name.size() > room) {
    size_t end = room;
    while (end > 0 && (static_cast<uint8_t>(name[end]) & 0xc0) == 0x80) --end;
    name.resize(end);
  }
  return path.substr(0, start) + "." + name + suffix;
}

}  // namespace tfr
