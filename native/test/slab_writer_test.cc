#include "core/record/slab_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "core/base/endian.h"
#include "core/codec/codec_registry.h"
#include "core/codec/container.h"
#include "core/codec/gzip_member.h"
#include "core/io/memory_sink.h"
#include "core/record/format.h"

namespace tfr {
namespace {

constexpr Compression kCompressions[] = {Compression::kNone, Compression::kGzip,
                                         Compression::kZlib};

/// What a test sees of the sink: outlives the writer.
struct SinkLog {
  std::string bytes;
  std::string calls;
  bool committed = false;
};

/// Takes odd amounts, waits now and then, fails at a chosen byte.
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

/// Collects outcomes, in the order of the callbacks, and waits for all.
class Outcomes {
 public:
  SlabWriter::Done Expect() {
    const int number = expected_++;
    return [this, number](const WriteOutcome& outcome) {
      std::lock_guard<std::mutex> lock(mutex_);
      order_.push_back(number);
      outcomes_.push_back(outcome);
      changed_.NotifyAll();
    };
  }
  /// All of them; checks that they came in the order of the calls.
  std::vector<WriteOutcome> Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (outcomes_.size() < static_cast<size_t>(expected_)) {
      changed_.Wait(lock);
    }
    for (int i = 0; i < expected_; ++i) CHECK_EQ(order_[i], i);
    return outcomes_;
  }

 private:
  std::mutex mutex_;
  Condition changed_;
  int expected_ = 0;
  std::vector<int> order_;
  std::vector<WriteOutcome> outcomes_;
};

/// Slabs of records, as JavaScript would push them, and the file that they are
/// when nothing compresses it.
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

std::string Text(size_t size, uint32_t seed) {
  std::string text(size, 0);
  for (char& c : text) {
    seed = seed * 1664525 + 1013904223;
    c = static_cast<char>(seed >> 29 ? seed >> 24 : 'a');
  }
  return text;
}

Slabs ManySlabs(int count) {
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

std::shared_ptr<SlabWriter> NewWriter(Compression compression,
                                      std::unique_ptr<ByteSink> sink,
                                      int threads = 2, int level = 6) {
  return std::make_shared<SlabWriter>(NewSlabEncoder(compression, level),
                                      std::move(sink), threads, nullptr);
}

std::string Inflated(Compression compression, const std::string& file) {
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

TEST(EveryCompressionGivesTheRecordsInOrder) {
  for (const Compression compression : kCompressions) {
    for (const int threads : {1, 2, 8}) {
      Slabs slabs = ManySlabs(60);
      SinkLog log;
      Outcomes outcomes;
      {
        const auto writer =
            NewWriter(compression,
                      std::make_unique<ScriptedSink>(&log, SIZE_MAX), threads);
        writer->Start(outcomes.Expect());
        for (const Slab& slab : slabs.slabs()) {
          writer->Push(slab, outcomes.Expect());
        }
        writer->Flush(true, outcomes.Expect());
        writer->Close(outcomes.Expect());
      }
      const auto results = outcomes.Wait();
      for (const WriteOutcome& result : results) CHECK(!result.fault);
      CHECK_EQ(results.back().file_bytes, log.bytes.size());
      CHECK_EQ(log.calls, std::string("open sync commit "));
      CHECK(Inflated(compression, log.bytes) == slabs.plain());
    }
  }
}

TEST(EmptyFiles) {
  for (const Compression compression : kCompressions) {
    SinkLog log;
    Outcomes outcomes;
    const auto writer =
        NewWriter(compression, std::make_unique<ScriptedSink>(&log, SIZE_MAX));
    writer->Start(outcomes.Expect());
    writer->Flush(false, outcomes.Expect());
    writer->Close(outcomes.Expect());
    CHECK(!outcomes.Wait().back().fault);
    CHECK_EQ(log.bytes.empty(), compression == Compression::kNone);
    CHECK_EQ(Inflated(compression, log.bytes), std::string());
  }
}

/// After a flush, all records so far can be read from the unfinished file.
TEST(FlushedRecordsCanBeRead) {
  for (const Compression compression : kCompressions) {
    Slabs slabs;
    slabs.Add({"foo", "defgh"});
    SinkLog log;
    Outcomes outcomes;
    const auto writer =
        NewWriter(compression, std::make_unique<ScriptedSink>(&log, SIZE_MAX));
    writer->Start(outcomes.Expect());
    writer->Push(slabs.slabs()[0], outcomes.Expect());
    writer->Flush(false, outcomes.Expect());
    writer->Flush(false, outcomes.Expect());
    const uint64_t flushed = outcomes.Wait().back().file_bytes;
    std::vector<uint8_t> out(1000);
    std::string text = log.bytes.substr(0, flushed);
    if (compression != Compression::kNone) {
      ContainerInflater inflater(compression, NewStreamInflater());
      Fault fault;
      const auto step =
          inflater.Inflate(reinterpret_cast<const uint8_t*>(text.data()),
                           text.size(), out.data(), out.size(), &fault);
      text.assign(reinterpret_cast<char*>(out.data()), step.produced);
    }
    CHECK(text == slabs.plain());
    writer->Close(outcomes.Expect());
    CHECK(!outcomes.Wait().back().fault);
  }
}

/// Where TensorFlow would lose data, and what the header claims.
TEST(GzipMembersAreNeverEmptyAndNeverEndInTheGap) {
  Slabs slabs = ManySlabs(200);
  SinkLog log;
  Outcomes outcomes;
  const auto writer = NewWriter(
      Compression::kGzip, std::make_unique<ScriptedSink>(&log, SIZE_MAX), 2, 0);
  writer->Start(outcomes.Expect());
  for (const Slab& slab : slabs.slabs()) {
    writer->Push(slab, outcomes.Expect());
    writer->Flush(false, outcomes.Expect());
  }
  writer->Close(outcomes.Expect());
  outcomes.Wait();
  size_t position = 0;
  for (const Slab& slab : slabs.slabs()) {
    GzipMemberInfo info;
    REQUIRE(ReadGzipMemberInfo(
        reinterpret_cast<const uint8_t*>(log.bytes.data()) + position,
        log.bytes.size() - position, &info));
    CHECK_EQ(info.records, slab.records);
    position += info.member_size;
    CHECK(position % 262144 < 1 || position % 262144 > 8);
  }
  CHECK_EQ(position, log.bytes.size());
}

TEST(FirstFaultSticksAndAbandonsTheSink) {
  for (const Compression compression : kCompressions) {
    Slabs slabs = ManySlabs(40);
    SinkLog log;
    Outcomes outcomes;
    const auto writer = NewWriter(
        compression, std::make_unique<ScriptedSink>(&log, 100'000), 2, 0);
    writer->Start(outcomes.Expect());
    for (const Slab& slab : slabs.slabs()) {
      writer->Push(slab, outcomes.Expect());
    }
    writer->Flush(true, outcomes.Expect());
    writer->Close(outcomes.Expect());
    const auto results = outcomes.Wait();
    bool failed = false;
    for (const WriteOutcome& result : results) {
      failed = failed || result.fault;
      CHECK_EQ(result.fault.system_error, failed ? ENOSPC : 0);
    }
    CHECK(results.back().fault);
    CHECK_EQ(log.calls, std::string("open abandon "));
  }
}

TEST(LengthsThatDoNotAddUpAreAFault) {
  for (const Compression compression : kCompressions) {
    Slabs slabs;
    slabs.Add({"foo"});
    SinkLog log;
    Outcomes outcomes;
    const auto writer =
        NewWriter(compression, std::make_unique<ScriptedSink>(&log, SIZE_MAX));
    writer->Start(outcomes.Expect());
    Slab cut = slabs.slabs()[0];
    --cut.size;
    writer->Push(cut, outcomes.Expect());
    writer->Close(outcomes.Expect());
    CHECK_EQ(outcomes.Wait().back().fault.system_error, EINVAL);
    CHECK_EQ(log.bytes.size(), 0u);
  }
}

TEST(AbortEndsPendingWorkAndHasNoFault) {
  for (const Compression compression : kCompressions) {
    Slabs slabs = ManySlabs(100);
    SinkLog log;
    Outcomes outcomes;
    const auto writer =
        NewWriter(compression, std::make_unique<ScriptedSink>(&log, SIZE_MAX));
    writer->Start(outcomes.Expect());
    for (const Slab& slab : slabs.slabs()) {
      writer->Push(slab, outcomes.Expect());
    }
    writer->Abort(outcomes.Expect());
    const auto results = outcomes.Wait();
    CHECK(!results.back().fault);
    bool failed = false;
    for (size_t i = 0; i + 1 < results.size(); ++i) {
      failed = failed || results[i].fault;
      CHECK_EQ(results[i].fault.system_error, failed ? ECANCELED : 0);
    }
    CHECK(log.calls.find("commit") == std::string::npos);
    CHECK(log.calls.find("abandon") != std::string::npos);
  }
}

/// The flag of the environment, raised while work is pending: all of it comes
/// back, whatever was begun.
TEST(ParentFlagEndsAllWork) {
  for (const Compression compression : kCompressions) {
    const auto flag = std::make_shared<CancelToken::Flag>(false);
    Slabs slabs = ManySlabs(100);
    SinkLog log;
    Outcomes outcomes;
    {
      const auto writer = std::make_shared<SlabWriter>(
          NewSlabEncoder(compression, 6),
          std::make_unique<ScriptedSink>(&log, SIZE_MAX), 2, flag);
      writer->Start(outcomes.Expect());
      for (const Slab& slab : slabs.slabs()) {
        writer->Push(slab, outcomes.Expect());
      }
      writer->Close(outcomes.Expect());
      flag->store(true);
    }
    const auto results = outcomes.Wait();
    CHECK_EQ(results.size(), 102u);
    if (results.back().fault) {
      CHECK_EQ(results.back().fault.system_error, ECANCELED);
    }
  }
}

TEST(MemorySinkGivesTheOutputPieceByPiece) {
  Slabs slabs = ManySlabs(20);
  auto sink = std::make_unique<MemorySink>();
  MemorySink* const memory = sink.get();
  std::string bytes;
  Outcomes outcomes;
  const auto writer = NewWriter(Compression::kNone, std::move(sink));
  const auto take = [&](SlabWriter::Done done) -> SlabWriter::Done {
    return [&, done = std::move(done)](const WriteOutcome& outcome) {
      for (const uint8_t byte : memory->Take()) {
        bytes += static_cast<char>(byte);
      }
      CHECK_EQ(bytes.size(), outcome.file_bytes);
      done(outcome);
    };
  };
  writer->Start(take(outcomes.Expect()));
  for (const Slab& slab : slabs.slabs()) {
    writer->Push(slab, take(outcomes.Expect()));
  }
  writer->Close(take(outcomes.Expect()));
  outcomes.Wait();
  CHECK(bytes == slabs.plain());
}

}  // namespace
}  // namespace tfr
