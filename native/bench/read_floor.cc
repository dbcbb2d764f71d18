// Reads a plain file, frames it and checks both CRCs, on one thread, with one
// reused buffer: the cost of reading without delivering anything.

#include <algorithm>
#include <cstring>

#include "floor.h"

namespace tfr::bench {
namespace {

Work ReadOnce(const char* path, std::vector<uint8_t>* buffer) {
  const int fd = OpenToRead(path);
  Work work;
  size_t held = 0;
  for (;;) {
    const size_t got =
        ReadFully(fd, buffer->data() + held, buffer->size() - held);
    const uint8_t* at = buffer->data();
    const uint8_t* end = at + held + got;
    while (const size_t size = WholeRecord(at, end)) {
      CheckData(at, size - kFramingSize);
      ++work.records;
      work.bytes += size - kFramingSize;
      at += size;
    }
    held = static_cast<size_t>(end - at);
    if (got == 0) break;
    std::memmove(buffer->data(), at, held);
    if (held == buffer->size()) buffer->resize(2 * held);
  }
  if (held != 0) {
    std::fprintf(stderr, "%zu bytes behind the last record\n", held);
    std::exit(1);
  }
  close(fd);
  return work;
}

}  // namespace
}  // namespace tfr::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: read_floor FILE [SECONDS]\n");
    return 2;
  }
  std::vector<uint8_t> buffer(1 << 20);
  tfr::bench::Run(
      argc > 2 ? std::atof(argv[2]) : 0.5,
      [&] { return tfr::bench::ReadOnce(argv[1], &buffer); }, [] {});
}
