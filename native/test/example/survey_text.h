#ifndef TFR_TEST_EXAMPLE_SURVEY_TEXT_H_
#define TFR_TEST_EXAMPLE_SURVEY_TEXT_H_

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/example/survey/survey.h"
#include "core/example/type/record_type.h"
#include "test/example/example_decodings.h"

/// Surveys written as text, by the survey itself and by a plain twin.
namespace tfr::test {

/// The sums over one feature, as the plain twin and the survey write them.
struct SurveyLine {
  uint64_t records = 0;
  uint64_t kinds[4] = {};
  uint64_t empty = 0;
  Extent counts;
  Extent steps;
  Extent lengths;
  std::set<int64_t> ints;
  bool many_ints = false;
  uint64_t int_zeros = 0;
  int64_t int_min = INT64_MAX;
  int64_t int_max = INT64_MIN;
  std::set<std::string> words;
  bool many_words = false;
  uint64_t nans = 0;
  uint64_t infinities = 0;
  uint64_t float_zeros = 0;
  float float_min = INFINITY;
  float float_max = -INFINITY;

  std::string Text() const {
    char text[512];
    const auto number = [](uint64_t n) {
      return static_cast<unsigned long long>(n);
    };
    std::snprintf(
        text, sizeof(text),
        "%llu [%llu %llu %llu %llu] e%llu c%llu..%llu=%llu s%llu..%llu=%llu "
        "l%llu..%llu=%llu i%lld..%lld 0:%llu f%a..%a 0:%llu n%llu x%llu",
        number(records), number(kinds[0]), number(kinds[1]), number(kinds[2]),
        number(kinds[3]), number(empty), number(counts.min), number(counts.max),
        number(counts.total), number(steps.min), number(steps.max),
        number(steps.total), number(lengths.min), number(lengths.max),
        number(lengths.total), static_cast<long long>(int_min),
        static_cast<long long>(int_max), number(int_zeros),
        static_cast<double>(float_min), static_cast<double>(float_max),
        number(float_zeros), number(nans), number(infinities));
    std::string line = text;
    line += many_ints ? " many" : "";
    for (const int64_t value : ints) line += " " + std::to_string(value);
    line += many_words ? " many" : "";
    for (const std::string& word : words) line += " '" + word + "'";
    return line;
  }
};

using SurveyLines = std::map<std::pair<bool, std::string>, SurveyLine>;

inline std::string TextOf(const SurveyLines& lines) {
  std::string all;
  for (const auto& [key, line] : lines) {
    all += (key.first ? "list " : "") + key.second + ": " + line.Text() + "\n";
  }
  return all;
}

inline std::string TextOf(const Survey& survey) {
  SurveyLines lines;
  for (const auto& feature : survey.features()) {
    const FeatureSummary& from = feature->summary;
    if (from.records == 0) continue;
    SurveyLine& to =
        lines[{feature->section == Section::kLists, feature->name}];
    to.records = from.records;
    std::copy(from.features, from.features + 4, to.kinds);
    to.empty = from.empty;
    to.counts = from.counts;
    to.steps = from.steps;
    to.lengths = from.bytes.lengths;
    to.ints.insert(from.ints.distinct.values().begin(),
                   from.ints.distinct.values().end());
    to.many_ints = from.ints.distinct.many();
    to.int_zeros = from.ints.zeros;
    to.int_min = from.ints.min;
    to.int_max = from.ints.max;
    const DistinctBytes& words = from.bytes.distinct;
    for (size_t i = 0; i < words.size(); ++i) {
      const Span word = words.at(i);
      to.words.emplace(reinterpret_cast<const char*>(word.data), word.size);
    }
    to.many_words = words.many();
    to.nans = from.floats.nans;
    to.infinities = from.floats.infinities;
    to.float_zeros = from.floats.zeros;
    to.float_min = from.floats.min;
    to.float_max = from.floats.max;
  }
  return TextOf(lines);
}

/// The plain twin.
inline SurveyLines PlainSurvey(const std::vector<DecodedEntries>& records) {
  SurveyLines lines;
  std::map<std::pair<bool, std::string>, size_t> word_bytes;
  for (const DecodedEntries& entries : records) {
    std::map<std::pair<bool, std::string>, const DecodedEntry*> last;
    for (const DecodedEntry& entry : entries) {
      last[{entry.list, entry.name}] = &entry;
    }
    for (const auto& [key, entry] : last) {
      SurveyLine& line = lines[key];
      ++line.records;
      if (entry->list) line.steps.Add(entry->features.size());
      for (const PlainFeature& feature : entry->features) {
        ++line.kinds[static_cast<size_t>(feature.kind)];
        if (feature.kind == Kind::kNone) continue;
        const size_t count =
            feature.bytes.size() + feature.floats.size() + feature.ints.size();
        line.empty += count == 0;
        line.counts.Add(count);
        for (const int64_t value : feature.ints) {
          line.ints.insert(value);
          line.int_zeros += value == 0;
          line.int_min = std::min(line.int_min, value);
          line.int_max = std::max(line.int_max, value);
        }
        for (const uint32_t bits : feature.floats) {
          float value;
          std::memcpy(&value, &bits, sizeof(value));
          line.nans += std::isnan(value);
          line.infinities += std::isinf(value);
          line.float_zeros += value == 0;
          if (!std::isfinite(value)) continue;
          line.float_min = std::min(line.float_min, value);
          line.float_max = std::max(line.float_max, value);
        }
        for (const std::string& value : feature.bytes) {
          line.lengths.Add(value.size());
          line.many_words |= value.size() > DistinctBytes::kLongest;
          if (line.words.insert(value).second) word_bytes[key] += value.size();
        }
      }
    }
  }
  for (auto& [key, line] : lines) {
    line.many_ints = line.ints.size() > kMostDistinct;
    if (line.many_ints) line.ints.clear();
    line.many_words |= line.words.size() > kMostDistinct ||
                       word_bytes[key] > DistinctBytes::kMostBytes;
    if (line.many_words) line.words.clear();
  }
  return lines;
}

inline bool IsUtf8Text(const std::string& text) {
  return TextKindOf(reinterpret_cast<const uint8_t*>(text.data()),
                    text.size()) != TextKind::kBinary;
}

/// Surveys `records` in one go, in two merged halves, and plainly. Records that
/// the survey refuses must be malformed, foreign, or have a name that is not
/// UTF-8. Returns the first difference, or nothing.
inline std::string CompareSurveys(const std::vector<std::string>& records) {
  Survey whole;
  Survey parts[2];
  std::vector<DecodedEntries> taken;
  const Slab slab(records);
  for (size_t i = 0; i < records.size(); ++i) {
    const Frame frame = slab.frames()[i];
    const Span record = {slab.data() + frame.offset, frame.length};
    const Survey::Outcome outcome = whole.Take(record);
    if (parts[2 * i / records.size()].Take(record) != outcome) {
      return "another outcome";
    }
    const auto plain = PlainDecode(records[i], true);
    bool names = true;
    if (plain) {
      for (const auto& entry : *plain) names &= IsUtf8Text(entry.name);
    }
    if (outcome == Survey::Outcome::kTaken) {
      if (!plain || !names) return "taken, but malformed";
      taken.push_back(*plain);
    } else if (outcome == Survey::Outcome::kForeign) {
      if (!plain || records[i].empty()) return "not foreign";
      if (!plain->empty() && !IsForeign(record)) return "has features";
    } else if (outcome != Survey::Outcome::kMalformed) {
      return "an outcome of limits";
    }
  }
  if (whole.records() != taken.size()) return "other number of records";
  Survey merged;
  for (Survey& part : parts) {
    if (merged.Merge(&part) != Survey::Outcome::kTaken) return "not merged";
  }
  const std::string plain = TextOf(PlainSurvey(taken));
  if (TextOf(whole) != plain) return TextOf(whole) + "plain:\n" + plain;
  if (TextOf(merged) != plain) return "merged: " + TextOf(merged) + plain;
  if (merged.records() != taken.size()) return "merged records";
  if (merged.with_lists() != whole.with_lists()) return "merged lists";
  return "";
}

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_SURVEY_TEXT_H_
