/// Makes each allocation fail once, and then all allocations from each one on:
/// every operation ends with its result or with an out-of-memory fault. It
/// never aborts, hangs or leaks.
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <dlfcn.h>
#endif

#include "core/base/thread_pool.h"
#include "core/example/flow/piece_reader.h"
#include "core/io/file_sink.h"
#include "core/io/memory_sink.h"
#include "core/record/slab_reader.h"
#include "test/example/example_bytes.h"
#include "test/support/check.h"
#include "test/support/flag.h"
#include "test/support/folder.h"
#include "test/support/positioned_source.h"
#include "test/write/slab_writer_support.h"

namespace {

constexpr long kNone = LONG_MAX;
/// Number of allocations before the failing one.
std::atomic<long> allocations_left{kNone};
std::atomic<bool> all_behind_fail{false};

void* Allocate(size_t size) {
  const long left = allocations_left.load(std::memory_order_relaxed) == kNone
                        ? kNone
                        : allocations_left.fetch_sub(1);
  if (left == 0 || (left < 0 && all_behind_fail.load())) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(size_t size) {
  void* const memory = Allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return Allocate(size);
}
// Without noinline, GCC reports `free` as a mismatch for `new`.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept {
  operator delete(memory);
}

#if defined(__linux__)
namespace {
std::atomic<bool> threads_refused{false};
}

/// Refuses threads, as at a process limit.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* options,
                              void* (*work)(void*), void* argument) {
  using Create =
      int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create =
      reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return threads_refused ? EAGAIN : create(thread, options, work, argument);
}
#endif

namespace tfr::test {
namespace {

enum class Result { kDone, kNoMemory, kOther };

/// Runs `operation` with each of its allocations failing.
template <typename Operation>
void FailEach(Operation operation) {
  for (const bool all : {false, true}) {
    all_behind_fail = all;
    int short_of_memory = 0;
    for (long before = 0;; ++before) {
      allocations_left = before;
      const Result result = operation();
      const bool failed = allocations_left.exchange(kNone) < 0;
      CHECK(result == Result::kDone || result == Result::kNoMemory);
      if (result == Result::kNoMemory) ++short_of_memory;
      if (failed) continue;
      CHECK_EQ(result, Result::kDone);
      break;
    }
    CHECK(short_of_memory > 0);
  }
}

struct SetFlag final : ThreadPool::Task {
  void Run() noexcept override { flag.Set(); }
  Flag flag;
};

#if defined(__linux__)
/// Must be the first test, while the pool has no thread.
TEST(RefusedThreadIsReportedAndRetried) {
  threads_refused = true;
  CHECK(!ThreadPool::Shared().Ready());
  threads_refused = false;
  CHECK(ThreadPool::Shared().Ready());
  // With one thread running, more may be refused.
  threads_refused = true;
  std::array<SetFlag, 100> tasks;
  for (SetFlag& task : tasks) ThreadPool::Shared().Submit(&task);
  for (SetFlag& task : tasks) task.flag.Wait();
  threads_refused = false;
}
#endif

TEST(SubmitAllocatesNothing) {
  REQUIRE(ThreadPool::Shared().Ready());
  std::array<SetFlag, 1000> tasks;
  all_behind_fail = true;
  allocations_left = 0;
  for (SetFlag& task : tasks) ThreadPool::Shared().Submit(&task);
  for (SetFlag& task : tasks) task.flag.Wait();
  allocations_left = kNone;
  CHECK(true);
}

Result ReadAll(const std::string& file, size_t records) {
  static std::array<uint8_t, 8192> slab;
  ReadOptions options;
  options.ahead.least_content = 1;
  size_t read = 0;
  try {
    SlabStream stream(std::make_unique<PositionedSource>(file),
                      NewTfrecordFramer(options), options);
    const CancelToken cancel;
    for (;;) {
      SlabFill fill;
      stream.FillSlab(slab.data(), slab.size(), cancel, &fill);
      stream.Complete(slab.data(), cancel, &fill);
      read += fill.frames.size();
      if (fill.outcome == FillOutcome::kMore) continue;
      if (fill.outcome == FillOutcome::kEnd && read == records) {
        return Result::kDone;
      }
      return fill.halt.code == FaultCode::kOutOfMemory ? Result::kNoMemory
                                                       : Result::kOther;
    }
  } catch (const std::bad_alloc&) {
    // As at the addon's entry points.
    return Result::kNoMemory;
  }
}

std::string Zlib(const std::string& plain) {
  SinkLog log;
  Outcomes outcomes;
  auto writer = NewWriter(Compression::kZlib,
                          std::make_unique<ScriptedSink>(&log, SIZE_MAX));
  Slabs slabs;
  slabs.Add({plain});
  writer->Start(outcomes.Expect());
  writer->Push(slabs.slabs()[0], outcomes.Expect());
  writer->Close(outcomes.Expect());
  outcomes.Wait();
  return log.bytes;
}

TEST(Reading) {
  const std::string plain = Framed(kFive);
  std::string members;
  for (int i = 0; i < 12; ++i) members += OurMember(plain, 5, members.size());
  const std::string zlib = Zlib("a record");
  FailEach([&] { return ReadAll(plain, 5); });
  const std::string gzip = Gzip(plain);
  FailEach([&] { return ReadAll(gzip, 5); });
  FailEach([&] { return ReadAll(zlib, 1); });
  FailEach([&] { return ReadAll(members, 60); });
}

struct CloseFlag final : SlabReader::Closing {
  void Closed() override { done.Set(); }
  Flag done;
};

struct GrownSlab final : SlabReader::Request {
  bool Grow(uint64_t bytes) override {
    if (!memory.Reserve(static_cast<size_t>(bytes))) return false;
    slab = memory.data();
    size = memory.capacity();
    return true;
  }
  void Completed() override { done.Set(); }
  ByteBuffer memory;
  Flag done;
};

Result FillAll(const std::string& file, size_t records) {
  // Allocated before anything can fail, because it must be waited for.
  std::array<GrownSlab, 8> slabs;
  CloseFlag closed;
  std::shared_ptr<SlabReader> reader;
  try {
    reader = std::make_shared<SlabReader>(
        std::make_unique<PositionedSource>(file), NewTfrecordFramer({}),
        ReadOptions(), nullptr);
  } catch (const std::bad_alloc&) {
    return Result::kNoMemory;
  }
  for (GrownSlab& slab : slabs) reader->Fill(&slab);
  size_t read = 0;
  bool short_of_memory = false;
  for (GrownSlab& slab : slabs) {
    slab.done.Wait();
    read += slab.fill.frames.size();
    short_of_memory |= slab.fill.outcome == FillOutcome::kGrow ||
                       slab.fill.halt.code == FaultCode::kOutOfMemory;
  }
  reader->Close(&closed);
  closed.done.Wait();
  if (short_of_memory) return Result::kNoMemory;
  return read == records && slabs.back().fill.outcome == FillOutcome::kEnd
             ? Result::kDone
             : Result::kOther;
}

TEST(Filling) {
  const std::string plain = Framed(kFive);
  FailEach([&] { return FillAll(plain, 5); });
  const std::string gzip = Gzip(plain);
  FailEach([&] { return FillAll(gzip, 5); });
}

class PieceRequest final : public PieceReader::Request {
 public:
  using Request::Request;
  void Done() override { done.Set(); }
  Flag done;
};

/// Records that cover every path through the parser: split values, absent ones,
/// a wrong kind.
std::string Examples(size_t* rows) {
  const std::string whole =
      ExampleOf({Entry("age", IntFeature({1, 2})),
                 Entry("name", BytesFeature({std::string(5000, 'n')}))});
  const std::string split =
      ExampleOf({Field(1, Field(1, "age") + Field(2, IntFeature({1})) +
                              Field(2, IntFeature({2})))});
  const std::string wrong = ExampleOf({Entry("age", FloatFeature({1}))});
  std::vector<std::string> records;
  for (int i = 0; i < 100; ++i) {
    records.insert(records.end(), {whole, split, wrong});
  }
  *rows = 200;
  return Framed(records);
}

Result ParseAll(const std::string& file, size_t rows,
                const std::shared_ptr<const Plan>& plan) {
  // Allocated before anything can fail, because it must be waited for.
  PieceRequest pieces[] = {PieceRequest(7), PieceRequest(100),
                           PieceRequest(150), PieceRequest(100)};
  CloseFlag closed;
  std::shared_ptr<PieceReader> reader;
  ReaderSpec spec;
  spec.continues = true;
  try {
    reader = std::make_shared<PieceReader>(
        std::make_unique<PositionedSource>(file), spec, plan, nullptr);
  } catch (const std::bad_alloc&) {
    return Result::kNoMemory;
  }
  for (PieceRequest& request : pieces) reader->Submit(&request);
  size_t parsed = 0;
  bool short_of_memory = false;
  for (PieceRequest& request : pieces) {
    request.done.Wait();
    const Piece& piece = request.piece;
    if (piece.parser != nullptr) parsed += piece.parser->rows();
    short_of_memory |= piece.halt.code == FaultCode::kOutOfMemory;
    for (const RowFault& fault : piece.faults) {
      short_of_memory |= fault.parse.code == ParseFaultCode::kOutOfMemory;
    }
    reader->Recycle(&request.piece);
  }
  reader->Close(&closed);
  closed.done.Wait();
  if (short_of_memory) return Result::kNoMemory;
  return parsed == rows && pieces[3].piece.outcome == FillOutcome::kEnd
             ? Result::kDone
             : Result::kOther;
}

TEST(Parsing) {
  ColumnPlan age;
  age.key = "age";
  ColumnPlan name;
  name.key = "name";
  name.kind = Kind::kBytes;
  const auto plan = std::make_shared<const Plan>(
      std::vector<ColumnPlan>{age, name}, false, false);
  size_t rows = 0;
  const std::string plain = Examples(&rows);
  FailEach([&] { return ParseAll(plain, rows, plan); });
  const std::string gzip = Gzip(plain);
  FailEach([&] { return ParseAll(gzip, rows, plan); });
}

class WriteCall final : public SlabWriter::Call {
 public:
  void Done(const WriteOutcome& outcome) noexcept override {
    fault = outcome.fault;
    done.Set();
  }
  Fault fault;
  Flag done;
};

bool IsLackOfMemory(const Fault& fault) {
  return fault.code == FaultCode::kOutOfMemory ||
         (fault.code == FaultCode::kSystem && fault.system_error == ENOMEM);
}

/// Writes `slabs` to `path`, or to memory if it is empty.
Result WriteAll(Compression compression, const Slabs& slabs,
                const std::string& path) {
  std::array<WriteCall, 40> writes;
  size_t calls = 0;
  std::shared_ptr<SlabWriter> writer;
  try {
    auto encoder = NewSlabEncoder(compression, 6);
    if (!encoder) return Result::kNoMemory;
    std::unique_ptr<ByteSink> sink =
        path.empty() ? std::make_unique<MemorySink>() : NewFileSink(path, true);
    writer = std::make_shared<SlabWriter>(std::move(encoder), std::move(sink),
                                          2, nullptr);
  } catch (const std::bad_alloc&) {
    return Result::kNoMemory;
  }
  writer->Start(&writes[calls++]);
  for (const Slab& slab : slabs.slabs()) writer->Push(slab, &writes[calls++]);
  writer->Flush(true, &writes[calls++]);
  writer->Close(&writes[calls++]);
  Fault first;
  bool sticks = true;
  for (size_t i = 0; i < calls; ++i) {
    writes[i].done.Wait();
    if (!first) first = writes[i].fault;
    sticks = sticks && writes[i].fault.code == first.code;
  }
  if (!sticks) return Result::kOther;
  if (!first) return Result::kDone;
  return IsLackOfMemory(first) ? Result::kNoMemory : Result::kOther;
}

TEST(Writing) {
  const Folder folder;
  const std::string path = folder.Path("file");
  const Slabs slabs = ManySlabs(12);
  for (const Compression compression : kCompressions) {
    FailEach([&] { return WriteAll(compression, slabs, ""); });
    FailEach([&] {
      const Result result = WriteAll(compression, slabs, path);
      // From here on, nothing may fail.
      const long left = allocations_left.exchange(kNone);
      const bool done = result == Result::kDone;
      CHECK_EQ(folder.Names().size(), done ? 1u : 0u);
      if (done) {
        CHECK(Inflated(compression, folder.Text("file")) == slabs.plain());
        unlink(path.c_str());
      }
      allocations_left = left;
      return result;
    });
  }
}

}  // namespace
}  // namespace tfr::test
