// The same work as read_floor under the package's conditions: two threads, and
// a new buffer for every MiB, like buffers that are delivered and
// garbage-collected later. Threads take turns at reading and framing; they
// check the data CRCs outside of the turn.
// malloc: buffers are allocated and freed as JavaScript's are, so the allocator
// may return warm pages. mmap: every page comes fresh from the kernel.

#include <sys/mman.h>

#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "floor.h"

namespace tfr::bench {
namespace {

constexpr size_t kSlab = 1 << 20;

constexpr int kThreads = 2;
/// Buffers of each thread that are still alive when it allocates another;
/// stands for buffers that await garbage collection.
constexpr size_t kHeld = 8;

bool from_kernel = false;

uint8_t* NewSlab() {
  void* slab = from_kernel ? mmap(nullptr, kSlab, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                           : std::malloc(kSlab);
  if (slab == nullptr || slab == MAP_FAILED) Die("memory");
  return static_cast<uint8_t*>(slab);
}

void DeleteSlab(uint8_t* slab) {
  if (from_kernel) {
    munmap(slab, kSlab);
  } else {
    std::free(slab);
  }
}

struct Stream {
  std::mutex mutex;
  int fd = -1;
  std::vector<uint8_t> tail;  ///< The partial record after the last slab.
  bool ended = false;
  Work work;
};

/// One turn: fills `slab`, lists its records, keeps the partial one. Returns
/// false at the end.
bool Fill(Stream* stream, uint8_t* slab,
          std::vector<std::pair<size_t, size_t>>* records) {
  std::lock_guard<std::mutex> lock(stream->mutex);
  if (stream->ended) return false;
  std::memcpy(slab, stream->tail.data(), stream->tail.size());
  size_t held = stream->tail.size();
  held += ReadFully(stream->fd, slab + held, kSlab - held);
  stream->ended = held < kSlab;
  size_t at = 0;
  while (const size_t size = WholeRecord(slab + at, slab + held)) {
    records->emplace_back(at, size - kFramingSize);
    stream->work.bytes += size - kFramingSize;
    at += size;
  }
  stream->work.records += records->size();
  stream->tail.assign(slab + at, slab + held);
  if (stream->tail.size() == kSlab || (stream->ended && at != held)) {
    std::fprintf(stderr, "a record is cut or over 1 MiB\n");
    std::exit(1);
  }
  return true;
}

void ReadSlabs(Stream* stream) {
  std::vector<std::pair<size_t, size_t>> records;
  std::deque<uint8_t*> held;
  bool more = true;
  while (more) {
    uint8_t* slab = NewSlab();
    records.clear();
    more = Fill(stream, slab, &records);
    for (const auto& [at, length] : records) CheckData(slab + at, length);
    held.push_back(slab);
    if (held.size() > kHeld) {
      DeleteSlab(held.front());
      held.pop_front();
    }
  }
  for (uint8_t* slab : held) DeleteSlab(slab);
}

Work ReadOnce(const char* path) {
  Stream stream;
  stream.fd = OpenToRead(path);
  std::vector<std::thread> others;
  for (int i = 1; i < kThreads; ++i) others.emplace_back(ReadSlabs, &stream);
  ReadSlabs(&stream);
  for (std::thread& thread : others) thread.join();
  close(stream.fd);
  return stream.work;
}

}  // namespace
}  // namespace tfr::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr,
                 "usage: read_threads_floor FILE [SECONDS] [malloc|mmap]\n");
    return 2;
  }
  tfr::bench::from_kernel = argc > 3 && std::strcmp(argv[3], "mmap") == 0;
  tfr::bench::Run(
      argc > 2 ? std::atof(argv[2]) : 0.5,
      [&] { return tfr::bench::ReadOnce(argv[1]); }, [] {});
}
