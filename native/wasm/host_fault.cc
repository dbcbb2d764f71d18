#include "wasm/host_fault.h"

#include <cstddef>
#include <iterator>

#include "core/io/byte_sink.h"

namespace tfr::wasm {
namespace {

constexpr const char* kCalls[] = {"open",  "read",   "write",    "close",
                                  "fsync", "rename", "ftruncate"};
constexpr const char* kDetails[] = {"", kInUse, kNamed};

/// Added to the system's error numbers, to keep them apart from those of
/// wasi-libc, which core's own faults have.
constexpr int kHostErrors = 10000;

}  // namespace

Fault HostFault(int32_t result) {
  const auto coded = static_cast<uint32_t>(-result);
  const size_t call = (coded >> 12) & 0xf;
  const size_t detail = (coded >> 16) & 0xf;
  Fault fault = SystemFault(kHostErrors + static_cast<int>(coded & 0xfff), "");
  if (call < std::size(kCalls)) fault.part = kCalls[call];
  if (detail < std::size(kDetails)) fault.detail = kDetails[detail];
  return fault;
}

}  // namespace tfr::wasm
