#include "core/write/slab_encoder.h"

#include <utility>

#include "core/write/frame_sums.h"

namespace tfr {
namespace {

/// Writes the slabs unchanged, one after the other.
class PlainEncoder final : public SlabEncoder {
 public:
  Fault Prepare(const Slab& slab, const CancelToken& cancel,
                std::unique_ptr<PreparedSlab>*) override {
    return FillFrameSums(slab.data, slab.size, cancel);
  }

  void Add(const Slab& slab, std::unique_ptr<PreparedSlab>) override {
    output_ = {slab.data, slab.size, false};
  }
  void Flush() override {}
  Fault End() override { return {}; }
  Output Next(uint64_t) override { return std::exchange(output_, {}); }

 private:
  Output output_;
};

}  // namespace

std::unique_ptr<SlabEncoder> NewPlainEncoder() {
  return std::make_unique<PlainEncoder>();
}

std::unique_ptr<SlabEncoder> NewSlabEncoder(Compression compression,
                                            int level) {
  switch (compression) {
    case Compression::kGzip:
      return NewGzipEncoder(level);
    case Compression::kZlib:
      return NewZlibEncoder(level);
    default:
      return NewPlainEncoder();
  }
}

}  // namespace tfr
