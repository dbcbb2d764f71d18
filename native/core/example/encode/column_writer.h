#ifndef TFR_CORE_EXAMPLE_ENCODE_COLUMN_WRITER_H_
#define TFR_CORE_EXAMPLE_ENCODE_COLUMN_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/encode/encoder_column.h"
#include "core/example/encode/short_feature.h"

namespace tfr {

/// Writes the entries of one column, row by row, each right behind what was
/// written before it: what lies behind may be written over.
class ColumnWriter {
 public:
  explicit ColumnWriter(EncoderColumn column);

  const EncoderColumn& column() const { return column_; }

  /// Bytes of an entry with so many bytes of packed numbers, or of its list of
  /// bytes.
  uint64_t EntrySize(uint64_t content) const {
    const uint64_t own = content - extra_;
    return content > extra_ && short_.Fits(own) ? short_.EntrySize(own)
                                                : AnySize(content);
  }

  /// For each row, bytes of its packed numbers, or of its list of bytes. They
  /// are the caller's.
  void SetContents(const uint32_t* contents) { contents_ = contents; }

  /// Writes the entry of row `row` to `p`; what is behind it. Up to `limit`
  /// more may be written to.
  uint8_t* Write(size_t row, uint8_t* p, const uint8_t* limit) const;

 private:
  /// For an entry whose lengths take a byte each, and moves of a fixed size.
  static constexpr size_t kShortRoom = ShortFeature::kRoom + 0x80 + 32;

  uint64_t AnySize(uint64_t content) const;
  uint8_t* WriteAny(size_t row, uint8_t* p, const uint8_t* limit) const;

  const EncoderColumn column_;
  /// `HeadOf` the key; behind it there is padding that may be read.
  std::vector<uint8_t> head_;
  const ShortFeature short_;
  /// Of contents, what a value of bytes has of its own: tag and length.
  const uint64_t extra_;
  const size_t head_size_;
  const uint32_t* contents_ = nullptr;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_ENCODE_COLUMN_WRITER_H_
