#include "core/example/type/grammar.h"

#include <algorithm>

#include "core/base/text.h"

namespace tfr {

namespace {

constexpr uint32_t kKeyTag = LengthTag(1);
constexpr uint32_t kValueTag = LengthTag(2);

bool IsUtf8(Span text) {
  return TextKindOf(text.data, text.size) != TextKind::kBinary;
}

bool Advance(WireReader* reader, size_t size) {
  if (reader->rest().size < size) return false;
  reader->MoveTo(reader->position() + size);
  return true;
}

}  // namespace

bool GrammarMatcher::Matches(Span message, const Grammar& grammar) {
  const GrammarField* const end = grammar.fields + grammar.count;
  WireReader reader(message);
  while (!reader.done()) {
    uint32_t tag;
    if (!reader.Tag(&tag)) return false;
    const GrammarField* const field =
        std::find_if(grammar.fields, end,
                     [tag](const auto& known) { return known.tag == tag; });
    if (field == end || !MatchesField(*field, &reader)) return false;
  }
  return true;
}

bool GrammarMatcher::MatchesField(const GrammarField& field,
                                  WireReader* reader) {
  Span content;
  uint64_t value;
  switch (field.form) {
    case Form::kVarint:
      return reader->Varint(&value);
    case Form::kFixed32:
      return Advance(reader, sizeof(uint32_t));
    case Form::kFixed64:
      return Advance(reader, sizeof(uint64_t));
    default:
      if (!reader->Bytes(&content)) return false;
  }
  switch (field.form) {
    case Form::kName:
      named_ |= content.size > 0;
      return IsUtf8(content);
    case Form::kText:
      return IsUtf8(content);
    case Form::kPackedVarints:
      return AreVarints(content);
    case Form::kPackedFixed32:
      return content.size % sizeof(uint32_t) == 0;
    case Form::kMessage:
      return Matches(content, *field.inner);
    case Form::kEntry:
      return MatchesEntry(content, field.inner);
    default:
      return true;
  }
}

bool GrammarMatcher::MatchesEntry(Span entry, const Grammar* value) {
  WireReader reader(entry);
  size_t keys = 0;
  size_t values = 0;
  bool odd = false;
  while (!reader.done()) {
    uint32_t tag;
    Span part;
    if (!reader.Tag(&tag) || !reader.Bytes(&part)) return false;
    if (tag == kKeyTag && keys++ == 0) {
      if (!IsUtf8(part)) return false;
      odd = HasControls(part);
    } else if (tag == kValueTag && values++ == 0) {
      if (value != nullptr && !Matches(part, *value)) return false;
    } else {
      return false;
    }
  }
  odd_names_ |= odd;
  return values == 1 || !odd;
}

bool AreVarints(Span packed) {
  WireReader reader(packed);
  uint64_t value;
  while (!reader.done()) {
    if (!reader.Varint(&value)) return false;
  }
  return true;
}

bool HasControls(Span text) {
  return std::any_of(text.data, text.end(), [](uint8_t c) { return c < 0x20; });
}

}  // namespace tfr
