#ifndef TFR_CORE_IO_RANGE_SOURCE_H_
#define TFR_CORE_IO_RANGE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/io/byte_source.h"

namespace tfr {

/// The bytes of a source from `position` on.
struct ByteRange {
  uint64_t position = 0;
  uint64_t size = 0;
};

/// A source that another thread feeds by ranges, in any order: bytes that lie
/// far away. Where bytes are missing, reading runs dry, so no thread ever waits
/// for them; `Wants` says which to feed. Only the feeder knows which bytes
/// cannot be had: reading stays dry there, after all bytes before.
///
/// Holds the bytes around its position: little more than `most_ahead` after it,
/// and `kKeptBehind` before it. Other fed bytes are dropped, and fed bytes that
/// it holds already change nothing.
///
/// The feeding calls may run concurrently with all others, `Close` included.
class RangeSource final : public ByteSource {
 public:
  /// Bytes to want after the position at first, and after a jump. Bytes read
  /// in order from there on let the reach grow, up to `most_ahead`.
  static constexpr uint64_t kLeastAhead = uint64_t{64} << 10;
  /// Bytes to hold for `StepBack`: what does not fit a slab is read again.
  static constexpr uint64_t kKeptBehind = uint64_t{512} << 10;

  /// Enough of `Wants` to keep a feeder busy.
  static constexpr size_t kMostWants = 32;

  /// `size`: of the whole source; `kUnknown` until `EndAt`. Reading begins at
  /// `position`.
  RangeSource(uint64_t size, uint64_t position, uint64_t most_ahead);

  // The feeding calls.

  /// Copies the bytes at `position`. Returns false when memory runs out; the
  /// bytes that found room are held.
  [[nodiscard]] bool Feed(uint64_t position, const uint8_t* data, size_t size);

  /// No byte lies at or after `position`. If the size was unknown, the least of
  /// these positions is the size. Otherwise, and if bytes came from after it,
  /// the source became shorter: reading faults there.
  void EndAt(uint64_t position);

  /// Sets at most `most` ranges that are missing, the one that is needed first
  /// in front, and returns their number.
  size_t Wants(ByteRange* ranges, size_t most) const;

  // The reading calls.

  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault* fault) override;
  bool StepBack(uint64_t count) override;
  /// Jumps: skipped bytes need not be fed.
  uint64_t StepOver(uint64_t count) override;
  uint64_t Remaining() override;
  uint64_t TotalBytes() const override;
  uint64_t Position() const override;
  ReadState ReadAt(uint64_t position, uint8_t* dst, size_t size, size_t* got,
                   Fault* fault) const override;
  bool MayRunDry() const override { return true; }
  void Want(uint64_t position, size_t size) override;
  void Close() override;

 private:
  // All require the lock.
  uint64_t End() const;
  uint64_t HeldTo(uint64_t position) const;
  uint64_t NextHeld(uint64_t position) const;
  void Take(const ByteRange& part, uint64_t position, const uint8_t* data,
            size_t size);
  void Hold(uint64_t begin, uint64_t end);
  void Copy(uint64_t position, uint8_t* dst, size_t size) const;
  void Move(uint64_t position);
  void DropFrom(uint64_t position);
  size_t AddGaps(uint64_t begin, uint64_t end, ByteRange* ranges, size_t count,
                 size_t most) const;

  const uint64_t most_ahead_;
  /// The size was given. Else the least `EndAt` is the size.
  const bool sized_;

  mutable std::mutex mutex_;
  uint64_t size_;
  /// Where the source ends, if that is before `size_`.
  uint64_t cut_ = kUnknown;
  uint64_t position_;
  /// Where reading ran dry last: from there on bytes are wanted even if the
  /// position moved back since.
  uint64_t dry_at_ = kUnknown;
  /// Bytes read in order since the last jump, up to the position.
  uint64_t run_ = 0;
  /// Bytes before this offset were held, but dropped.
  uint64_t dropped_to_ = 0;
  /// Memory by the number of the page.
  std::map<uint64_t, std::unique_ptr<uint8_t[]>> pages_;
  /// Begin and end of each run of held bytes; no two of them touch.
  std::map<uint64_t, uint64_t> held_;
  /// Ranges that `Want` was called with.
  std::vector<ByteRange> asked_;
  bool closed_ = false;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_RANGE_SOURCE_H_
