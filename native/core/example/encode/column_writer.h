#ifndef TFR_CORE_EXAMPLE_ENCODE_COLUMN_WRITER_H_
#define TFR_CORE_EXAMPLE_ENCODE_COLUMN_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/encode/encoder_column.h"
#include "core/example/encode/short_feature.h"

namespace tfr {

/// Writes the entries of one column, row by row. Entries are written in order:
/// a write may overwrite the bytes after its entry.
class ColumnWriter {
 public:
  explicit ColumnWriter(EncoderColumn column);

  const EncoderColumn& column() const { return column_; }

  /// Size of an entry whose packed numbers, or whose list of bytes, take
  /// `content` bytes.
  uint64_t EntrySize(uint64_t content) const {
    const uint64_t own = content - extra_;
    return content > extra_ && short_.Fits(own) ? short_.EntrySize(own)
                                                : AnySize(content);
  }

  /// Sets, for each row, the size of its packed numbers or list of bytes. The
  /// caller owns the array.
  void SetContents(const uint32_t* contents) { contents_ = contents; }

  /// Writes the entry of row `row` to `p`, and returns the position after it.
  /// May also write past it, up to `limit`.
  uint8_t* Write(size_t row, uint8_t* p, const uint8_t* limit) const;

 private:
  /// Enough for an entry with one-byte lengths, and for moves of constant size.
  static constexpr size_t kShortRoom = ShortFeature::kRoom + 0x80 + 32;

  uint64_t AnySize(uint64_t content) const;
  uint8_t* WriteAny(size_t row, uint8_t* p, const uint8_t* limit) const;

  const EncoderColumn column_;
  /// `HeadOf` the key, with readable padding after it.
  std::vector<uint8_t> head_;
  const ShortFeature short_;
  /// Size of a bytes value's tag and length, which its content includes.
  const uint64_t extra_;
  const size_t head_size_;
  const uint32_t* contents_ = nullptr;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_COLUMN_WRITER_H_
