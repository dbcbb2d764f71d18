#include "core/record/framing/fixed_framer.h"

#include <algorithm>

namespace tfr {
namespace {

class FixedFramer final : public Framer {
 public:
  FixedFramer(const FixedLayout& layout, const StreamPlace& start)
      : layout_(layout), start_(start) {}

  Found Find(Window* window, bool, SlabFill* fill) const override {
    const auto record = static_cast<size_t>(layout_.record_bytes);
    for (;;) {
      const uint64_t ahead = Ahead({fill->base + window->begin,
                                    fill->first_record + fill->frames.size()});
      const auto passed = static_cast<size_t>(
          std::min<uint64_t>(ahead, BeforeFooter(window->left())));
      window->begin += passed;
      if (passed < ahead || BeforeFooter(window->left()) < record) break;
      if (!fill->frames.Push({static_cast<uint32_t>(window->begin),
                              static_cast<uint32_t>(record)})) {
        return {0, MemoryFault()};
      }
    }
    return {layout_.record_bytes + layout_.footer_bytes, {}};
  }

  Fault AtEnd(const StreamPlace& place, uint64_t have,
              uint64_t) const override {
    const uint64_t passed = std::min(Ahead(place), BeforeFooter(have));
    const uint64_t ahead = Ahead(place) - passed;
    const uint64_t left = have - passed;
    const bool given = place.record > start_.record;
    if (!given && (ahead > 0 || left < layout_.footer_bytes)) {
      const bool both = layout_.header_bytes > 0 && layout_.footer_bytes > 0;
      Fault fault = MakeFault(FaultCode::kTruncated,
                              both                       ? "header and footer"
                              : layout_.header_bytes > 0 ? "header"
                                                         : "footer",
                              layout_.header_bytes + layout_.footer_bytes,
                              place.offset + have);
      fault.offset = 0;
      return fault;
    }
    // After a record, the file may end within the gap to the next one.
    if (ahead > 0) return Fault();
    const uint64_t rest = BeforeFooter(left);
    // Overlapping records share all but the last hop.
    const uint64_t known =
        given ? layout_.record_bytes -
                    std::min(layout_.record_bytes, layout_.hop_bytes)
              : 0;
    if (rest <= known) return Fault();
    Fault fault =
        MakeFault(FaultCode::kTruncated, "record", layout_.record_bytes, rest);
    fault.offset = place.offset + passed;
    return fault;
  }

 private:
  /// Number of bytes from `place` to the start of its record.
  uint64_t Ahead(const StreamPlace& place) const {
    const uint64_t first =
        start_.offset > 0 ? start_.offset : layout_.header_bytes;
    return first + (place.record - start_.record) * layout_.hop_bytes -
           place.offset;
  }

  /// The number of `bytes` that cannot belong to the footer.
  uint64_t BeforeFooter(uint64_t bytes) const {
    return bytes - std::min(bytes, layout_.footer_bytes);
  }

  const FixedLayout layout_;
  const StreamPlace start_;
};

}  // namespace

std::unique_ptr<Framer> NewFixedFramer(const FixedLayout& layout,
                                       const StreamPlace& start) {
  return std::make_unique<FixedFramer>(layout, start);
}

}  // namespace tfr
