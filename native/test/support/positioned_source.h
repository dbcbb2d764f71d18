#ifndef TFR_TEST_SUPPORT_POSITIONED_SOURCE_H_
#define TFR_TEST_SUPPORT_POSITIONED_SOURCE_H_

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "core/compression/gzip_member.h"
#include "test/support/record_files.h"

namespace tfr::test {

/// A source that can be read at any position, like a regular file.
class PositionedSource final : public ByteSource {
 public:
  struct Counts {
    size_t in_order = 0;
    size_t at = 0;
  };

  /// `counts`: the number of bytes read in each way. `shortened`: while true,
  /// the file ends at the current position.
  explicit PositionedSource(std::string bytes, Counts* counts = nullptr,
                            const bool* shortened = nullptr)
      : bytes_(std::move(bytes)), counts_(counts), shortened_(shortened) {}

  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault*) override {
    *got = Copy(position_, dst, size);
    position_ += *got;
    if (counts_ != nullptr) counts_->in_order += *got;
    return *got > 0 ? ReadState::kBytes : ReadState::kEnd;
  }
  bool StepBack(uint64_t count) override {
    position_ -= count;
    return true;
  }
  uint64_t StepOver(uint64_t count) override {
    const uint64_t step = std::min(count, Remaining());
    position_ += step;
    return step;
  }
  uint64_t Remaining() override {
    const bool none = shortened_ != nullptr && *shortened_;
    return none ? 0 : bytes_.size() - position_;
  }
  uint64_t TotalBytes() const override { return bytes_.size(); }
  uint64_t Position() const override { return position_; }
  ReadState ReadAt(uint64_t position, uint8_t* dst, size_t size, size_t* got,
                   Fault* fault) const override {
    *got = Copy(position, dst, size);
    if (counts_ != nullptr) counts_->at += *got;
    if (*got == size) return ReadState::kBytes;
    *fault = SystemFault(EIO, "read");
    return ReadState::kFault;
  }
  bool MayRunDry() const override { return false; }
  void Close() override {}

 private:
  size_t Copy(uint64_t position, uint8_t* dst, size_t size) const {
    const uint64_t from = std::min<uint64_t>(position, bytes_.size());
    const auto n =
        static_cast<size_t>(std::min<uint64_t>(size, bytes_.size() - from));
    if (n > 0) std::memcpy(dst, bytes_.data() + from, n);
    return n;
  }

  const std::string bytes_;
  Counts* const counts_;
  const bool* const shortened_;
  uint64_t position_ = 0;
};

/// Reads `file` like a regular file; gzip members of any size may be inflated
/// ahead.
inline Reading ReadPositioned(const std::string& file, size_t slab_size = 4096,
                              ReadOptions options = {}, bool skip = false,
                              PositionedSource::Counts* counts = nullptr,
                              std::unique_ptr<Framer> framer = nullptr) {
  options.ahead.least_content = 1;
  return ReadSource(
      std::make_unique<PositionedSource>(file, counts), slab_size, options,
      skip, [] { return false; }, std::move(framer));
}

/// One of our members, padded for `offset` of a file.
inline std::string OurMember(const std::string& plain, uint32_t records,
                             uint64_t offset = 0) {
  const auto deflater = NewBlockDeflater(6);
  GzipMember member;
  if (member.Deflate(deflater.get(), Data(plain), plain.size(), records,
                     CancelToken())) {
    return {};
  }
  const GzipMember::Bytes bytes = member.Finish(offset);
  return std::string(reinterpret_cast<const char*>(bytes.data), bytes.size);
}

}  // namespace tfr::test

#endif  // TFR_TEST_SUPPORT_POSITIONED_SOURCE_H_
