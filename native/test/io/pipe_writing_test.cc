// Writing to named pipes: without a reader, with a slow one, and with one that
// disappears.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/io/file_sink.h"
#include "core/io/write_poller.h"
#include "test/support/folder.h"
#include "test/write/slab_writer_support.h"

namespace tfr::test {
namespace {

/// A temporary named pipe; `Listen` opens it for reading.
class Pipe {
 public:
  Pipe() { REQUIRE_EQ(mkfifo(path().c_str(), 0600), 0); }
  ~Pipe() { Leave(); }

  std::string path() const { return folder_.Path("pipe"); }

  void Listen() {
    reader_ = open(path().c_str(), O_RDONLY | O_NONBLOCK);
    if (reader_ < 0) std::abort();
  }
  void Leave() {
    if (reader_ >= 0) close(std::exchange(reader_, -1));
  }
  /// Reads to the end, at most `most` bytes at a time.
  std::string ReadAll(size_t most) {
    fcntl(reader_, F_SETFL, 0);
    std::string text;
    std::string piece(most, 0);
    ssize_t got;
    while ((got = read(reader_, &piece[0], most)) > 0) {
      text.append(piece, 0, static_cast<size_t>(got));
    }
    return got == 0 ? text : "failed";
  }

 private:
  const Folder folder_;
  int reader_ = -1;
};

/// Stays in the wait state until the test calls `Release`.
class HeldSink final : public ByteSink {
 public:
  struct Log {
    std::mutex mutex;
    Condition changed;
    int writes = 0;
    std::function<void()> ready;
  };
  explicit HeldSink(Log* log) : log_(log) {}

  SinkStep Open() override { return SinkStep::Took(0); }
  SinkStep Write(const uint8_t*, size_t size) override {
    std::lock_guard<std::mutex> lock(log_->mutex);
    return ++log_->writes % 2 == 1 ? SinkStep::Wait() : SinkStep::Took(size);
  }
  void WhenReady(const CancelToken&,
                 const std::function<void()>& ready) override {
    std::lock_guard<std::mutex> lock(log_->mutex);
    log_->ready = ready;
    log_->changed.NotifyAll();
  }
  Fault Sync() override { return {}; }
  Fault Commit() override { return {}; }
  void Abandon() override {}

 private:
  Log* const log_;
};

std::shared_ptr<SlabWriter> PipeWriter(
    const Pipe& pipe,
    std::shared_ptr<const CancelToken::Flag> parent = nullptr) {
  return std::make_shared<SlabWriter>(NewSlabEncoder(Compression::kNone, 0),
                                      NewFileSink(pipe.path(), true), 2,
                                      std::move(parent));
}

void PushAll(SlabWriter* writer, const Slabs& slabs, Outcomes* outcomes) {
  for (const Slab& slab : slabs.slabs()) {
    writer->Push(slab, outcomes->Expect());
  }
}

/// Must be the first test, while the poller has no descriptors.
TEST(WithoutDescriptorsTheCallerWaits) {
  struct rlimit before;
  REQUIRE_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const struct rlimit none = {0, before.rlim_max};
  REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  std::atomic<int> calls{0};
  const CancelToken cancel;
  WritePoller::Shared().Wait(-1, cancel, [&] { ++calls; });
  CHECK_EQ(calls.load(), 1);
  REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

/// `poll` refuses more descriptors than the process may have.
TEST(MoreWaitersThanTheSystemPolls) {
  constexpr int kWaiters = 200;
  const CancelToken cancel;
  std::mutex mutex;
  Condition changed;
  int calls = 0;
  const auto wait = [&](int fd) {
    WritePoller::Shared().Wait(fd, cancel, [&] {
      std::lock_guard<std::mutex> lock(mutex);
      ++calls;
      changed.NotifyAll();
    });
  };
  const auto wait_for = [&](int expected) {
    std::unique_lock<std::mutex> lock(mutex);
    while (calls < expected) changed.Wait(lock);
    CHECK_EQ(calls, expected);
  };
  wait(-1);
  wait_for(1);
  struct rlimit before;
  REQUIRE_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const struct rlimit few = {50, before.rlim_max};
  REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  int ends[2];
  REQUIRE_EQ(pipe(ends), 0);
  for (int i = 0; i < kWaiters; ++i) wait(i % 2 == 0 ? -1 : ends[1]);
  wait_for(1 + kWaiters);
  close(ends[0]);
  close(ends[1]);
  REQUIRE_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(WaitingWriterIsNotWorkedOnUntilItsSinkIsReady) {
  HeldSink::Log log;
  Slabs slabs;
  slabs.Add({"foo"});
  Outcomes outcomes;
  const auto writer =
      NewWriter(Compression::kNone, std::make_unique<HeldSink>(&log));
  writer->Start(outcomes.Expect());
  PushAll(writer.get(), slabs, &outcomes);
  std::function<void()> ready;
  {
    std::unique_lock<std::mutex> lock(log.mutex);
    while (!log.ready) log.changed.Wait(lock);
    ready = std::exchange(log.ready, nullptr);
  }
  // Once these tasks ran, the pool has finished all work for the writer.
  struct Task final : ThreadPool::Task {
    void Run() noexcept override { --*left; }
    std::atomic<int>* left = nullptr;
  };
  std::vector<Task> tasks(static_cast<size_t>(ThreadPool::Shared().size()) *
                          100);
  std::atomic<int> left{static_cast<int>(tasks.size())};
  for (Task& task : tasks) {
    task.left = &left;
    ThreadPool::Shared().Submit(&task);
  }
  while (left.load() > 0) std::this_thread::yield();
  {
    std::lock_guard<std::mutex> lock(log.mutex);
    CHECK_EQ(log.writes, 1);
  }
  ready();
  ready = nullptr;
  writer->Close(outcomes.Expect());
  for (const WriteOutcome& outcome : outcomes.Wait()) CHECK(!outcome.fault);
  CHECK_EQ(log.writes, 2);
}

TEST(EveryReaderGetsEverythingAtAnyPace) {
  constexpr size_t kPaces[] = {777, 4096, 50'000, 1 << 20};
  struct Writing {
    Pipe pipe;
    Slabs slabs;
    Outcomes outcomes;
    std::shared_ptr<SlabWriter> writer;
    std::string read;
  };
  std::vector<std::unique_ptr<Writing>> all;
  std::vector<std::thread> readers;
  for (size_t i = 0; i < std::size(kPaces); ++i) {
    all.push_back(std::make_unique<Writing>());
    Writing& one = *all.back();
    one.slabs = ManySlabs(40);
    one.writer = PipeWriter(one.pipe);
    one.writer->Start(one.outcomes.Expect());
    PushAll(one.writer.get(), one.slabs, &one.outcomes);
    one.writer->Close(one.outcomes.Expect());
  }
  // By now they wait for a reader to open the pipes.
  for (size_t i = 0; i < std::size(kPaces); ++i) {
    readers.emplace_back([one = all[i].get(), pace = kPaces[i]] {
      const int fd = open(one->pipe.path().c_str(), O_RDONLY);
      one->pipe.Listen();
      close(fd);
      one->read = one->pipe.ReadAll(pace);
    });
  }
  for (std::thread& reader : readers) reader.join();
  for (const auto& one : all) {
    CHECK(one->read == one->slabs.plain());
    for (const WriteOutcome& outcome : one->outcomes.Wait()) {
      CHECK(!outcome.fault);
    }
  }
}

/// The default action of SIGPIPE would end the process.
TEST(AClosedReaderIsAnErrorNotASignal) {
  signal(SIGPIPE, SIG_DFL);
  Pipe pipe;
  pipe.Listen();
  const Slabs slabs = ManySlabs(40);
  Outcomes outcomes;
  const auto writer = PipeWriter(pipe);
  writer->Start(outcomes.Expect());
  CHECK(!outcomes.Wait().back().fault);
  PushAll(writer.get(), slabs, &outcomes);
  writer->Flush(false, outcomes.Expect());
  pipe.Leave();
  const Fault fault = outcomes.Wait().back().fault;
  CHECK_EQ(fault.system_error, EPIPE);
  CHECK_EQ(std::string(fault.part), std::string("write"));
  writer->Abort(outcomes.Expect());
  CHECK(!outcomes.Wait().back().fault);
}

TEST(StuckWritersEndWhenCancelled) {
  for (const bool listened : {true, false}) {
    for (const bool by_parent : {false, true}) {
      const auto flag = std::make_shared<CancelToken::Flag>(false);
      Pipe pipe;
      if (listened) pipe.Listen();
      const Slabs slabs = ManySlabs(40);
      Outcomes outcomes;
      const auto writer = PipeWriter(pipe, flag);
      writer->Start(outcomes.Expect());
      PushAll(writer.get(), slabs, &outcomes);
      if (by_parent) {
        flag->store(true);
      } else {
        writer->Abort(outcomes.Expect());
      }
      const auto results = outcomes.Wait();
      const Fault fault = results[results.size() - (by_parent ? 1 : 2)].fault;
      CHECK_EQ(fault.system_error, ECANCELED);
    }
  }
}

#if defined(__linux__)
size_t Threads() { return NamesIn("/proc/self/task").size(); }

TEST(PollerEndsWhenNothingWaitsAndStartsAgain) {
  const CancelToken cancel;
  for (int round = 0; round < 2; ++round) {
    std::atomic<int> calls{0};
    WritePoller::Shared().Wait(-1, cancel, [&] { ++calls; });
    const size_t waiting = Threads();
    while (Threads() >= waiting) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK_EQ(calls.load(), 1);
  }
}
#endif

}  // namespace
}  // namespace tfr::test
