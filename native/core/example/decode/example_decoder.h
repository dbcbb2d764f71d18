#ifndef TFR_CORE_EXAMPLE_DECODE_EXAMPLE_DECODER_H_
#define TFR_CORE_EXAMPLE_DECODE_EXAMPLE_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "core/example/decode/decoded_record.h"
#include "core/example/wire/wire.h"

namespace tfr {

class RowTaker;

/// Decodes one Example or SequenceExample by protobuf's rules: checks every
/// byte and takes every value. Keeps the order of entries, duplicates included;
/// names may be any bytes. Keeps its memory for the next record, up to 4 MiB
/// per array.
class ExampleDecoder {
 public:
  enum class Outcome : uint8_t { kDecoded, kMalformed, kNoMemory };
  /// Larger records would have positions that do not fit the rows.
  static constexpr size_t kMaxRecordBytes = 0x7fffffff;

  /// `sequence`: decodes feature lists, too. Otherwise they are an unknown
  /// field.
  explicit ExampleDecoder(bool sequence) : sequence_(sequence) {}

  /// `record` has at most `kMaxRecordBytes`. `decoded()` is complete only after
  /// kDecoded.
  Outcome Decode(Span record);
  /// Drops the record.
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
