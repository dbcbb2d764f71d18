#ifndef TFR_TEST_RECORD_SLAB_READER_SUPPORT_H_
#define TFR_TEST_RECORD_SLAB_READER_SUPPORT_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/crc32c/record_format.h"
#include "core/record/framing/tfrecord_framer.h"
#include "core/record/slab_reader.h"
#include "test/support/flag.h"
#include "test/support/positioned_source.h"

namespace tfr::test {

/// A thread waits here until the test opens the gate.
struct Gate {
  void Pass() {
    reached.Set();
    open.Wait();
  }
  Flag reached;
  Flag open;
};

/// The source's state as seen by a test; outlives the reader.
struct SourceLog {
  Gate* read = nullptr;
  /// Applies to reads longer than a header.
  Gate* read_at = nullptr;
  std::atomic<int> reading{0};
  std::atomic<int> reading_at{0};
  std::atomic<bool> met{false};
  std::atomic<bool> closed{false};
};

/// A file whose reads wait at gates. Detects concurrent calls, and calls in
/// progress when it is closed.
class GatedSource final : public ByteSource {
 public:
  GatedSource(std::string bytes, SourceLog* log)
      : source_(std::move(bytes)), log_(log) {}

  ReadState Read(uint8_t* dst, size_t size, size_t* got,
                 Fault* fault) override {
    log_->met = log_->met || log_->reading++ != 0 || log_->closed;
    if (log_->read != nullptr) log_->read->Pass();
    const ReadState state = source_.Read(dst, size, got, fault);
    --log_->reading;
    return state;
  }
  bool StepBack(uint64_t count) override { return source_.StepBack(count); }
  uint64_t StepOver(uint64_t count) override { return source_.StepOver(count); }
  uint64_t Remaining() override { return source_.Remaining(); }
  uint64_t TotalBytes() const override { return source_.TotalBytes(); }
  uint64_t Position() const override { return source_.Position(); }
  ReadState ReadAt(uint64_t position, uint8_t* dst, size_t size, size_t* got,
                   Fault* fault) const override {
    ++log_->reading_at;
    if (log_->read_at != nullptr && size > kHeaderSize) log_->read_at->Pass();
    const ReadState state = source_.ReadAt(position, dst, size, got, fault);
    --log_->reading_at;
    return state;
  }
  bool MayRunDry() const override { return source_.MayRunDry(); }
  void Close() override {
    log_->met = log_->met || log_->reading != 0 || log_->reading_at != 0;
    log_->closed = true;
  }

 private:
  PositionedSource source_;
  SourceLog* const log_;
};

inline std::shared_ptr<SlabReader> NewReader(const std::string& file,
                                             SourceLog* log,
                                             const ReadOptions& options = {}) {
  return std::make_shared<SlabReader>(std::make_unique<GatedSource>(file, log),
                                      NewTfrecordFramer(options), options,
                                      nullptr);
}

class Request final : public SlabReader::Request {
 public:
  explicit Request(size_t size) : memory_(size, kUntouched) { Use(); }

  bool Grow(uint64_t bytes) override {
    requested.push_back(bytes);
    if (bytes > most) return false;
    memory_.assign(static_cast<size_t>(bytes), kUntouched);
    Use();
    return true;
  }
  void Filled() override {
    if (then) then();
    filled.Set();
  }
  void Completed() override {
    if (last) last();
    completed.Set();
  }

  /// The records of a completed fill.
  std::vector<std::string> Records() const {
    std::vector<std::string> records;
    for (const Frame& frame : fill.frames) {
      records.emplace_back(reinterpret_cast<const char*>(slab) + frame.offset,
                           frame.length);
    }
    return records;
  }
  bool Untouched() const {
    return std::all_of(memory_.begin(), memory_.end(),
                       [](uint8_t byte) { return byte == kUntouched; });
  }

  /// Limit that `Grow` grants, and the sizes it was called with.
  uint64_t most = 0;
  std::vector<uint64_t> requested;
  /// Called by `Filled` and by `Completed`.
  std::function<void()> then;
  std::function<void()> last;
  Flag filled;
  Flag completed;

 private:
  static constexpr uint8_t kUntouched = 0xa5;
  void Use() {
    slab = memory_.data();
    size = memory_.size();
  }
  std::vector<uint8_t> memory_;
};

struct Closing final : SlabReader::Closing {
  void Closed() override {
    if (first) first();
    closed.Set();
  }
  std::function<void()> first;
  Flag closed;
};

inline void CloseAndWait(SlabReader* reader) {
  Closing closing;
  reader->Close(&closing);
  closing.closed.Wait();
}

using Requests = std::vector<std::unique_ptr<Request>>;

inline Requests NewRequests(size_t count, size_t size) {
  Requests requests;
  for (size_t i = 0; i < count; ++i) {
    requests.push_back(std::make_unique<Request>(size));
  }
  return requests;
}

inline void FillAll(SlabReader* reader, const Requests& requests) {
  for (const auto& request : requests) reader->Fill(request.get());
}

inline void WaitForAll(const Requests& requests) {
  for (const auto& request : requests) request->completed.Wait();
}

inline std::vector<std::string> RecordsOf(const Requests& requests) {
  std::vector<std::string> records;
  for (const auto& request : requests) {
    for (std::string& record : request->Records()) {
      records.push_back(std::move(record));
    }
  }
  return records;
}

inline std::vector<std::string> NumberedRecords(size_t count, size_t size) {
  std::vector<std::string> records;
  for (size_t i = 0; i < count; ++i) {
    std::string record = std::to_string(i);
    record.resize(std::max(size, record.size()), '.');
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace tfr::test

#endif  // TFR_TEST_RECORD_SLAB_READER_SUPPORT_H_
