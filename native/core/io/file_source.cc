#include "core/io/file_source.h"

#include <algorithm>
#include <utility>

#include "core/io/readable_file.h"

namespace tfr {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(std::string path, uint64_t position)
      : path_(std::move(path)), position_(position) {}

  ReadState Read(uint8_t* dst, size_t size, size_t* got,
                 Fault* fault) override {
    if (!file_.is_open()) {
      *fault = file_.Open(path_);
      if (*fault) return ReadState::kFault;
      size_ = file_.Size();
    }
    *fault = file_.ReadSome(position_, dst, size, got);
    if (*fault) return ReadState::kFault;
    if (*got == 0) return AtEnd(fault);
    position_ += *got;
    return ReadState::kBytes;
  }

  uint64_t Position() const override { return position_; }

  ReadState ReadAt(uint64_t position, uint8_t* dst, size_t size, size_t* got,
                   Fault* fault) const override {
    for (*got = 0; *got < size;) {
      size_t n = 0;
      *fault = file_.ReadSome(position + *got, dst + *got, size - *got, &n);
      if (!*fault && n == 0) *fault = Shortened(size, *got);
      if (*fault) return ReadState::kFault;
      *got += n;
    }
    return ReadState::kBytes;
  }

  bool StepBack(uint64_t count) override {
    position_ -= count;
    return true;
  }

  uint64_t StepOver(uint64_t count) override {
    const uint64_t remaining = Remaining();
    if (remaining == kUnknown) return 0;
    const uint64_t step = std::min(count, remaining);
    position_ += step;
    return step;
  }

  uint64_t Remaining() override {
    const uint64_t size = file_.Size();
    if (size == kUnknown) return kUnknown;
    return size > position_ ? size - position_ : 0;
  }

  uint64_t TotalBytes() const override { return size_; }

  bool MayRunDry() const override { return false; }

  void Close() override { file_.Close(); }

 private:
  static Fault Shortened(uint64_t expected, uint64_t found) {
    Fault fault;
    fault.code = FaultCode::kTruncated;
    fault.part = "data";
    fault.detail = "the file became shorter while it was read";
    fault.expected = expected;
    fault.found = found;
    return fault;
  }

  /// Returns kEnd, or a fault if the file became shorter after it was opened.
  ReadState AtEnd(Fault* fault) const {
    if (size_ == kUnknown || position_ >= size_) return ReadState::kEnd;
    *fault = Shortened(size_, position_);
    return ReadState::kFault;
  }

  const std::string path_;
  ReadableFile file_;
  uint64_t position_;
  /// Size at the time of opening.
  uint64_t size_ = kUnknown;
};

}  // namespace

std::unique_ptr<ByteSource> NewFileSource(std::string path, uint64_t position) {
  return std::make_unique<FileSource>(std::move(path), position);
}

}  // namespace tfr
