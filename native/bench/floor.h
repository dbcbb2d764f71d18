#ifndef TFR_BENCH_FLOOR_H_
#define TFR_BENCH_FLOOR_H_

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"
#include "core/crc32c/record_format.h"

namespace tfr::bench {

/// Result of one pass over a file.
struct Work {
  uint64_t records = 0;
  uint64_t bytes = 0;  ///< Payload bytes.
};

[[noreturn]] inline void Die(const char* what) {
  std::perror(what);
  std::exit(1);
}

inline int OpenToRead(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) Die(path);
  return fd;
}

/// Reads until `size` bytes were read or the file ends.
inline size_t ReadFully(int fd, uint8_t* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = read(fd, to + done, size - done);
    if (n < 0) Die("read");
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

inline void WriteFully(int fd, const uint8_t* from, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, from, size);
    if (n < 0) Die("write");
    from += n;
    size -= static_cast<size_t>(n);
  }
}

/// Size of the record at `at` if all of it is before `end`; else 0. Ends the
/// program if the length's checksum is wrong.
inline size_t WholeRecord(const uint8_t* at, const uint8_t* end) {
  const size_t left = static_cast<size_t>(end - at);
  if (left < kHeaderSize) return 0;
  if (!LengthIsRight(at)) {
    std::fprintf(stderr, "wrong length\n");
    std::exit(1);
  }
  const uint64_t length = LoadLE64(at);
  if (length > left - kHeaderSize ||
      left - kHeaderSize - length < kFooterSize) {
    return 0;
  }
  return kFramingSize + length;
}

/// Ends the program if the data of the whole record at `at` is damaged.
inline void CheckData(const uint8_t* at, size_t length) {
  const uint8_t* data = at + kHeaderSize;
  if (crc32c::Mask(crc32c::Extend(0, data, length)) !=
      LoadLE32(data + length)) {
    std::fprintf(stderr, "wrong data\n");
    std::exit(1);
  }
}

/// Peak resident size, in KiB. Not ru_maxrss, which starts at the size of the
/// parent process.
inline long PeakKiB() {
  std::FILE* status = std::fopen("/proc/self/status", "re");
  if (status == nullptr) return 0;
  long peak = 0;
  char line[256];
  while (std::fgets(line, sizeof(line), status) != nullptr) {
    if (std::strncmp(line, "VmHWM:", 6) == 0) peak = std::atol(line + 6);
  }
  std::fclose(status);
  return peak;
}

/// Prints a member of a JSON object that is not its first: a list of seconds.
inline void PrintSeconds(const char* name, const std::vector<double>& seconds) {
  std::printf(",\"%s\":[", name);
  for (size_t i = 0; i < seconds.size(); ++i) {
    std::printf("%s%.6f", i == 0 ? "" : ",", seconds[i]);
  }
  std::printf("]");
}

/// Runs one untimed pass, then timed ones for about `seconds`, at least three,
/// each after an untimed `prepare`. Prints one JSON line, like every contender
/// of the benchmark.
template <typename Pass, typename Prepare>
void Run(double seconds, Pass pass, Prepare prepare) {
  using Clock = std::chrono::steady_clock;
  prepare();
  Work work = pass();
  std::vector<double> times;
  std::vector<double> processor;  // Of all threads.
  double total = 0;
  while (total < seconds || times.size() < 3) {
    prepare();
    const std::clock_t spent = std::clock();
    const auto start = Clock::now();
    work = pass();
    times.push_back(
        std::chrono::duration<double>(Clock::now() - start).count());
    processor.push_back(static_cast<double>(std::clock() - spent) /
                        CLOCKS_PER_SEC);
    total += times.back();
  }
  std::printf("{\"records\":%llu,\"bytes\":%llu,\"peakKiB\":%ld,",
              static_cast<unsigned long long>(work.records),
              static_cast<unsigned long long>(work.bytes), PeakKiB());
  std::printf("\"kernel\":\"%s\"", crc32c::KernelName());
  PrintSeconds("seconds", times);
  PrintSeconds("processor", processor);
  std::printf("}\n");
}

}  // namespace tfr::bench

#endif  // TFR_BENCH_FLOOR_H_
