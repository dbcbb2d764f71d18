#ifndef TFR_TEST_WRITE_SLAB_WRITER_SUPPORT_H_
#define TFR_TEST_WRITE_SLAB_WRITER_SUPPORT_H_

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/condition.h"
#include "core/base/endian.h"
#include "core/compression/container_inflater.h"
#include "core/crc32c/record_format.h"
#include "core/deflate/registry.h"
#include "core/write/slab_writer.h"
#include "test/support/check.h"

namespace tfr::test {

inline constexpr Compression kCompressions[] = {
    Compression::kNone, Compression::kGzip, Compression::kZlib};

/// The sink's actions as seen by a test; outlives the writer.
struct SinkLog {
  std::string bytes;
  std::string calls;
  bool committed = false;
};

/// Accepts odd amounts, waits occasionally, and fails at a chosen byte.
class ScriptedSink final : public ByteSink {
 public:
  ScriptedSink(SinkLog* log, size_t fail_at) : log_(log), fail_at_(fail_at) {}
  ~ScriptedSink() override { ScriptedSink::Abandon(); }

  SinkStep Open() override {
    if (++opens_ < 3) return SinkStep::Wait();
    log_->calls += "open ";
    return SinkStep::Took(0);
  }
  SinkStep Write(const uint8_t* data, size_t size) override {
    if (ended_) log_->calls += "write-after-end ";
    if (++writes_ % 5 == 0) return SinkStep::Wait();
    const size_t step = std::min<size_t>(size, 1 + writes_ * 977 % 90001);
    if (log_->bytes.size() + step > fail_at_) {
      return SinkStep::Failed(SystemFault(ENOSPC, "write"));
    }
    log_->bytes.append(reinterpret_cast<const char*>(data), step);
    return SinkStep::Took(step);
  }
  Fault Sync() override {
    log_->calls += "sync ";
    return {};
  }
  Fault Commit() override {
    ended_ = true;
    log_->calls += "commit ";
    return {};
  }
  void Abandon() override {
    if (!std::exchange(ended_, true)) log_->calls += "abandon ";
  }

 private:
  SinkLog* const log_;
  const size_t fail_at_;
  int opens_ = 0;
  size_t writes_ = 0;
  bool ended_ = false;
};

/// Collects outcomes in the order of the callbacks, and waits for all of them.
class Outcomes {
 public:
  using First = std::function<void(const WriteOutcome&)>;
  /// `first` runs before the outcome is collected.
  SlabWriter::Call* Expect(First first = nullptr) {
    const auto number = static_cast<int>(calls_.size());
    calls_.push_back(std::make_unique<Call>(this, number, std::move(first)));
    return calls_.back().get();
  }
  /// Returns all outcomes; checks that they came in the order of the calls.
  std::vector<WriteOutcome> Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (outcomes_.size() < calls_.size()) changed_.Wait(lock);
    for (size_t i = 0; i < order_.size(); ++i) {
      CHECK_EQ(order_[i], static_cast<int>(i));
    }
    return outcomes_;
  }

 private:
  class Call final : public SlabWriter::Call {
   public:
    Call(Outcomes* all, int number, First first)
        : all_(all), number_(number), first_(std::move(first)) {}
    void Done(const WriteOutcome& outcome) noexcept override {
      if (first_) first_(outcome);
      std::lock_guard<std::mutex> lock(all_->mutex_);
      all_->order_.push_back(number_);
      all_->outcomes_.push_back(outcome);
      all_->changed_.NotifyAll();
    }

   private:
    Outcomes* const all_;
    const int number_;
    const First first_;
  };

  std::mutex mutex_;
  Condition changed_;
  std::vector<std::unique_ptr<Call>> calls_;
  std::vector<int> order_;
  std::vector<WriteOutcome> outcomes_;
};

/// Slabs of records as JavaScript would push them, and the uncompressed file
/// that they form.
class Slabs {
 public:
  void Add(const std::vector<std::string>& payloads) {
    auto slab = std::make_unique<std::vector<uint8_t>>();
    for (const std::string& payload : payloads) {
      const size_t start = slab->size();
      slab->resize(start + payload.size() + kFramingSize);
      StoreLE64(slab->data() + start, payload.size());
      std::memcpy(slab->data() + start + kHeaderSize, payload.data(),
                  payload.size());
      AppendFrame(payload);
    }
    slabs_.push_back(
        {slab->data(), slab->size(), static_cast<uint32_t>(payloads.size())});
    memory_.push_back(std::move(slab));
  }
  const std::vector<Slab>& slabs() const { return slabs_; }
  const std::string& plain() const { return plain_; }

 private:
  void AppendFrame(const std::string& payload) {
    uint8_t header[kHeaderSize];
    StoreLE64(header, payload.size());
    StoreLE32(header + 8, crc32c::Mask(crc32c::Value8(header)));
    uint8_t footer[kFooterSize];
    StoreLE32(footer, crc32c::Mask(crc32c::Extend(
                          0, reinterpret_cast<const uint8_t*>(payload.data()),
                          payload.size())));
    plain_.append(reinterpret_cast<char*>(header), sizeof(header));
    plain_ += payload;
    plain_.append(reinterpret_cast<char*>(footer), sizeof(footer));
  }

  std::vector<std::unique_ptr<std::vector<uint8_t>>> memory_;
  std::vector<Slab> slabs_;
  std::string plain_;
};

inline std::string Text(size_t size, uint32_t seed) {
  std::string text(size, 0);
  for (char& c : text) {
    seed = seed * 1664525 + 1013904223;
    c = static_cast<char>(seed >> 29 ? seed >> 24 : 'a');
  }
  return text;
}

inline Slabs ManySlabs(int count) {
  Slabs slabs;
  for (int i = 0; i < count; ++i) {
    std::vector<std::string> payloads;
    for (int j = 0; j < 1 + i % 7; ++j) {
      payloads.push_back(
          Text(static_cast<size_t>(i) * 997 * j % 70001, 31 * i + j));
    }
    slabs.Add(payloads);
  }
  return slabs;
}

inline std::shared_ptr<SlabWriter> NewWriter(Compression compression,
                                             std::unique_ptr<ByteSink> sink,
                                             int threads = 2, int level = 6) {
  return std::make_shared<SlabWriter>(NewSlabEncoder(compression, level),
                                      std::move(sink), threads, nullptr);
}

inline std::string Inflated(Compression compression, const std::string& file) {
  if (compression == Compression::kNone) return file;
  ContainerInflater inflater(compression, NewStreamInflater());
  std::string text;
  std::vector<uint8_t> out(1 << 20);
  size_t position = 0;
  for (;;) {
    Fault fault;
    const auto step = inflater.Inflate(
        reinterpret_cast<const uint8_t*>(file.data()) + position,
        file.size() - position, out.data(), out.size(), &fault);
    CHECK(!fault);
    position += step.consumed;
    text.append(reinterpret_cast<char*>(out.data()), step.produced);
    if (fault || (step.consumed == 0 && step.produced == 0)) break;
  }
  CHECK_EQ(position, file.size());
  CHECK(!inflater.Finish());
  return text;
}

}  // namespace tfr::test

#endif  // TFR_TEST_WRITE_SLAB_WRITER_SUPPORT_H_
