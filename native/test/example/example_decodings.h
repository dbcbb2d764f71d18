#ifndef TFR_TEST_EXAMPLE_EXAMPLE_DECODINGS_H_
#define TFR_TEST_EXAMPLE_EXAMPLE_DECODINGS_H_

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/example/decode/decoded_block.h"
#include "core/example/decode/example_decoder.h"
#include "test/example/example_runs.h"
#include "test/example/plain_parser.h"

/// Decodes records with the decoder and with a plain implementation, and
/// compares.
namespace tfr::test {

/// One entry of a record: features have one element, lists one per step.
struct DecodedEntry {
  std::string name;
  bool list = false;
  std::vector<PlainFeature> features;
};

inline bool operator==(const PlainFeature& a, const PlainFeature& b) {
  return a.kind == b.kind && a.bytes == b.bytes && a.floats == b.floats &&
         a.ints == b.ints;
}

inline bool operator==(const DecodedEntry& a, const DecodedEntry& b) {
  return a.name == b.name && a.list == b.list && a.features == b.features;
}

using DecodedEntries = std::vector<DecodedEntry>;

inline bool TakePlainSteps(std::string_view list,
                           std::vector<PlainFeature>* steps) {
  const PlainMessage message(list, 3);
  for (const PlainField& field : message.fields) {
    if (field.number != 1 || field.type != 2) continue;
    const auto feature = PlainFeatureOf({field.bytes}, 4);
    if (!feature) return false;
    steps->push_back(*feature);
  }
  return message.whole;
}

inline std::optional<DecodedEntry> PlainEntryOf(std::string_view bytes,
                                                bool list) {
  const PlainMessage message(bytes, 2);
  DecodedEntry entry;
  entry.list = list;
  std::vector<std::string_view> pieces;
  for (const PlainField& part : message.fields) {
    if (part.type != 2) continue;
    if (part.number == 1) entry.name = part.bytes;
    if (part.number == 2) pieces.push_back(part.bytes);
  }
  if (!message.whole) return std::nullopt;
  if (list) {
    for (const std::string_view piece : pieces) {
      if (!TakePlainSteps(piece, &entry.features)) return std::nullopt;
    }
    return entry;
  }
  const auto feature = PlainFeatureOf(pieces, 3);
  if (!feature) return std::nullopt;
  entry.features.push_back(*feature);
  return entry;
}

/// Returns nothing for malformed bytes.
inline std::optional<DecodedEntries> PlainDecode(std::string_view record,
                                                 bool sequence) {
  DecodedEntries all;
  const PlainMessage example(record, 0);
  for (const PlainField& map : example.fields) {
    const bool lists = sequence && map.number == 2;
    if (map.type != 2 || (map.number != 1 && !lists)) continue;
    const PlainMessage entries(map.bytes, 1);
    for (const PlainField& field : entries.fields) {
      if (field.type != 2 || field.number != 1) continue;
      const auto entry = PlainEntryOf(field.bytes, lists);
      if (!entry) return std::nullopt;
      all.push_back(*entry);
    }
    if (!entries.whole) return std::nullopt;
  }
  if (!example.whole) return std::nullopt;
  return all;
}

/// Reads a decoded record from its block.
class BlockReader {
 public:
  BlockReader(const DecodedRecord& decoded, std::string_view record)
      : record_(record), block_(DecodedBlockSize(decoded)) {
    WriteDecodedBlock(decoded, block_.data());
  }

  DecodedEntries Entries() const {
    DecodedEntries entries;
    const auto rows = At<DecodedHead>(0).rows;
    for (uint32_t i = 0; i < rows;) {
      const auto row = RowAt(i++);
      DecodedEntry entry;
      entry.name = record_.substr(row.name_offset, row.name_size);
      entry.list = row.kind == RowKind::kSteps;
      if (!entry.list) entry.features.push_back(FeatureOf(row));
      for (uint32_t step = 0; entry.list && step < row.count; ++step) {
        entry.features.push_back(FeatureOf(RowAt(i++)));
      }
      entries.push_back(entry);
    }
    return entries;
  }

  std::vector<std::string> IdleNames() const {
    const auto head = At<DecodedHead>(0);
    std::vector<std::string> names;
    for (uint32_t i = 0; i < head.idle_names; ++i) {
      const size_t pair = head.first_idle_name + size_t{i} * 2;
      names.emplace_back(
          record_.substr(At<uint32_t>(pair), At<uint32_t>(pair + 1)));
    }
    return names;
  }

  DecodedRow RowAt(uint32_t row) const {
    DecodedRow found;
    std::memcpy(&found,
                block_.data() + sizeof(DecodedHead) + row * sizeof(found),
                sizeof(found));
    return found;
  }

 private:
  template <class T>
  T At(size_t index) const {
    T value;
    std::memcpy(&value, block_.data() + index * sizeof(T), sizeof(T));
    return value;
  }

  PlainFeature FeatureOf(const DecodedRow& row) const {
    PlainFeature feature;
    for (uint32_t i = row.first; i < row.first + row.count; ++i) {
      if (row.kind == RowKind::kFloat) {
        feature.floats.push_back(At<uint32_t>(i));
      } else if (row.kind == RowKind::kInt64) {
        feature.ints.push_back(At<int64_t>(i));
      }
    }
    for (uint32_t i = 0; i < row.count; ++i) {
      if (row.kind == RowKind::kBytes) {
        feature.bytes.emplace_back(
            record_.substr(At<uint32_t>(row.first + size_t{i} * 2),
                           At<uint32_t>(row.first + size_t{i} * 2 + 1)));
      } else if (row.kind == RowKind::kPacked) {
        uint32_t bits;
        std::memcpy(&bits, record_.data() + row.first + size_t{i} * 4, 4);
        feature.floats.push_back(bits);
      }
    }
    const bool packed = row.kind == RowKind::kPacked;
    feature.kind = packed ? Kind::kFloat : static_cast<Kind>(row.kind);
    return feature;
  }

  const std::string_view record_;
  std::vector<uint8_t> block_;
};

/// Decodes `record` both ways, as an Example and as a SequenceExample. Returns
/// the first difference, or nothing.
inline std::string CompareDecoded(const std::string& record) {
  using Outcome = ExampleDecoder::Outcome;
  const Slab slab({record});
  for (const bool sequence : {false, true}) {
    const std::string what = sequence ? "as a SequenceExample: " : "";
    ExampleDecoder decoder(sequence);
    const Outcome outcome = decoder.Decode({slab.data(), slab.size()});
    const auto plain = PlainDecode(record, sequence);
    if (plain.has_value() != (outcome == Outcome::kDecoded)) {
      return what + (plain ? "refused" : "accepted");
    }
    if (!plain) continue;
    if (!(BlockReader(decoder.decoded(), record).Entries() == *plain)) {
      return what + "other values";
    }
  }
  return "";
}

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_EXAMPLE_DECODINGS_H_
