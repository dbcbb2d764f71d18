#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/compression/gzip_member.h"
#include "core/crc32c/crc32c.h"
#include "core/io/memory_sink.h"
#include "test/write/slab_writer_support.h"

namespace tfr::test {
namespace {

uint32_t SumOf(const std::string& bytes) {
  return crc32c::Extend(0, reinterpret_cast<const uint8_t*>(bytes.data()),
                        bytes.size());
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
        if (threads == 2) writer->SumOutput();
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
      CHECK_EQ(results.back().crc32c.has_value(), threads == 2);
      if (threads == 2) {
        CHECK_EQ(*results.back().crc32c, SumOf(log.bytes));
        CHECK(!results.front().crc32c);
      }
      CHECK_EQ(log.calls, std::string("open sync commit "));
      CHECK(Inflated(compression, log.bytes) == slabs.plain());
    }
  }
}

TEST(SlabsAreEncodedOnOneThreadAsTheWriterWritesThem) {
  for (const Compression compression : kCompressions) {
    for (const int count : {0, 1, 20}) {
      Slabs slabs = ManySlabs(count);
      SinkLog log;
      Outcomes outcomes;
      {
        const auto writer = NewWriter(
            compression, std::make_unique<ScriptedSink>(&log, SIZE_MAX));
        writer->Start(outcomes.Expect());
        for (const Slab& slab : slabs.slabs()) {
          writer->Push(slab, outcomes.Expect());
        }
        writer->Close(outcomes.Expect());
      }
      for (const WriteOutcome& result : outcomes.Wait()) CHECK(!result.fault);
      const auto encoder = NewSlabEncoder(compression, 6);
      MemorySink sink;
      CHECK(!EncodeSlabs(encoder.get(), slabs.slabs(), &sink));
      const auto bytes = sink.Take();
      const std::string text =
          bytes ? std::string(reinterpret_cast<const char*>(bytes->data()),
                              bytes->size())
                : std::string();
      CHECK(text == log.bytes);
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

/// No member ends where TensorFlow would lose data, and the headers are right.
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

/// The environment's flag is raised while work is pending: all calls complete,
/// whatever they were doing.
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

TEST(MemorySinkDeliversTheOutputInPieces) {
  Slabs slabs = ManySlabs(20);
  auto sink = std::make_unique<MemorySink>();
  MemorySink* const memory = sink.get();
  std::string bytes;
  Outcomes outcomes;
  const auto writer = NewWriter(Compression::kNone, std::move(sink));
  const auto take = [&](const WriteOutcome& outcome) {
    if (const auto taken = memory->Take()) {
      bytes.append(reinterpret_cast<const char*>(taken->data()), taken->size());
    }
    CHECK_EQ(bytes.size(), outcome.file_bytes);
  };
  writer->Start(outcomes.Expect(take));
  for (const Slab& slab : slabs.slabs()) {
    writer->Push(slab, outcomes.Expect(take));
  }
  writer->Close(outcomes.Expect(take));
  outcomes.Wait();
  CHECK(bytes == slabs.plain());
}

/// Small steps, so that giving up a long record does not wait for all of it.
TEST(MemorySinkWritesInStepsAndDropsWhenAbandoned) {
  const std::string text = Text(3 << 20, 5);
  const auto* data = reinterpret_cast<const uint8_t*>(text.data());
  MemorySink sink;
  CHECK(!sink.Take());
  size_t taken = 0;
  while (taken < text.size()) {
    const SinkStep step = sink.Write(data + taken, text.size() - taken);
    REQUIRE(step.taken > 0);
    CHECK(step.taken <= kPollBytes);
    taken += step.taken;
  }
  const auto bytes = sink.Take();
  REQUIRE(bytes != nullptr);
  CHECK(std::string(reinterpret_cast<const char*>(bytes->data()),
                    bytes->size()) == text);
  CHECK(!sink.Take());
  sink.Write(data, 5);
  sink.Abandon();
  CHECK(!sink.Take());
}

}  // namespace
}  // namespace tfr::test
