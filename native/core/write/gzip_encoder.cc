#include <mutex>
#include <utility>
#include <vector>

#include "core/compression/gzip_member.h"
#include "core/deflate/registry.h"
#include "core/write/frame_sums.h"
#include "core/write/slab_encoder.h"

namespace tfr {
namespace {

/// Larger members come from large records, which have slabs of their own: their
/// memory is not kept for reuse.
constexpr size_t kKeptSlabSize = 2 << 20;

struct Member final : PreparedSlab {
  std::unique_ptr<BlockDeflater> deflater;
  GzipMember member;
};

/// Writes one gzip member per slab. Deflaters and their output memory are
/// reused; there are at most as many as slabs between `Prepare` and the end of
/// `Next`.
class GzipEncoder final : public SlabEncoder {
 public:
  explicit GzipEncoder(int level) : level_(level) {}

  Fault Prepare(const Slab& slab, const CancelToken& cancel,
                std::unique_ptr<PreparedSlab>* prepared) override {
    Fault fault = FillFrameSums(slab.data, slab.size, cancel);
    if (fault) return fault;
    std::unique_ptr<Member> member = Borrow();
    if (!member) return MemoryFault();
    fault = member->member.Deflate(member->deflater.get(), slab.data, slab.size,
                                   slab.records, cancel);
    if (!fault) *prepared = std::move(member);
    return fault;
  }

  void Add(const Slab& slab, std::unique_ptr<PreparedSlab> prepared) override {
    Announce(std::unique_ptr<Member>(static_cast<Member*>(prepared.release())));
    keep_ = slab.size <= kKeptSlabSize;
    empty_ = false;
  }

  /// Each slab is a whole member, so there is nothing to flush.
  void Flush() override { Announce(nullptr); }

  /// A file without records is one empty member; no other member is empty.
  Fault End() override {
    Announce(nullptr);
    if (!empty_) return {};
    std::unique_ptr<Member> member = Borrow();
    if (!member) return MemoryFault();
    const Fault fault = member->member.Deflate(member->deflater.get(), nullptr,
                                               0, 0, CancelToken());
    if (!fault) Announce(std::move(member));
    return fault;
  }

  Output Next(uint64_t file_offset) override {
    if (!current_) return {};
    const GzipMember::Bytes bytes = current_->member.Finish(file_offset);
    return {bytes.data, bytes.size, false};
  }

 private:
  void Announce(std::unique_ptr<Member> member) {
    if (current_ && keep_) Return(std::move(current_));
    current_ = std::move(member);
  }

  std::unique_ptr<Member> Borrow() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Member> member = std::move(free_.back());
        free_.pop_back();
        return member;
      }
    }
    auto member = std::make_unique<Member>();
    member->deflater = NewBlockDeflater(level_);
    return member->deflater ? std::move(member) : nullptr;
  }

  void Return(std::unique_ptr<Member> member) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(std::move(member));
  }

  const int level_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Member>> free_;
  // Used by the ordered phase.
  std::unique_ptr<Member> current_;
  bool keep_ = false;
  bool empty_ = true;
};

}  // namespace

std::unique_ptr<SlabEncoder> NewGzipEncoder(int level) {
  return std::make_unique<GzipEncoder>(level);
}

}  // namespace tfr
