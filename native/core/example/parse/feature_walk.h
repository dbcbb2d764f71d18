#ifndef TFR_CORE_EXAMPLE_PARSE_FEATURE_WALK_H_
#define TFR_CORE_EXAMPLE_PARSE_FEATURE_WALK_H_

#include "core/example/parse/feature_values.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Result of taking one Feature. If `taken` is kValues and `kind` the column's,
/// its values are in the column; otherwise the caller must drop them.
struct FeatureResult {
  Taken taken = Taken::kValues;
  Kind kind = Kind::kNone;
  /// Position of malformed bytes.
  const uint8_t* broken = nullptr;
};

/// True if `list` is a valid list of `kind`; otherwise sets `*broken` to the
/// position of the error. `depth` is the depth of the list.
bool JudgeList(Kind kind, Span list, size_t depth, const uint8_t** broken);

/// Returns the kind of the list in the field `tag` of a Feature, or kNone.
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

/// Takes all fields of a list at depth `depth`.
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

/// Calls `take(kind, list)`, which returns a Taken, for each list of a Feature
/// or of a part of one, in order, by protobuf's rules. Skips unknown fields.
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

/// Takes one Feature by protobuf's rules: the last of several kinds wins, and
/// consecutive lists of one kind are concatenated.
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

/// Finds the only chunk (for bytes: the only value) of a Feature in the form
/// that writers produce: `tag length 0a length ...`. Returns false for any
/// other form.
inline bool OnlyPart(uint32_t tag, Span feature, Span* part) {
  const uint8_t* const end = feature.end();
  size_t size;
  if (feature.size < 4 || feature.data[0] != tag) return false;
  // Most are short: compares all four bytes at once.
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

/// Takes a Feature: fast in the form that writers produce, else by
/// `WalkFeature`.
template <class Values>
inline FeatureResult TakeFeature(Span feature, Depth depth,
                                 const uint8_t* limit, Values* values) {
  FeatureResult result;
  Span part;
  if (OnlyPart(Values::kTag, feature, &part)) {
    result.kind = Values::kKind;
    result.taken = values->Packed(part, limit);
    // `Packed` took nothing; the walk finds the position of the error.
    if (result.taken != Taken::kMalformed) return result;
  }
  return WalkFeature(feature, depth, limit, values);
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_FEATURE_WALK_H_
