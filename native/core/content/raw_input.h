#ifndef TFR_CORE_CONTENT_RAW_INPUT_H_
#define TFR_CORE_CONTENT_RAW_INPUT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/io/byte_source.h"

namespace tfr {

/// The bytes of a source that were read for an inflater: some are used, some
/// are not yet. Used bytes are dropped, but for those of the current gzip
/// member, which a search after damage needs.
class RawInput {
 public:
  /// More used bytes of one member are dropped all the same.
  static constexpr size_t kMostKept = size_t{4} << 20;
  /// Damaged data may seem to reach this far into the next member.
  static constexpr size_t kOverrun = size_t{64} << 10;

  /// `source` must live as long as this object.
  explicit RawInput(ByteSource* source) : source_(source) {}

  const uint8_t* data() const { return raw_.data(); }
  size_t size() const { return raw_.size(); }
  /// The source has no more bytes than these.
  bool ended() const { return ended_; }

  /// Reads until there are `size` bytes, or all that the source has. kBytes:
  /// they are there.
  ReadState ReadHead(size_t size, Fault* fault);
  bool Reserve(size_t size) { return raw_.Reserve(size); }

  const uint8_t* unused() const { return raw_.data() + used_; }
  size_t left() const { return raw_.size() - used_; }
  size_t used() const { return used_; }
  void Use(size_t size) { used_ += size; }
  /// Reads more bytes after all were used. At the end of the source: kBytes,
  /// and `ended()`.
  ReadState ReadMore(Fault* fault);
  void Clear();
  /// Drops all bytes: the source was moved.
  void Restart() {
    Clear();
    ended_ = false;
  }
  /// From now on, `kOverrun` used bytes are kept even of a longer member.
  void KeepOverrun() { keeps_overrun_ = true; }

  /// Keeps the bytes from the next unused one on, even when they are used.
  void Keep() { KeepFrom(used_); }
  /// Keeps the bytes from index `at` on, which is the next unused one.
  void KeepFrom(size_t at);
  /// True if the bytes of the last `Keep` are all still there.
  bool keeps() const { return keeps_; }
  /// Their index.
  size_t kept() const { return keep_; }

  /// Drops the first `count` bytes, kept or not, and reads more after the
  /// others, as `ReadMore` does.
  ReadState ReadMoreWithout(size_t count, Fault* fault);

 private:
  ByteSource* const source_;
  ByteBuffer raw_;
  size_t used_ = 0;
  size_t keep_ = 0;
  bool keeps_ = false;
  bool keeps_overrun_ = false;
  bool ended_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_RAW_INPUT_H_
