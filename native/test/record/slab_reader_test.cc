/// The slab reader: fills in request order, concurrent completion, the ends of
/// a reading, and closing, which waits for every thread.
#include "core/record/slab_reader.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/record/slab_reader_support.h"
#include "test/support/check.h"
#include "test/support/record_files.h"

namespace tfr::test {
namespace {

TEST(FillsInTheOrderOfTheRequests) {
  const auto records = NumberedRecords(2000, 30);
  const std::string plain = Framed(records);
  for (const std::string& file : {plain, Gzip(plain)}) {
    SourceLog log;
    const auto reader = NewReader(file, &log);
    const Requests requests = NewRequests(120, 1024);
    std::vector<int> order;
    for (size_t i = 0; i < requests.size(); ++i) {
      // Runs in the turn, so it needs no lock.
      requests[i]->then = [&order, i] { order.push_back(static_cast<int>(i)); };
    }
    FillAll(reader.get(), requests);
    WaitForAll(requests);
    CHECK(RecordsOf(requests) == records);
    CHECK(std::is_sorted(order.begin(), order.end()));
    CHECK_EQ(order.size(), requests.size());
    uint64_t next = 0;
    for (const auto& request : requests) {
      if (request->fill.frames.empty()) continue;
      CHECK_EQ(request->fill.first_record, next);
      next += request->fill.frames.size();
    }
    CloseAndWait(reader.get());
    CHECK(!log.met);
  }
}

TEST(RequestsAfterTheEndRepeatItAndLeaveTheirSlabs) {
  SourceLog log;
  const auto reader = NewReader(Framed(kFive), &log);
  const Requests requests = NewRequests(6, 8192);
  FillAll(reader.get(), requests);
  WaitForAll(requests);
  CHECK(requests[0]->Records() == kFive);
  CHECK_EQ(requests[0]->fill.outcome, FillOutcome::kEnd);
  for (size_t i = 1; i < requests.size(); ++i) {
    CHECK_EQ(requests[i]->fill.outcome, FillOutcome::kEnd);
    CHECK(requests[i]->fill.frames.empty());
    CHECK(requests[i]->Untouched());
  }
}

TEST(RequestsAfterAHaltRepeatItAndLeaveTheirSlabs) {
  SourceLog log;
  const auto reader =
      NewReader(Framed(kFive) + std::string(kHeaderSize, '\0'), &log);
  const Requests requests = NewRequests(4, 8192);
  FillAll(reader.get(), requests);
  WaitForAll(requests);
  CHECK(requests[0]->Records() == kFive);
  for (const auto& request : requests) {
    CHECK_EQ(request->fill.outcome, FillOutcome::kHalt);
    CHECK_EQ(request->fill.halt.code, FaultCode::kCorruptLength);
    CHECK_EQ(request->fill.halt.record, 5u);
  }
  CHECK(requests[1]->Untouched() && requests[3]->Untouched());
}

TEST(GrowsWithinTheTurn) {
  SourceLog log;
  const auto reader = NewReader(Framed(kFive), &log);
  const Requests requests = NewRequests(3, 64);
  for (const auto& request : requests) request->most = 8192;
  FillAll(reader.get(), requests);
  WaitForAll(requests);
  CHECK(RecordsOf(requests) == kFive);
  CHECK(requests[0]->requested.empty());
  CHECK(requests[1]->requested == std::vector<uint64_t>{5016});
  CHECK(requests[2]->requested.empty());
}

TEST(WithoutGrowingTheFillEndsAndALargerOneFollows) {
  SourceLog log;
  const auto reader = NewReader(Framed(kFive), &log);
  Requests requests = NewRequests(3, 64);
  requests.push_back(std::make_unique<Request>(8192));
  FillAll(reader.get(), requests);
  WaitForAll(requests);
  for (const size_t i : {1, 2}) {
    CHECK_EQ(requests[i]->fill.outcome, FillOutcome::kGrow);
    CHECK_EQ(requests[i]->fill.grow_to, 5016u);
    CHECK(requests[i]->requested == std::vector<uint64_t>{5016});
    CHECK(requests[i]->fill.frames.empty());
  }
  CHECK(RecordsOf(requests) == kFive);
}

TEST(WithoutASlabRequestsOne) {
  SourceLog log;
  const auto reader = NewReader(Framed(kFive), &log);
  Request given(0);
  Request refused(0);
  given.most = 64;
  reader->Fill(&given);
  reader->Fill(&refused);
  given.completed.Wait();
  refused.completed.Wait();
  CHECK(given.requested == std::vector<uint64_t>{64});
  CHECK_EQ(given.Records().size(), 3u);
  CHECK_EQ(refused.fill.outcome, FillOutcome::kGrow);
  CHECK_EQ(refused.fill.grow_to, 64u);
}

/// A slow completion does not delay the next fill.
TEST(TheTurnSubmitsTheNextFillWhichRunsBesideTheCompletion) {
  const auto records = NumberedRecords(100, 50);
  const std::string plain = Framed(records);
  for (const std::string& file : {plain, Gzip(plain)}) {
    SourceLog log;
    const auto reader = NewReader(file, &log);
    Request first(2000);
    Request second(8192);
    first.then = [&] { reader->Fill(&second); };
    first.last = [&] { second.filled.Wait(); };
    reader->Fill(&first);
    first.completed.Wait();
    second.completed.Wait();
    std::vector<std::string> read = first.Records();
    for (std::string& record : second.Records()) {
      read.push_back(std::move(record));
    }
    CHECK(read == records);
    CHECK(!log.met);
  }
}

TEST(ACompletedRequestMaySubmitTheNext) {
  const auto records = NumberedRecords(500, 50);
  SourceLog log;
  const auto reader = NewReader(Framed(records), &log);
  const Requests requests = NewRequests(50, 1024);
  for (size_t i = 0; i + 1 < requests.size(); ++i) {
    requests[i]->last = [&, i] { reader->Fill(requests[i + 1].get()); };
  }
  reader->Fill(requests[0].get());
  WaitForAll(requests);
  CHECK(RecordsOf(requests) == records);
}

TEST(CancelledRequestsEndWithoutRecords) {
  SourceLog log;
  Gate gate;
  log.read = &gate;
  const auto reader = NewReader(Framed(kFive), &log);
  const Requests requests = NewRequests(4, 8192);
  FillAll(reader.get(), requests);
  gate.reached.Wait();
  reader->Cancel();
  gate.open.Set();
  WaitForAll(requests);
  for (const auto& request : requests) {
    CHECK_EQ(request->fill.outcome, FillOutcome::kCancelled);
    CHECK(request->fill.frames.empty());
  }
  CHECK(requests[1]->Untouched());
  CHECK(!log.closed);
}

TEST(TheEndOfTheEnvironmentCancels) {
  SourceLog log;
  const auto closing = std::make_shared<CancelToken::Flag>(true);
  const auto reader = std::make_shared<SlabReader>(
      std::make_unique<GatedSource>(Framed(kFive), &log), NewTfrecordFramer({}),
      ReadOptions(), closing);
  Request request(0);
  reader->Fill(&request);
  request.completed.Wait();
  CHECK_EQ(request.fill.outcome, FillOutcome::kCancelled);
  CHECK(request.requested.empty());
}

TEST(ClosesAtOnceWhenIdle) {
  for (const bool used : {false, true}) {
    SourceLog log;
    const auto reader = NewReader(Framed(kFive), &log);
    if (used) {
      Request request(8192);
      reader->Fill(&request);
      request.completed.Wait();
    }
    for (int again = 0; again < 2; ++again) {
      Closing closing;
      reader->Close(&closing);
      REQUIRE(closing.closed.IsSet());
      CHECK(log.closed);
    }
  }
}

TEST(CloseWaitsForAllRequests) {
  SourceLog log;
  Gate gate;
  log.read = &gate;
  const auto reader = NewReader(Framed(kFive), &log);
  const Requests requests = NewRequests(3, 8192);
  FillAll(reader.get(), requests);
  gate.reached.Wait();
  Closing closings[2];
  for (Closing& closing : closings) {
    closing.first = [&] {
      for (const auto& request : requests) CHECK(request->completed.IsSet());
      CHECK(log.closed);
    };
    reader->Close(&closing);
  }
  CHECK(!closings[0].closed.IsSet());
  CHECK(!log.closed);
  gate.open.Set();
  for (Closing& closing : closings) closing.closed.Wait();
  CHECK(RecordsOf(requests) == kFive);
  CHECK(!log.met);
}

/// Two fills: the second frames by headers alone, so its completion reads.
struct LargeRecords {
  explicit LargeRecords(SourceLog* log)
      : reader(NewReader(Framed(records), log)), first(70000), second(70000) {
    reader->Fill(&first);
    first.completed.Wait();
  }
  const std::vector<std::string> records = NumberedRecords(8, 20000);
  const std::shared_ptr<SlabReader> reader;
  Request first;
  Request second;
};

TEST(CloseWaitsForACompletionThatReads) {
  SourceLog log;
  LargeRecords large(&log);
  Gate gate;
  log.read_at = &gate;
  large.reader->Fill(&large.second);
  gate.reached.Wait();
  Closing closing;
  large.reader->Close(&closing);
  CHECK(!closing.closed.IsSet());
  CHECK(!log.closed);
  gate.open.Set();
  closing.closed.Wait();
  CHECK_EQ(large.second.Records().size(), 3u);
  CHECK(large.second.Records()[0] == large.records[3]);
  CHECK(log.closed);
  CHECK(!log.met);
}

TEST(FillNowRefusesWhileRequestsArePending) {
  SourceLog log;
  LargeRecords large(&log);
  Gate gate;
  log.read_at = &gate;
  std::vector<uint8_t> slab(70000);
  SlabFill refused;
  large.reader->Fill(&large.second);
  gate.reached.Wait();
  CHECK(!large.reader->FillNow(slab.data(), slab.size(), &refused));
  CHECK(refused.frames.empty());
  gate.open.Set();
  large.second.completed.Wait();
  SlabFill fill;
  REQUIRE(large.reader->FillNow(slab.data(), slab.size(), &fill));
  CHECK_EQ(fill.first_record, 6u);
  CHECK_EQ(fill.frames.size(), 2u);
  large.reader->Cancel();
  SlabFill cancelled;
  REQUIRE(large.reader->FillNow(slab.data(), slab.size(), &cancelled));
  CHECK_EQ(cancelled.outcome, FillOutcome::kCancelled);
}

TEST(SkipsARecordThatIsTooLarge) {
  SourceLog log;
  ReadOptions options;
  options.max_record_bytes = 100;
  const auto reader = NewReader(Framed(kFive), &log, options);
  const Requests requests = NewRequests(2, 8192);
  FillAll(reader.get(), requests);
  WaitForAll(requests);
  for (const auto& request : requests) {
    CHECK_EQ(request->fill.halt.code, FaultCode::kRecordTooLarge);
  }
  reader->Skip();
  Request rest(8192);
  reader->Fill(&rest);
  rest.completed.Wait();
  CHECK(rest.Records() == std::vector<std::string>{"four"});
  CHECK_EQ(rest.fill.first_record, 4u);
}

TEST(AReaderWithoutAnOwnerFinishesItsRequests) {
  const auto records = NumberedRecords(500, 50);
  SourceLog log;
  Gate gate;
  log.read = &gate;
  auto reader = NewReader(Framed(records), &log);
  const Requests requests = NewRequests(50, 1024);
  FillAll(reader.get(), requests);
  gate.reached.Wait();
  reader.reset();
  gate.open.Set();
  WaitForAll(requests);
  CHECK(RecordsOf(requests) == records);
}

/// For the sanitizers: many concurrent readers, each stopped at another point.
TEST(ManyReadersStopAnywhere) {
  const std::string plain = Framed(NumberedRecords(3000, 40));
  const std::string gzip = Gzip(plain);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<SourceLog>> logs;
    std::vector<std::shared_ptr<SlabReader>> readers;
    std::vector<Requests> requests;
    std::vector<std::unique_ptr<Closing>> closings;
    for (int i = 0; i < 8; ++i) {
      logs.push_back(std::make_unique<SourceLog>());
      readers.push_back(NewReader(i % 2 == 0 ? plain : gzip, logs[i].get()));
      requests.push_back(NewRequests(40, 2048));
      closings.push_back(std::make_unique<Closing>());
      const auto stop = static_cast<size_t>((round * 7 + i * 11) % 40);
      SlabReader* const reader = readers[i].get();
      requests[i][stop]->then = [reader] { reader->Cancel(); };
      FillAll(reader, requests[i]);
    }
    for (int i = 0; i < 8; ++i) {
      readers[i]->Close(closings[i].get());
      readers[i].reset();
    }
    for (int i = 0; i < 8; ++i) {
      closings[i]->closed.Wait();
      WaitForAll(requests[i]);
      CHECK(!logs[i]->met);
      CHECK(logs[i]->closed);
    }
  }
}

}  // namespace
}  // namespace tfr::test
