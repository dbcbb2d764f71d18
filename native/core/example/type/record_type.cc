#include "core/example/type/record_type.h"

#include <algorithm>
#include <cstring>

#include "core/base/endian.h"
#include "core/example/type/grammar.h"
#include "core/example/type/message_grammars.h"

namespace tfr {

namespace {

constexpr bool IsLengthTag(uint32_t tag) { return (tag & 7) == 2; }

/// True for the tag of a list of values in a Feature.
constexpr bool IsKindTag(uint32_t tag) {
  return tag == LengthTag(1) || tag == LengthTag(2) || tag == LengthTag(3);
}

bool Fits(Span record, const Grammar& grammar) {
  return GrammarMatcher().Matches(record, grammar);
}

/// Every writer of events puts the wall time first: seconds since 1970, so
/// 10^11 is the year 5138.
bool BeginsLikeEvent(Span record) {
  if (record.size < 9 || record.data[0] != kWallTimeTag) return false;
  const uint64_t bits = LoadLE64(record.data + 1);
  double wall_time;
  std::memcpy(&wall_time, &bits, sizeof(wall_time));
  return wall_time >= 0 && wall_time < 1e11;
}

/// True for a log of a call of a model, which has a name: so it is no other
/// message that happens to fit.
bool IsPredictionLog(Span record) {
  GrammarMatcher matcher;
  if (!matcher.Matches(record, kPredictionLogGrammar) || !matcher.named()) {
    return false;
  }
  WireReader reader(record);
  while (!reader.done()) {
    uint32_t tag;
    Span content;
    if (!reader.Tag(&tag) || !reader.Bytes(&content)) return false;
    if (tag != kMetadataTag && content.size > 0) return true;
  }
  return false;
}

// ---- Examples with unknown fields

/// Calls `visit` with the tag of each field, and with the content if it is
/// length-delimited. Returns false if the message is malformed or `visit`
/// returns false.
template <class Visit>
bool EachPart(Span message, Visit visit) {
  WireReader reader(message);
  while (!reader.done()) {
    uint32_t tag;
    if (!reader.Tag(&tag)) return false;
    Span part;
    if (!(IsLengthTag(tag) ? reader.Bytes(&part) : reader.Skip(tag)) ||
        !visit(tag, part)) {
      return false;
    }
  }
  return true;
}

/// True if `list` is the message of the values of a feature's field `tag`.
bool IsList(uint32_t kind_tag, Span list) {
  return EachPart(list, [kind_tag](uint32_t tag, Span packed) {
    if (tag != LengthTag(1)) return true;
    switch (kind_tag) {
      case LengthTag(2):
        return packed.size % sizeof(float) == 0;
      case LengthTag(3):
        return AreVarints(packed);
      default:
        return true;
    }
  });
}

/// How much of an Example some bytes show.
enum class Likeness : uint8_t {
  kNone,
  kName,  ///< A named feature without a kind.
  kKind,  ///< A feature with a kind.
};

/// A list that is cut short shows damage, not another type.
Likeness LikenessOfFeature(Span feature) {
  Likeness found = Likeness::kName;
  WireReader reader(feature);
  while (!reader.done()) {
    uint32_t tag;
    if (!reader.Tag(&tag)) return Likeness::kNone;
    if (!IsKindTag(tag)) {
      if (!reader.Skip(tag)) return Likeness::kNone;
      continue;
    }
    found = Likeness::kKind;
    Span list;
    if (!reader.Bytes(&list)) break;
    if (!IsList(tag, list)) return Likeness::kNone;
  }
  return found;
}

Likeness LikenessOfSteps(Span list) {
  Likeness found = Likeness::kName;
  const bool whole = EachPart(list, [&found](uint32_t tag, Span step) {
    if (tag == LengthTag(1)) found = std::max(found, LikenessOfFeature(step));
    return true;
  });
  return whole ? found : Likeness::kNone;
}

/// Judges an entry of features, or of feature lists.
Likeness LikenessOfEntry(Span entry, bool lists) {
  Span key;
  Span value;
  const bool whole = EachPart(entry, [&](uint32_t tag, Span part) {
    if (tag == LengthTag(1)) key = part;
    if (tag == LengthTag(2)) value = part;
    return true;
  });
  if (!whole || HasControls(key)) return Likeness::kNone;
  const Likeness found =
      lists ? LikenessOfSteps(value) : LikenessOfFeature(value);
  const bool named = key.data != nullptr || found == Likeness::kKind;
  return named ? found : Likeness::kNone;
}

/// True if the record has a feature with a kind, whatever it has beside that;
/// or if it has a named one, and nothing beside features and feature lists.
bool HasFeature(Span record) {
  Likeness found = Likeness::kNone;
  bool maps_only = true;
  const bool whole = EachPart(record, [&](uint32_t section, Span map) {
    if (section != LengthTag(1) && section != LengthTag(2)) {
      maps_only = false;
      return true;
    }
    return EachPart(map, [&](uint32_t tag, Span entry) {
      if (tag != LengthTag(1)) return true;
      found = std::max(found, LikenessOfEntry(entry, section == LengthTag(2)));
      return true;
    });
  });
  return whole &&
         (found == Likeness::kKind || (found == Likeness::kName && maps_only));
}

/// True if a list of the kind `kind_tag` has no values, or begins with one.
bool BeginsLikeList(uint32_t kind_tag, Span list) {
  if (list.size == 0 || list.data[0] == LengthTag(1)) return true;
  return (kind_tag == LengthTag(2) && list.data[0] == Fixed32Tag(1)) ||
         (kind_tag == LengthTag(3) && list.data[0] == VarintTag(1));
}

/// True if the record begins with a feature in the form that writers produce:
/// name, then value, which is one list. What comes after that does not matter.
bool BeginsLikeExample(Span record) {
  WireReader outer(record);
  uint32_t tag;
  Span features;
  if (!outer.Tag(&tag) || tag != LengthTag(1) || !outer.Bytes(&features)) {
    return false;
  }
  WireReader map(features);
  Span entry;
  if (!map.Tag(&tag) || tag != LengthTag(1) || !map.Bytes(&entry)) return false;
  WireReader parts(entry);
  Span key;
  Span value;
  if (!parts.Tag(&tag) || tag != LengthTag(1) || !parts.Bytes(&key) ||
      !parts.Tag(&tag) || tag != LengthTag(2) || !parts.Bytes(&value) ||
      !parts.done() || HasControls(key)) {
    return false;
  }
  WireReader feature(value);
  Span list;
  return feature.Tag(&tag) && IsKindTag(tag) && feature.Bytes(&list) &&
         feature.done() && BeginsLikeList(tag, list);
}

/// True if the record is one field of features and nothing else, as writers
/// make Examples.
bool HoldsFeaturesOnly(Span record) {
  WireReader reader(record);
  uint32_t tag;
  Span features;
  return reader.Tag(&tag) && tag == LengthTag(1) && reader.Bytes(&features) &&
         reader.done();
}

}  // namespace

RecordType RecordTypeOf(Span record) {
  GrammarMatcher matcher;
  RecordType found = RecordType::kUnknown;
  if (matcher.Matches(record, kExampleGrammar)) {
    found = RecordType::kExample;
  } else if (matcher.Matches(record, kSequenceExampleGrammar)) {
    found = RecordType::kSequenceExample;
  } else if (BeginsLikeEvent(record) && Fits(record, kEventGrammar)) {
    return RecordType::kEvent;
  }
  if (found != RecordType::kUnknown && !matcher.odd_names()) return found;
  if (Fits(record, kExampleListGrammar))
    return RecordType::kExampleListWithContext;
  if (IsPredictionLog(record)) return RecordType::kPredictionLog;
  if (found != RecordType::kUnknown) return found;
  return HasFeature(record) ? RecordType::kExtendedExample
                            : RecordType::kUnknown;
}

bool IsForeign(Span record) {
  if (BeginsLikeExample(record)) return false;
  switch (RecordTypeOf(record)) {
    case RecordType::kUnknown:
    case RecordType::kExampleListWithContext:
    case RecordType::kPredictionLog:
      return true;
    default:
      return false;
  }
}

RecordType OtherTypeOf(Span record, bool sequence) {
  if (BeginsLikeEvent(record) || !(sequence || HoldsFeaturesOnly(record))) {
    const RecordType type = RecordTypeOf(record);
    if (type == RecordType::kEvent ||
        (type == RecordType::kSequenceExample && !sequence)) {
      return type;
    }
  }
  return RecordType::kExample;
}

}  // namespace tfr
