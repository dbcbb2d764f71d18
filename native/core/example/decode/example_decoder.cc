#include "core/example/decode/example_decoder.h"

#include "core/example/decode/row_taker.h"

namespace tfr {

namespace {

using Outcome = ExampleDecoder::Outcome;

constexpr uint32_t kFeaturesTag = LengthTag(1);
constexpr uint32_t kFeatureListsTag = LengthTag(2);
constexpr uint32_t kEntryTag = LengthTag(1);
constexpr uint32_t kNameTag = LengthTag(1);
constexpr uint32_t kValueTag = LengthTag(2);
constexpr uint32_t kStepTag = LengthTag(1);

Outcome OutcomeOf(Taken taken) {
  switch (taken) {
    case Taken::kValues:
      return Outcome::kDecoded;
    case Taken::kMalformed:
      return Outcome::kMalformed;
    default:
      return Outcome::kNoMemory;
  }
}

}  // namespace

void ExampleDecoder::Clear() {
  record_ = {};
  decoded_.Clear();
}

Outcome ExampleDecoder::Decode(Span record) {
  Clear();
  record_ = record;
  WireReader reader(record, Depth::kRecord);
  while (!reader.done()) {
    uint32_t tag;
    Span map;
    if (!reader.Tag(&tag)) return Outcome::kMalformed;
    const bool lists = sequence_ && tag == kFeatureListsTag;
    if (tag != kFeaturesTag && !lists) {
      if (!reader.Skip(tag)) return Outcome::kMalformed;
      continue;
    }
    if (!reader.Bytes(&map)) return Outcome::kMalformed;
    const Outcome outcome = Map(map, lists);
    if (outcome != Outcome::kDecoded) return outcome;
  }
  return Outcome::kDecoded;
}

Outcome ExampleDecoder::Map(Span map, bool lists) {
  WireReader reader(map, Depth::kMap);
  while (!reader.done()) {
    uint32_t tag;
    Span entry;
    if (!reader.Tag(&tag)) return Outcome::kMalformed;
    if (tag != kEntryTag) {
      if (!reader.Skip(tag)) return Outcome::kMalformed;
      continue;
    }
    if (!reader.Bytes(&entry)) return Outcome::kMalformed;
    const Outcome outcome = Entry(entry, lists);
    if (outcome != Outcome::kDecoded) return outcome;
  }
  return Outcome::kDecoded;
}

/// Absent parts are empty, the last of several names wins, and the pieces of a
/// value are merged.
Outcome ExampleDecoder::Entry(Span entry, bool list) {
  RowTaker row(record_, Depth::kValue, &decoded_);
  if (!row.Begin()) return Outcome::kNoMemory;
  bool first = true;
  WireReader reader(entry, Depth::kEntry);
  while (!reader.done()) {
    uint32_t tag;
    Span part;
    if (!reader.Tag(&tag)) return Outcome::kMalformed;
    if (tag != kNameTag && tag != kValueTag) {
      if (!reader.Skip(tag)) return Outcome::kMalformed;
      continue;
    }
    if (!reader.Bytes(&part)) return Outcome::kMalformed;
    if (tag == kNameTag) {
      if (!row.Name(part)) return Outcome::kNoMemory;
      continue;
    }
    const Outcome outcome =
        list ? Steps(part, &row)
             : OutcomeOf(row.Piece(part, first && reader.done()));
    if (outcome != Outcome::kDecoded) return outcome;
    first = false;
  }
  if (list) {
    row.EndSteps();
  } else {
    row.EndFeature();
  }
  return Outcome::kDecoded;
}

Outcome ExampleDecoder::Steps(Span list, RowTaker* row) {
  WireReader reader(list, Depth::kValue);
  while (!reader.done()) {
    uint32_t tag;
    Span feature;
    if (!reader.Tag(&tag)) return Outcome::kMalformed;
    if (tag != kStepTag) {
      if (!reader.Skip(tag)) return Outcome::kMalformed;
      continue;
    }
    if (!reader.Bytes(&feature)) return Outcome::kMalformed;
    RowTaker step(record_, Depth::kStep, &decoded_);
    if (!step.Begin()) return Outcome::kNoMemory;
    const Outcome outcome = OutcomeOf(step.Piece(feature, true));
    if (outcome != Outcome::kDecoded) return outcome;
    step.EndFeature();
    row->AddStep();
  }
  return Outcome::kDecoded;
}

}  // namespace tfr
