#ifndef TFR_CORE_EXAMPLE_PARSE_FEATURE_WALK_H_
#define TFR_CORE_EXAMPLE_PARSE_FEATURE_WALK_H_

#include "core/example/parse/feature_values.h"
#include "core/example/parse/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// What became of one Feature. Its values are in the column when `taken` is
/// kValues and `kind` the wanted one; else the caller takes them back.
struct FeatureResult {
  Taken taken = Taken::kValues;
  Kind kind = Kind::kNone;
  /// What is malformed.
  const uint8_t* broken = nullptr;
};

/// True if `list` is a valid list of `kind`; otherwise `*broken` is the place
/// of the error. `depth` is the depth of the list.
bool JudgeList(Kind kind, Span list, size_t depth, const uint8_t** broken);

/// The kind whose list the field `tag` of a Feature holds, or kNone.
constexpr Kind KindOfTag(uint32_t tag) {
  switch (tag) {
    case LengthTag(1):
      return Kind::kBytes;
    case LengthTag(2):
      return Kind::kFloat;
    case LengthTag(3):
      return Kind::kInt64;
    default:
      return Kind::kNone;
  }
}

/// Takes the rest of a list at depth `depth`, field by field.
template <class Values>
Taken TakeFields(Span list, size_t depth, const uint8_t* limit, Values* values,
                 const uint8_t** broken) {
  WireReader reader(list, depth);
  Taken taken = Taken::kValues;
  while (taken == Taken::kValues && !reader.done()) {
    uint32_t tag;
    taken = reader.Tag(&tag) ? values->Field(tag, &reader, limit)
                             : Taken::kMalformed;
  }
  *broken = reader.position();
  return taken;
}

/// The lists of one Feature, or of a piece of one, by protobuf's rules: calls
/// `take(kind, list)`, which gives a Taken, for one after the other. Unknown
/// fields are passed over.
template <class Take>
Taken WalkLists(Span feature, Depth depth, const uint8_t** broken, Take take) {
  WireReader reader(feature, depth);
  while (!reader.done()) {
    uint32_t tag;
    const bool has_tag = reader.Tag(&tag);
    const Kind kind = has_tag ? KindOfTag(tag) : Kind::kNone;
    Span list;
    if (!has_tag ||
        !(kind == Kind::kNone ? reader.Skip(tag) : reader.Bytes(&list))) {
      *broken = reader.position();
      return Taken::kMalformed;
    }
    if (kind == Kind::kNone) continue;
    const Taken taken = take(kind, list);
    if (taken != Taken::kValues) return taken;
  }
  return Taken::kValues;
}

/// One Feature by protobuf's rules: of several kinds the last counts, lists of
/// one kind in a row are one list.
template <class Values>
FeatureResult WalkFeature(Span feature, Depth depth, const uint8_t* limit,
                          Values* values) {
  const size_t start = values->Size();
  const size_t within = DepthWithin(depth);
  FeatureResult result;
  const auto take = [&](Kind kind, Span list) {
    if (kind != result.kind) values->Truncate(start);
    result.kind = kind;
    if (kind == Values::kKind) {
      return TakeFields(list, within, limit, values, &result.broken);
    }
    return JudgeList(kind, list, within, &result.broken) ? Taken::kValues
                                                         : Taken::kMalformed;
  };
  result.taken = WalkLists(feature, depth, &result.broken, take);
  return result;
}

/// The one chunk, or the one value, of a Feature with nothing else in it:
/// `tag length 0a length ...`, as writers make it. False for any other.
inline bool OnlyPart(uint32_t tag, Span feature, Span* part) {
  const uint8_t* const end = feature.end();
  size_t size;
  if (feature.size < 4 || feature.data[0] != tag) return false;
  // Short ones, as most are, by one look at all four bytes.
  const auto content = static_cast<uint32_t>(feature.size - 4);
  if (feature.size < 0x80 &&
      LoadLE32(feature.data) ==
          (tag | (content + 2) << 8 | LengthTag(1) << 16 | content << 24)) {
    *part = {feature.data + 4, content};
    return true;
  }
  const uint8_t* p = ShortLength(feature.data + 1, end, &size);
  if (p == nullptr || size != static_cast<size_t>(end - p) || size < 2 ||
      *p != LengthTag(1)) {
    return false;
  }
  p = ShortLength(p + 1, end, &size);
  if (p == nullptr || size != static_cast<size_t>(end - p)) return false;
  *part = {p, size};
  return true;
}

/// A Feature as writers make it, and behind it any other.
template <class Values>
inline FeatureResult TakeFeature(Span feature, Depth depth,
                                 const uint8_t* limit, Values* values) {
  FeatureResult result;
  Span part;
  if (OnlyPart(Values::kTag, feature, &part)) {
    result.kind = Values::kKind;
    result.taken = values->Packed(part, limit);
    // What is malformed was not taken; the walk finds the place.
    if (result.taken != Taken::kMalformed) return result;
  }
  return WalkFeature(feature, depth, limit, values);
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_FEATURE_WALK_H_
