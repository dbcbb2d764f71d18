#include "core/example/print/line_printer.h"

#include "core/base/endian.h"
#include "core/example/print/float_text.h"
#include "core/example/print/print_limits.h"

namespace tfr {

namespace {

constexpr uint8_t kField1 = LengthTag(1);
constexpr uint8_t kField2 = LengthTag(2);
/// Tags of the lists of a Feature.
constexpr uint8_t kBytes = LengthTag(1);
constexpr uint8_t kFloats = LengthTag(2);
constexpr uint8_t kIntegers = LengthTag(3);
/// Tags of a value in a list that is not packed.
constexpr uint8_t kOneFloat = Fixed32Tag(1);
constexpr uint8_t kOneInteger = VarintTag(1);

/// Reads a tag of one byte.
bool ByteTag(WireReader* reader, uint8_t* tag) {
  if (reader->done()) return false;
  *tag = *reader->position();
  reader->MoveTo(reader->position() + 1);
  return true;
}

/// True for the words for floats that JSON has no numbers for. Readers would
/// take a string of one of them for a float.
bool IsFloatWord(Span value) {
  const std::string_view text(reinterpret_cast<const char*>(value.data),
                              value.size);
  return text == "NaN" || text == "Infinity" || text == "-Infinity";
}

/// The JSON before the values of a kind in canonical JSON.
std::string_view CanonicalList(uint8_t kind) {
  switch (kind) {
    case kBytes:
      return "{\"bytesList\":{";
    case kFloats:
      return "{\"floatList\":{";
    default:
      return "{\"int64List\":{";
  }
}

/// The JSON before the list of a kind, if kinds are printed.
std::string_view KindMember(uint8_t kind) {
  switch (kind) {
    case kBytes:
      return "{\"bytes\":";
    case kFloats:
      return "{\"float\":";
    default:
      return "{\"int64\":";
  }
}

}  // namespace

LinePrinter::Outcome LinePrinter::Print(Span record, TextRoom* room) {
  if (record.size > SlabPrinter::kMostRecordBytes) return Outcome::kRefused;
  uint8_t* const start = room->at;
  room_ = room;
  outcome_ = Outcome::kPrinted;
  if (!PutRecord(record) || !Put("\n")) room->at = start;
  return outcome_;
}

bool LinePrinter::Refuse() {
  outcome_ = Outcome::kRefused;
  return false;
}

bool LinePrinter::Full() {
  outcome_ = Outcome::kFull;
  return false;
}

bool LinePrinter::Need(size_t size) { return room_->left() >= size || Full(); }

bool LinePrinter::Shows(size_t count, size_t most) {
  return !whole_ || count <= most || Refuse();
}

bool LinePrinter::Put(std::string_view text) {
  return room_->Put(text) || Full();
}

bool LinePrinter::PutRecord(Span record) {
  Span features;
  Span lists;
  WireReader reader(record);
  while (!reader.done()) {
    uint8_t tag;
    Span content;
    if (!ByteTag(&reader, &tag) || (tag != kField1 && tag != kField2) ||
        !reader.Bytes(&content)) {
      return Refuse();
    }
    Span* const field = tag == kField1 ? &features : &lists;
    if (field->data != nullptr) return Refuse();
    *field = content;
  }
  return form_ == LineForm::kMessages ? PutMessage(features, lists)
                                      : PutRow(features, lists);
}

bool LinePrinter::PutRow(Span features, Span lists) {
  if (lists.data != nullptr) {
    return Put("{\"context\":") && PutFeatures(features) &&
           Put(",\"featureLists\":") && PutLists(lists) && Put("}");
  }
  if (form_ == LineForm::kRows) return PutFeatures(features);
  return Put("{\"features\":") && PutFeatures(features) && Put("}");
}

bool LinePrinter::PutMessage(Span features, Span lists) {
  if (!Put("{")) return false;
  if (features.data != nullptr) {
    if (!Put(lists.data == nullptr ? "\"features\":{" : "\"context\":{")) {
      return false;
    }
    if (features.size > 0 && !(Put("\"feature\":") && PutFeatures(features))) {
      return false;
    }
    if (!Put("}")) return false;
  }
  if (lists.data != nullptr) {
    if (features.data != nullptr && !Put(",")) return false;
    if (!Put("\"featureLists\":{")) return false;
    if (lists.size > 0 && !(Put("\"featureList\":") && PutLists(lists))) {
      return false;
    }
    if (!Put("}")) return false;
  }
  return Put("}");
}

bool LinePrinter::PutFeatures(Span map) {
  if (!names_.Find(map, &features_)) return Refuse();
  if (!Shows(features_.entries().size(), kMostNames)) return false;
  if (sorts()) features_.Sort();
  std::string_view separator = "{";
  for (const LineEntry& entry : features_.entries()) {
    if (!Put(separator) || !Put(entry.name->json) || !PutFeature(entry.value)) {
      return false;
    }
    separator = ",";
  }
  return Put(features_.entries().empty() ? "{}" : "}");
}

bool LinePrinter::PutLists(Span map) {
  if (!names_.Find(map, &lists_)) return Refuse();
  if (!Shows(lists_.entries().size(), kMostNames)) return false;
  if (sorts()) lists_.Sort();
  std::string_view separator = "{";
  for (const LineEntry& entry : lists_.entries()) {
    if (!Put(separator) || !Put(entry.name->json) || !PutSteps(entry.value)) {
      return false;
    }
    separator = ",";
  }
  return Put(lists_.entries().empty() ? "{}" : "}");
}

bool LinePrinter::PutSteps(Span list) {
  const bool message = form_ == LineForm::kMessages;
  if (message && list.size == 0) return Put("{}");
  if (!Put(message ? "{\"feature\":[" : "[")) return false;
  WireReader reader(list);
  for (size_t count = 0; !reader.done(); ++count) {
    uint8_t tag;
    Span step;
    if (!ByteTag(&reader, &tag) || tag != kField1 || !reader.Bytes(&step)) {
      return Refuse();
    }
    if ((count > 0 && !Put(",")) || !Shows(count + 1, kMostSteps) ||
        !PutFeature(step)) {
      return false;
    }
  }
  return Put(message ? "]}" : "]");
}

bool LinePrinter::PutFeature(Span feature) {
  const bool message = form_ == LineForm::kMessages;
  if (feature.size == 0) return Put(message ? "{}" : "null");
  WireReader reader(feature);
  uint8_t kind;
  Span list;
  if (!ByteTag(&reader, &kind) ||
      (kind != kBytes && kind != kFloats && kind != kIntegers) ||
      !reader.Bytes(&list) || !reader.done()) {
    return Refuse();
  }
  if (message) {
    if (!Put(CanonicalList(kind))) return false;
    if (list.size > 0 && !(Put("\"value\":") && PutValues(kind, list))) {
      return false;
    }
    return Put("}}");
  }
  if (form_ != LineForm::kRecordsWithKinds) return PutValues(kind, list);
  return Put(KindMember(kind)) && PutValues(kind, list) && Put("}");
}

bool LinePrinter::PutValues(uint8_t kind, Span list) {
  if (!Put("[")) return false;
  const bool put = kind == kIntegers ? PutIntegers(list)
                   : kind == kFloats ? PutFloats(list)
                                     : PutByteStrings(list);
  return put && Put("]");
}

bool LinePrinter::PutIntegers(Span list) {
  WireReader reader(list);
  size_t count = 0;
  while (!reader.done()) {
    uint8_t tag;
    if (!ByteTag(&reader, &tag)) return Refuse();
    if (tag == kOneInteger) {
      const uint8_t* const start = reader.position();
      uint64_t value;
      if (!reader.Varint(&value)) return Refuse();
      const auto size = static_cast<size_t>(reader.position() - start);
      if (!PutPackedIntegers({start, size}, &count)) return false;
      continue;
    }
    Span packed;
    if (tag != kField1 || !reader.Bytes(&packed)) return Refuse();
    if (!PutPackedIntegers(packed, &count)) return false;
  }
  return true;
}

bool LinePrinter::PutPackedIntegers(Span packed, size_t* count) {
  const bool quotes = form_ == LineForm::kMessages;
  WireReader reader(packed);
  while (!reader.done()) {
    uint64_t value;
    if (!reader.Varint(&value)) return Refuse();
    if (!Need(kLongestInteger)) return false;
    uint8_t* to = room_->at;
    if (*count > 0) *to++ = ',';
    if (!Shows(++*count, kMostValues)) return false;
    if (quotes) *to++ = '"';
    to = PutInteger(to, static_cast<int64_t>(value));
    if (quotes) *to++ = '"';
    room_->at = to;
  }
  return true;
}

bool LinePrinter::PutFloats(Span list) {
  WireReader reader(list);
  size_t count = 0;
  while (!reader.done()) {
    uint8_t tag;
    if (!ByteTag(&reader, &tag)) return Refuse();
    Span packed;
    if (tag == kOneFloat) {
      packed = {reader.position(), sizeof(float)};
      if (reader.rest().size < packed.size) return Refuse();
      reader.MoveTo(packed.end());
    } else if (tag != kField1 || !reader.Bytes(&packed)) {
      return Refuse();
    }
    if (!PutPackedFloats(packed, &count)) return false;
  }
  return true;
}

bool LinePrinter::PutPackedFloats(Span packed, size_t* count) {
  if (packed.size % sizeof(float) != 0) return Refuse();
  if (!Shows(*count + packed.size / sizeof(float), kMostValues)) return false;
  for (const uint8_t* p = packed.data; p < packed.end(); p += sizeof(float)) {
    if (!Need(kLongestFloatText + 1)) return false;
    if ((*count)++ > 0) *room_->at++ = ',';
    room_->at = PutFloat32(room_->at, LoadLE32(p));
  }
  return true;
}

bool LinePrinter::PutByteStrings(Span list) {
  WireReader reader(list);
  for (size_t count = 0; !reader.done(); ++count) {
    uint8_t tag;
    Span value;
    if (!ByteTag(&reader, &tag) || tag != kField1 || !reader.Bytes(&value)) {
      return Refuse();
    }
    if ((count > 0 && !Put(",")) || !Shows(count + 1, kMostValues) ||
        !PutByteString(value)) {
      return false;
    }
  }
  return true;
}

bool LinePrinter::PutByteString(Span value) {
  if (!Shows(value.size, kMostTextBytes)) return false;
  bool text = form_ != LineForm::kMessages;
  if (form_ == LineForm::kRows && IsFloatWord(value)) text = false;
  if (text) {
    switch (PutText(value, TextRule::kValue, room_)) {
      case TextOutcome::kPut:
        return true;
      case TextOutcome::kFull:
        return Full();
      case TextOutcome::kNotText:
        break;
    }
  }
  if (!Shows(value.size, kMostBinaryBytes)) return false;
  const bool message = form_ == LineForm::kMessages;
  if (!message && !Put("{\"base64\":")) return false;
  if (!PutBase64(value, room_)) return Full();
  return message || Put("}");
}

}  // namespace tfr
