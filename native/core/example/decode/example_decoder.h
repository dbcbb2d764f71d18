#ifndef TFR_CORE_EXAMPLE_DECODE_EXAMPLE_DECODER_H_
#define TFR_CORE_EXAMPLE_DECODE_EXAMPLE_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "core/example/decode/decoded_record.h"
#include "core/example/wire/wire.h"

namespace tfr {

class RowTaker;

/// Decodes one Example or SequenceExample by protobuf's rules: every byte is
/// checked, every value taken. Entries are given as they come, even several
/// with one name; names may be any bytes. Memory is kept for the next record,
/// up to 4 MiB for each array.
class ExampleDecoder {
 public:
  enum class Outcome : uint8_t { kDecoded, kMalformed, kNoMemory };
  /// Of longer records some places could not be told.
  static constexpr size_t kMaxRecordBytes = 0x7fffffff;

  /// `sequence`: feature lists are read, too. Else they are an unknown field.
  explicit ExampleDecoder(bool sequence) : sequence_(sequence) {}

  /// `record` has at most `kMaxRecordBytes`. What is told of it is whole only
  /// after kDecoded.
  Outcome Decode(Span record);
  /// Forgets the record.
  void Clear();

  const DecodedRecord& decoded() const { return decoded_; }

 private:
  Outcome Map(Span map, bool lists);
  Outcome Entry(Span entry, bool list);
  Outcome Steps(Span list, RowTaker* row);

  const bool sequence_;
  Span record_;
  DecodedRecord decoded_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_DECODE_EXAMPLE_DECODER_H_
