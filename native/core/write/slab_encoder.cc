#include "core/write/slab_encoder.h"

#include <algorithm>
#include <utility>

#include "core/base/cancel.h"
#include "core/write/frame_sums.h"

namespace tfr {
namespace {

/// Writes the slabs unchanged, one after the other.
class PlainEncoder final : public SlabEncoder {
 public:
  Fault Prepare(const Slab& slab, const CancelToken& cancel,
                std::unique_ptr<PreparedSlab>*) override {
    return EnsureFrameSums(slab, cancel);
  }

  void Add(const Slab& slab, std::unique_ptr<PreparedSlab>) override {
    // Finding the ends of short records takes longer than reading them.
    output_ = {slab.data, slab.size, false,
               slab.size / std::max(slab.records, 1u) >= kLongRecord};
  }
  void Flush() override {}
  Fault End() override { return {}; }
  Output Next(uint64_t) override { return std::exchange(output_, {}); }

 private:
  Output output_;
};

/// Moves the output of what was announced last to `sink`, from `*offset` on.
Fault TakeOutput(SlabEncoder* encoder, MemorySink* sink, uint64_t* offset) {
  SlabEncoder::Output output;
  do {
    output = encoder->Next(*offset);
    while (output.size > 0) {
      const SinkStep step = sink->Write(output.data, output.size);
      if (step.state == SinkStep::State::kFault) return step.fault;
      output.data += step.taken;
      output.size -= step.taken;
      *offset += step.taken;
    }
  } while (output.more);
  return {};
}

}  // namespace

Fault EncodeSlabs(SlabEncoder* encoder, const std::vector<Slab>& slabs,
                  MemorySink* sink) {
  const CancelToken never;
  uint64_t offset = 0;
  for (const Slab& slab : slabs) {
    std::unique_ptr<PreparedSlab> prepared;
    if (const Fault fault = encoder->Prepare(slab, never, &prepared)) {
      return fault;
    }
    encoder->Add(slab, std::move(prepared));
    if (const Fault fault = TakeOutput(encoder, sink, &offset)) return fault;
  }
  if (const Fault fault = encoder->End()) return fault;
  return TakeOutput(encoder, sink, &offset);
}

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
