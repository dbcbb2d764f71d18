#ifndef TFR_CORE_EXAMPLE_PRINT_LINE_PRINTER_H_
#define TFR_CORE_EXAMPLE_PRINT_LINE_PRINTER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/example/print/json_text.h"
#include "core/example/print/line_names.h"
#include "core/example/print/slab_printer.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// The form of lines: `LineForm` of lib/native/binding-lines.ts.
enum class LineForm : uint8_t {
  /// Plain rows, as lib/convert/jsonl writes them.
  kRows = 0,
  /// Protobuf's canonical JSON, as lib/convert/jsonl writes it.
  kMessages = 1,
  /// Records in full, as `RecordPrinter` of lib/example/print writes them.
  kRecords = 2,
  /// The same with the kind of each feature.
  kRecordsWithKinds = 3,
};

/// Prints Examples and SequenceExamples as lines of JSON, directly from their
/// bytes, byte for byte as TypeScript's printers do. It prints records in the
/// form in which writers make them: each message has each of its fields once,
/// and each name is valid and unique in its map. Nearly all records have this
/// form. TypeScript prints the others, or words the reason why there is no
/// line. Used by one thread at a time.
class LinePrinter {
 public:
  using Outcome = LineOutcome;

  /// `whole`: refuses records with a value or list that `RecordPrinter` would
  /// cut, unless it prints them in full.
  explicit LinePrinter(LineForm form, bool whole = false)
      : form_(form), whole_(whole) {}

  /// Appends the line of `record`, or nothing. Refuses records that have an
  /// unusual form, or are no Examples. May throw std::bad_alloc.
  Outcome Print(Span record, TextRoom* room);

 private:
  /// Both set the outcome and return false.
  bool Refuse();
  bool Full();
  bool Put(std::string_view text);
  /// Ensures that `size` more bytes can be written at `room_->at`.
  bool Need(size_t size);

  bool PutRecord(Span record);
  bool PutRow(Span features, Span lists);
  bool PutMessage(Span features, Span lists);
  bool PutFeatures(Span map);
  bool PutLists(Span map);
  bool PutSteps(Span list);
  bool PutFeature(Span feature);
  bool PutValues(uint8_t kind, Span list);
  bool PutIntegers(Span list);
  bool PutPackedIntegers(Span packed, size_t* count);
  bool PutFloats(Span list);
  bool PutPackedFloats(Span packed, size_t* count);
  bool PutByteStrings(Span list);
  bool PutByteString(Span value);
  /// Refuses `count` of something if no more than `most` are shown.
  bool Shows(size_t count, size_t most);

  bool sorts() const {
    return form_ == LineForm::kRecords || form_ == LineForm::kRecordsWithKinds;
  }

  const LineForm form_;
  const bool whole_;
  LineNames names_;
  LineNames::Section features_;
  LineNames::Section lists_;
  TextRoom* room_ = nullptr;
  Outcome outcome_ = Outcome::kPrinted;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_LINE_PRINTER_H_
