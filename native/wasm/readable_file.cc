#include "core/io/readable_file.h"

#include <algorithm>

#include "wasm/host.h"
#include "wasm/host_fault.h"

// Files that JavaScript reads.
namespace tfr {
namespace {

constexpr size_t kMaxRead = size_t{1} << 30;

int32_t Number(intptr_t handle) { return static_cast<int32_t>(handle); }

}  // namespace

Fault ReadableFile::Open(const std::string& path) {
  const int32_t file = tfr_host_file_open(path.data(), path.size());
  if (file < 0) return wasm::HostFault(file);
  handle_ = file;
  return Fault();
}

Fault ReadableFile::ReadSome(uint64_t position, uint8_t* dst, size_t size,
                             size_t* got) const {
  const int32_t n =
      tfr_host_file_read(Number(handle_), static_cast<double>(position), dst,
                         std::min(size, kMaxRead));
  *got = n > 0 ? static_cast<size_t>(n) : 0;
  return n < 0 ? wasm::HostFault(n) : Fault();
}

uint64_t ReadableFile::Size() const {
  const double size = is_open() ? tfr_host_file_size(Number(handle_)) : 0;
  return size > 0 ? static_cast<uint64_t>(size) : kUnknown;
}

void ReadableFile::Close() {
  if (is_open()) tfr_host_file_close(Number(handle_));
  handle_ = kClosed;
}

}  // namespace tfr
