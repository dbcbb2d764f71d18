#include "core/io/scratch_file.h"

#include <cstdio>
#include <new>

namespace tfr {
namespace {

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
    return std::fseek(file_, static_cast<long>(at * sizeof(uint64_t)),
                      SEEK_SET) == 0;
  }

  std::FILE* const file_;
};

}  // namespace

std::unique_ptr<ScratchFile> ScratchFile::Open() {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) return nullptr;
  return std::make_unique<Temporary>(file);
}

}  // namespace tfr
