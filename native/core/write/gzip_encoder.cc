#include <array>
#include <memory>
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

/// Deflaters and their output memory that wait for their next slab, for all
/// encoders of a level: a program may write thousands of files at a time. There
/// are at most as many as slabs were between `Prepare` and `Written` at a time.
class MemberPool {
 public:
  explicit MemberPool(int level) : level_(level) {}

  /// Returns the pool of `level`, which lives as long as any encoder has it.
  static std::shared_ptr<MemberPool> Of(int level) {
    // Never destroyed: threads may outlive static objects.
    static auto* const mutex = new std::mutex;
    static auto* const pools = new std::array<std::weak_ptr<MemberPool>, 10>;
    std::lock_guard<std::mutex> lock(*mutex);
    std::weak_ptr<MemberPool>& known = (*pools)[static_cast<size_t>(level)];
    std::shared_ptr<MemberPool> pool = known.lock();
    if (!pool) known = pool = std::make_shared<MemberPool>(level);
    return pool;
  }

  /// Returns null when memory runs out.
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

 private:
  const int level_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Member>> free_;
};

/// Writes one gzip member per slab.
class GzipEncoder final : public SlabEncoder {
 public:
  explicit GzipEncoder(int level) : pool_(MemberPool::Of(level)) {}

  Fault Prepare(const Slab& slab, const CancelToken& cancel,
                std::unique_ptr<PreparedSlab>* prepared) override {
    Fault fault = EnsureFrameSums(slab, cancel);
    if (fault) return fault;
    std::unique_ptr<Member> member = pool_->Borrow();
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
    std::unique_ptr<Member> member = pool_->Borrow();
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

  void Written() override { Announce(nullptr); }

 private:
  void Announce(std::unique_ptr<Member> member) {
    if (current_ && keep_) pool_->Return(std::move(current_));
    current_ = std::move(member);
  }

  const std::shared_ptr<MemberPool> pool_;
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
