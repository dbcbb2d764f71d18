#include "core/io/scratch_file.h"

#include <cstdio>
#include <new>

#if !defined(_WIN32)
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "core/io/retry.h"
#endif

namespace tfr {
namespace {

/// Returns null if no temporary file can be made.
std::FILE* OpenWithoutName() {
#if defined(_WIN32)
  return std::tmpfile();
#else
  // Not `tmpfile`, which ignores TMPDIR and leaves the file to child processes.
  const char* const folder = std::getenv("TMPDIR");
  std::string path = folder != nullptr && *folder != 0 ? folder : "/tmp";
  path += "/tfrecord-XXXXXX";
  const int fd = Retry([&] { return mkostemp(path.data(), O_CLOEXEC); });
  if (fd < 0) return nullptr;
  unlink(path.c_str());
  std::FILE* const file = fdopen(fd, "w+b");
  if (file == nullptr) close(fd);
  return file;
#endif
}

class Temporary final : public ScratchFile {
 public:
  explicit Temporary(std::FILE* file) : file_(file) {
    // Callers pass more at a time than the buffer would hold.
    std::setvbuf(file, nullptr, _IONBF, 0);
  }
  ~Temporary() override { std::fclose(file_); }

  bool Write(size_t at, const uint64_t* numbers, size_t count) override {
    return Seek(at) &&
           std::fwrite(numbers, sizeof *numbers, count, file_) == count;
  }
  bool Read(size_t at, uint64_t* numbers, size_t count) override {
    return Seek(at) &&
           std::fread(numbers, sizeof *numbers, count, file_) == count;
  }

 private:
  /// Also needed between reading and writing.
  bool Seek(size_t at) {
    // NOLINTNEXTLINE(google-runtime-int): the type of `fseek`
    const auto position = static_cast<long>(at * sizeof(uint64_t));
    return std::fseek(file_, position, SEEK_SET) == 0;
  }

  std::FILE* const file_;
};

}  // namespace

std::unique_ptr<ScratchFile> ScratchFile::Open() {
  std::FILE* const file = OpenWithoutName();
  if (file == nullptr) return nullptr;
  return std::make_unique<Temporary>(file);
}

}  // namespace tfr
