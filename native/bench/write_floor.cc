// Reads the records of a plain file, then frames, checksums and writes them to
// another file on one thread with one buffer: the cost of writing once the
// records are in memory.

#include <algorithm>
#include <cstring>

#include "floor.h"

namespace tfr::bench {
namespace {

struct Records {
  std::vector<uint8_t> bytes;  ///< Payloads only, concatenated.
  std::vector<size_t> lengths;
};

Records Load(const char* path) {
  const int fd = OpenToRead(path);
  const off_t size = lseek(fd, 0, SEEK_END);
  lseek(fd, 0, SEEK_SET);
  std::vector<uint8_t> file(static_cast<size_t>(size));
  ReadFully(fd, file.data(), file.size());
  close(fd);
  Records records;
  const uint8_t* at = file.data();
  const uint8_t* end = at + file.size();
  while (const size_t whole = WholeRecord(at, end)) {
    records.lengths.push_back(whole - kFramingSize);
    records.bytes.insert(records.bytes.end(), at + kHeaderSize,
                         at + whole - kFooterSize);
    at += whole;
  }
  return records;
}

Work WriteOnce(const Records& records, const char* path,
               std::vector<uint8_t>* buffer) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) Die(path);
  Work work;
  size_t used = 0;
  const uint8_t* data = records.bytes.data();
  for (const size_t length : records.lengths) {
    if (buffer->size() - used < kFramingSize + length) {
      WriteFully(fd, buffer->data(), used);
      used = 0;
      if (buffer->size() < kFramingSize + length) {
        buffer->resize(kFramingSize + length);
      }
    }
    uint8_t* to = buffer->data() + used;
    StoreLE64(to, length);
    StoreLE32(to + kLengthSize, crc32c::Mask(crc32c::Value8(to)));
    std::memcpy(to + kHeaderSize, data, length);
    StoreLE32(to + kHeaderSize + length,
              crc32c::Mask(crc32c::Extend(0, data, length)));
    used += kFramingSize + length;
    data += length;
    ++work.records;
    work.bytes += length;
  }
  WriteFully(fd, buffer->data(), used);
  if (close(fd) != 0) Die("close");
  return work;
}

}  // namespace
}  // namespace tfr::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: write_floor FROM TO [SECONDS]\n");
    return 2;
  }
  const tfr::bench::Records records = tfr::bench::Load(argv[1]);
  std::vector<uint8_t> buffer(1 << 20);
  tfr::bench::Run(
      argc > 3 ? std::atof(argv[3]) : 0.5,
      [&] { return tfr::bench::WriteOnce(records, argv[2], &buffer); },
      [&] { unlink(argv[2]); });
  unlink(argv[2]);
}
