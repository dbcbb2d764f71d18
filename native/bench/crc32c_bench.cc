// GB/s (10^9 bytes per second) and nanoseconds per call, by size, of each
// CRC-32C kernel that this CPU supports. "chain": each call waits for the
// previous one, as for a single long input. "free": calls are independent, as
// for the records of a batch.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "core/crc32c/crc32c.h"
#include "core/crc32c/kernel.h"

namespace {

using Clock = std::chrono::steady_clock;
using tfr::crc32c::Extend;
using tfr::crc32c::ExtendFunction;
using tfr::crc32c::Kernel;

volatile uint32_t sink;

/// Seconds per call: the best of many runs of about 2 ms, short enough to
/// escape other load on the machine.
template <typename Call>
double SecondsPerCall(Call call) {
  using Seconds = std::chrono::duration<double>;
  size_t calls = 16;
  double best = 1e9;
  for (int run = 0; run < 25;) {
    const Clock::time_point start = Clock::now();
    call(calls);
    const double seconds = Seconds(Clock::now() - start).count();
    if (seconds < 0.002) {
      calls *= 2;
      continue;
    }
    ++run;
    best = seconds / calls < best ? seconds / calls : best;
  }
  return best;
}

void Measure(const char* name, ExtendFunction extend, size_t size) {
  // Enough inputs to vary, few enough to stay in L1 or L2.
  const size_t stride = size + 17;
  const size_t inputs = size >= 16384 ? 1 : 16384 / stride;
  const std::vector<uint8_t> bytes(inputs * stride + size, 0x5a);
  const double chain = SecondsPerCall([&](size_t calls) {
    uint32_t crc = 0;
    for (size_t i = 0, at = 0; i < calls; ++i) {
      crc = extend(crc, bytes.data() + at * stride, size);
      at = at + 1 == inputs ? 0 : at + 1;
    }
    sink = crc;
  });
  const double free = SecondsPerCall([&](size_t calls) {
    uint32_t sum = 0;
    for (size_t i = 0, at = 0; i < calls; ++i) {
      sum ^= extend(0, bytes.data() + at * stride, size);
      at = at + 1 == inputs ? 0 : at + 1;
    }
    sink = sum;
  });
  std::printf(
      "%-12s %9zu B  chain %8.1f ns %7.2f GB/s   free %8.1f ns %7.2f GB/s\n",
      name, size, chain * 1e9, size / chain / 1e9, free * 1e9,
      size / free / 1e9);
}

void MeasureValue8() {
  std::vector<uint8_t> bytes(4096 + 8, 0x5a);
  const double seconds = SecondsPerCall([&](size_t calls) {
    uint32_t sum = 0;
    for (size_t i = 0; i < calls; ++i) {
      sum += tfr::crc32c::Value8(bytes.data() + (i & 4095));
    }
    sink = sum;
  });
  std::printf("%-12s %9d B  free %.2f ns\n", "Value8", 8, seconds * 1e9);
}

}  // namespace

/// The first argument selects the kernels whose name contains it.
int main(int argc, char** argv) {
  const std::string filter = argc > 1 ? argv[1] : "";
  std::printf("in use: %s\n", tfr::crc32c::KernelName());
  MeasureValue8();
  constexpr size_t kSizes[] = {4,     8,      16,      24,      32,   48,
                               64,    96,     128,     192,     256,  384,
                               512,   1024,   2048,    4096,    8192, 16384,
                               65536, 262144, 1048576, 16777216};
  for (const Kernel* kernel : tfr::crc32c::Kernels()) {
    const bool wanted =
        std::string(kernel->name).find(filter) != std::string::npos;
    if (!wanted || !kernel->supported()) continue;
    for (size_t size : kSizes) Measure(kernel->name, kernel->extend, size);
  }
  Measure("dispatched", &Extend, 8);
  Measure("dispatched", &Extend, 300);
  return 0;
}
