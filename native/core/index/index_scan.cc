#include "core/index/index_scan.h"

#include <algorithm>
#include <new>
#include <utility>

namespace tfr {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kSlabBytes = size_t{256} << 10;
/// A larger slab is freed after use.
constexpr size_t kKeptSlab = size_t{4} << 20;

ReaderSpec ScanSpec(ReaderSpec spec, std::shared_ptr<RecordIndex> index) {
  spec.max_record_bytes =
      std::min(spec.max_record_bytes, index->longest_checked());
  spec.continues = true;
  spec.one_stream = true;
  spec.counts_lost = true;
  index->Verified(spec.verify);
  spec.index = std::move(index);
  return spec;
}

}  // namespace

/// The scan's own slab.
class IndexScan::Slab final : public SlabReader::Request {
 public:
  explicit Slab(IndexScan* scan) : scan_(scan) {}

  bool Grow(uint64_t bytes) override {
    memory_.Free();
    if (!memory_.Reserve(std::max(static_cast<size_t>(bytes), kSlabBytes))) {
      slab = nullptr;
      size = 0;
      return false;
    }
    slab = memory_.data();
    size = memory_.capacity();
    return true;
  }

  /// Prepares for the next fill.
  void Clear() {
    SlabFill cleared;
    cleared.frames = std::move(fill.frames);
    cleared.frames.Truncate(0);
    fill = std::move(cleared);
    if (size <= kKeptSlab) return;
    memory_.Free();
    slab = nullptr;
    size = 0;
  }

  void Completed() override { scan_->Filled(&fill); }

 private:
  IndexScan* const scan_;
  ByteBuffer memory_;
};

IndexScan::IndexScan(std::unique_ptr<ByteSource> source, const ReaderSpec& spec,
                     std::shared_ptr<RecordIndex> index,
                     std::shared_ptr<const CancelToken::Flag> closing)
    : spec_(spec),
      index_(std::move(index)),
      reader_(NewSlabReader(std::move(source), ScanSpec(spec, index_),
                            std::move(closing))),
      slab_(std::make_unique<Slab>(this)) {}

IndexScan::~IndexScan() = default;

void IndexScan::Advance(std::chrono::milliseconds time, Waiting* waiting) {
  if (state_.complete) return waiting->Advanced();
  until_ = Clock::now() + time;
  waiting_ = waiting;
  slab_->Clear();
  reader_->Fill(slab_.get());
}

/// Goes on with the next slab, unless the time is over.
void IndexScan::Filled(SlabFill* fill) {
  bool more = false;
  try {
    more = Note(fill);
  } catch (const std::bad_alloc&) {
    state_.halt = MemoryFault();
    state_.complete = true;
  }
  if (!more || Clock::now() >= until_) {
    return std::exchange(waiting_, nullptr)->Advanced();
  }
  slab_->Clear();
  reader_->Fill(slab_.get());
}

/// Returns false after the last slab.
bool IndexScan::Note(SlabFill* fill) {
  if (fill->outcome == FillOutcome::kCancelled) return false;
  state_.records = index_->records();
  state_.damaged += fill->faults.size();
  state_.compressed_bytes = fill->compressed_bytes;
  state_.total_bytes = fill->total_bytes;
  state_.compression = fill->compression;
  for (const Fault& fault : fill->faults) Report(fault);
  switch (fill->outcome) {
    case FillOutcome::kMore:
      return true;
    case FillOutcome::kHalt:
      if (fill->halt.code == FaultCode::kRecordTooLarge) {
        if (fill->halt.found > spec_.max_record_bytes) {
          fill->halt.expected = spec_.max_record_bytes;
          Report(fill->halt);
        }
        reader_->Skip();
        return true;
      }
      state_.halt = fill->halt;
      break;
    case FillOutcome::kEnd:
      break;
    default:
      state_.halt = MemoryFault();
      break;
  }
  state_.complete = true;
  return false;
}

void IndexScan::Report(const Fault& fault) {
  if (reported_ >= kMostFaults) return;
  if (!faults_.Push(fault)) throw std::bad_alloc();
  ++reported_;
}

TypedBuffer<Fault> IndexScan::TakeFaults() {
  return std::exchange(faults_, TypedBuffer<Fault>());
}

void IndexScan::Cancel() { reader_->Cancel(); }

void IndexScan::Close(SlabReader::Closing* closing) { reader_->Close(closing); }

}  // namespace tfr
