/// Reading when the system has no more memory: gives a fault, never aborts.
#include <sys/resource.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/io/fed_source.h"
#include "test/support/check.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

/// Current address space of this process, in bytes.
rlim_t Present() {
  size_t pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%zu", &pages) != 1) pages = 0;
  if (file != nullptr) std::fclose(file);
  return static_cast<rlim_t>(pages) * 4096;
}

/// While it exists, limits this process to `more` additional bytes.
class Shortage {
 public:
  explicit Shortage(rlim_t more) {
    getrlimit(RLIMIT_AS, &before_);
    const rlimit tight = {Present() + more, before_.rlim_max};
    setrlimit(RLIMIT_AS, &tight);
  }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;
  ~Shortage() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_ = {};
};

constexpr size_t kRecords = 400'000;
constexpr size_t kSlab = size_t{8} << 20;

TEST(OutOfMemoryIsAFaultAfterTheFramesBefore) {
  if (Present() == 0) return;
  std::string file;
  const std::string empty = Framed(std::string());
  for (size_t i = 0; i < kRecords; ++i) file += empty;
  std::vector<uint8_t> slab(kSlab);
  auto source = std::make_unique<FedSource>();
  CHECK(source->Feed(Data(file), file.size(), true));
  ReadOptions options;
  options.compression = Compression::kNone;
  SlabStream stream(std::move(source), NewTfrecordFramer(options), options);
  const CancelToken cancel;
  SlabFill fill;
  {
    const Shortage shortage(size_t{512} << 10);
    stream.FillSlab(slab.data(), slab.size(), cancel, &fill);
    stream.Complete(slab.data(), cancel, &fill);
  }
  CHECK_EQ(fill.outcome, FillOutcome::kHalt);
  CHECK_EQ(fill.halt.code, FaultCode::kOutOfMemory);
  CHECK(!fill.frames.empty());
  CHECK(fill.frames.size() < kRecords);
  CHECK_EQ(fill.halt.record, fill.frames.size());
}

}  // namespace
}  // namespace tfr::test
