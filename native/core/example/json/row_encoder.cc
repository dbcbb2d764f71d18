#include "core/example/json/row_encoder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/base/endian.h"
#include "core/example/encode/batch_encoder.h"
#include "core/example/wire/wire_writer.h"

namespace tfr {
namespace {

constexpr auto kFirst = static_cast<uint8_t>(LengthTag(1));
constexpr auto kSecond = static_cast<uint8_t>(LengthTag(2));
/// Room after a record for writes of constant size.
constexpr size_t kPadding = 32;

uint8_t ListTag(Kind kind) {
  return static_cast<uint8_t>(LengthTag(static_cast<uint32_t>(kind)));
}

/// Size of the list message.
uint64_t ListSize(Kind kind, uint64_t content) {
  return kind == Kind::kBytes || content == 0 ? content : FieldSize(content);
}

/// The integer of text that is an int64.
int64_t IntegerOf(Span text) {
  const bool negative = text.data[0] == '-';
  uint64_t value = 0;
  for (size_t i = negative ? 1 : 0; i < text.size; ++i) {
    value = value * 10 + (text.data[i] - '0');
  }
  return static_cast<int64_t>(negative ? 0 - value : value);
}

/// Rounds `value` to a double and then to float32. Returns false if the result
/// is another integer: without a spec, JavaScript then decides whether `value`
/// is its shortest decimal.
bool ToExactFloat(int64_t value, float* result) {
  *result = static_cast<float>(static_cast<double>(value));
  constexpr float kTooLarge = 0x1p63F;
  return *result < kTooLarge && static_cast<int64_t>(*result) == value;
}

float FloatOfWord(Span text) {
  if (text.data[0] == 'N') return std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  return text.data[0] == '-' ? -infinity : infinity;
}

/// The float of a value. Returns false if there is none, or only by rules that
/// JavaScript knows. `rounds`: integers may be rounded.
bool FloatOf(const JsonRows& rows, size_t value, bool rounds, float* result) {
  switch (rows.literal(value)) {
    case Literal::kFloat:
      *result = rows.real(value);
      return true;
    case Literal::kInt64:
      if (ToExactFloat(rows.integer(value), result)) return true;
      return rounds;
    case Literal::kWord:
      *result = FloatOfWord(rows.bytes(value));
      return true;
    case Literal::kMinusZero:
      *result = -0.0F;
      return true;
    default:
      return false;
  }
}

/// The integer of a value. Returns false if there is none.
bool IntegerOf(const JsonRows& rows, size_t value, int64_t* result) {
  switch (rows.literal(value)) {
    case Literal::kInt64:
      *result = rows.integer(value);
      return true;
    case Literal::kDigits:
      *result = IntegerOf(rows.bytes(value));
      return true;
    default:
      return false;
  }
}

}  // namespace

bool RowEncoder::Encode(const JsonRows& rows, const std::vector<uint8_t>& kinds,
                        const RowSpec* spec) {
  if (held_bytes() > kMostKeptRowBytes) Free();
  kinds_ = kinds;
  kinds_.resize(rows.names().size(), static_cast<uint8_t>(Kind::kNone));
  spec_ = spec;
  states_.clear();
  frames_.clear();
  data_.Resize(0);
  Rank(rows);
  for (const JsonRows::Row& row : rows.rows()) {
    states_.push_back(row.state);
    if (row.state != JsonRows::State::kTaken) continue;
    const size_t before = data_.size();
    if (!EncodeRow(rows, row)) return false;
    // A record has at least two bytes.
    if (data_.size() == before) {
      states_.back() = JsonRows::State::kRefused;
    } else {
      frames_.push_back({static_cast<uint32_t>(before),
                         static_cast<uint32_t>(data_.size() - before)});
    }
  }
  return true;
}

void RowEncoder::Free() {
  data_.Free();
  *this = RowEncoder();
}

size_t RowEncoder::held_bytes() const {
  return data_.capacity() +
         (measured_.capacity() + steps_.capacity()) * sizeof(Measured);
}

void RowEncoder::Rank(const JsonRows& rows) {
  const RowNames& names = rows.names();
  std::vector<uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&names](uint32_t a, uint32_t b) {
    return names[a].text < names[b].text;
  });
  ranks_.resize(names.size());
  for (size_t i = 0; i < order.size(); ++i) {
    ranks_[order[i]] = static_cast<uint32_t>(i);
  }
}

/// Adds the record of `row`; nothing if a value does not fit. Returns false
/// when memory runs out.
bool RowEncoder::EncodeRow(const JsonRows& rows, const JsonRows::Row& row) {
  measured_.clear();
  steps_.clear();
  has_booleans_ = row.has_booleans;
  if (spec_ != nullptr && !HasRequired(rows, row)) return true;
  uint64_t features = 0;
  uint64_t lists = 0;
  if (!MeasureMap(rows, row.begin, row.lists, &features)) return true;
  const size_t middle = measured_.size();
  if (!MeasureMap(rows, row.lists, row.end, &lists)) return true;
  const uint64_t size =
      FieldSize(features) + (row.is_sequence ? FieldSize(lists) : 0);
  const size_t before = data_.size();
  if (size > kMaxExampleBytes || before + size + kPadding > kMaxBatchBytes) {
    return true;
  }
  const auto end = before + static_cast<size_t>(size);
  if (data_.capacity() < end + kPadding &&
      !data_.Reserve(std::max(end + kPadding, 2 * data_.capacity()))) {
    return false;
  }
  uint8_t* p = data_.data() + before;
  const uint8_t* const limit = data_.data() + end + kPadding;
  p = WriteHead(p, limit, kFirst, features);
  p = WriteMap(rows, 0, middle, p, limit);
  if (row.is_sequence) {
    p = WriteHead(p, limit, kSecond, lists);
    WriteMap(rows, middle, measured_.size(), p, limit);
  }
  data_.Resize(end);
  return true;
}

/// True if `row` is an Example with all features that the spec requires.
bool RowEncoder::HasRequired(const JsonRows& rows,
                             const JsonRows::Row& row) const {
  if (row.is_sequence) return false;
  size_t count = 0;
  for (uint32_t i = row.begin; i < row.end; ++i) {
    const RowEntry& entry = rows.entries()[i];
    if (entry.form != RowEntry::Form::kNull && spec_->required[entry.name]) {
      ++count;
    }
  }
  return count == spec_->required_count;
}

bool RowEncoder::FitsSpec(const RowEntry& entry) const {
  if (entry.form == RowEntry::Form::kNull || kinds_[entry.name] == kSkipped) {
    return true;
  }
  if (KindOf(entry) == Kind::kNone) return entry.count == 0;
  if (KindOf(entry) == Kind::kFloat && has_booleans_) return false;
  const uint32_t count = spec_->counts[entry.name];
  return count == RowSpec::kAnyCount || count == entry.count;
}

/// False if the record has no entry for a feature: by a spec, null means that
/// it is missing.
bool RowEncoder::IsWritten(const RowEntry& entry) const {
  if (kinds_[entry.name] == kSkipped) return false;
  return spec_ == nullptr ||
         (entry.form != RowEntry::Form::kNull && KindOf(entry) != Kind::kNone);
}

bool RowEncoder::MeasureMap(const JsonRows& rows, uint32_t begin, uint32_t end,
                            uint64_t* size) {
  const size_t first = measured_.size();
  for (uint32_t i = begin; i < end; ++i) {
    const RowEntry& entry = rows.entries()[i];
    const bool is_list = entry.form == RowEntry::Form::kSteps;
    const uint32_t steps = is_list ? entry.count : 0;
    if (spec_ != nullptr && !FitsSpec(entry)) return false;
    if (IsWritten(entry)) {
      Measured measured{i, entry.name};
      if (!(is_list ? MeasureSteps(rows, i, &measured)
                    : MeasureFeature(rows, entry, &measured))) {
        return false;
      }
      *size += FieldSize(FieldSize(rows.names()[entry.name].text.size()) +
                         FieldSize(measured.size));
      measured_.push_back(measured);
    }
    i += steps;
  }
  const auto by_rank = [this](const Measured& a, const Measured& b) {
    return ranks_[a.name] < ranks_[b.name];
  };
  const auto from = measured_.begin() + static_cast<ptrdiff_t>(first);
  if (!std::is_sorted(from, measured_.end(), by_rank)) {
    std::sort(from, measured_.end(), by_rank);
  }
  return true;
}

/// Measures the steps of a feature list; `content` becomes the index of the
/// first in `steps_`.
bool RowEncoder::MeasureSteps(const JsonRows& rows, uint32_t list,
                              Measured* measured) {
  measured->content = steps_.size();
  const uint32_t count = rows.entries()[list].count;
  for (uint32_t i = list + 1; i <= list + count; ++i) {
    const RowEntry& step = rows.entries()[i];
    Measured one{i, step.name};
    if (!MeasureFeature(rows, step, &one)) return false;
    measured->size += FieldSize(one.size);
    steps_.push_back(one);
  }
  return true;
}

bool RowEncoder::MeasureFeature(const JsonRows& rows, const RowEntry& entry,
                                Measured* measured) {
  const Kind kind = KindOf(entry);
  if (entry.form == RowEntry::Form::kNull || kind == Kind::kNone) return true;
  for (uint32_t i = entry.first; i < entry.first + entry.count; ++i) {
    if (!MeasureValue(rows, i, kind, &measured->content)) return false;
  }
  measured->size = FieldSize(ListSize(kind, measured->content));
  return true;
}

bool RowEncoder::MeasureValue(const JsonRows& rows, size_t value, Kind kind,
                              uint64_t* size) {
  if (kind == Kind::kFloat) {
    float real = 0;
    *size += sizeof(float);
    return FloatOf(rows, value, spec_ != nullptr, &real);
  }
  if (kind == Kind::kInt64) {
    int64_t integer = 0;
    if (!IntegerOf(rows, value, &integer)) return false;
    *size += VarintSize(static_cast<uint64_t>(integer));
    return true;
  }
  const Literal literal = rows.literal(value);
  if (literal == Literal::kInt64 || literal == Literal::kFloat) return false;
  *size += FieldSize(rows.bytes(value).size);
  return true;
}

uint8_t* RowEncoder::WriteMap(const JsonRows& rows, size_t begin, size_t end,
                              uint8_t* p, const uint8_t* limit) {
  for (size_t i = begin; i < end; ++i) {
    const Measured& measured = measured_[i];
    const RowEntry& entry = rows.entries()[measured.entry];
    const std::string& name = rows.names()[entry.name].text;
    p = WriteHead(p, limit, kFirst,
                  FieldSize(name.size()) + FieldSize(measured.size));
    p = WriteHead(p, limit, kFirst, name.size());
    p = std::copy(name.begin(), name.end(), p);
    p = WriteHead(p, limit, kSecond, measured.size);
    if (entry.form != RowEntry::Form::kSteps) {
      p = WriteFeature(rows, measured, p, limit);
      continue;
    }
    for (size_t step = 0; step < entry.count; ++step) {
      const Measured& one = steps_[measured.content + step];
      p = WriteHead(p, limit, kFirst, one.size);
      p = WriteFeature(rows, one, p, limit);
    }
  }
  return p;
}

uint8_t* RowEncoder::WriteFeature(const JsonRows& rows,
                                  const Measured& measured, uint8_t* p,
                                  const uint8_t* limit) {
  if (measured.size == 0) return p;
  const RowEntry& entry = rows.entries()[measured.entry];
  const Kind kind = KindOf(entry);
  p = WriteHead(p, limit, ListTag(kind), ListSize(kind, measured.content));
  if (kind != Kind::kBytes && measured.content > 0) {
    p = WriteHead(p, limit, kFirst, measured.content);
  }
  for (size_t i = entry.first; i < size_t{entry.first} + entry.count; ++i) {
    if (kind == Kind::kInt64) {
      int64_t integer = 0;
      IntegerOf(rows, i, &integer);
      p = WriteVarint(p, limit, static_cast<uint64_t>(integer));
    } else if (kind == Kind::kFloat) {
      float real = 0;
      FloatOf(rows, i, spec_ != nullptr, &real);
      uint32_t bits = 0;
      std::memcpy(&bits, &real, sizeof(bits));
      StoreLE32(p, bits);
      p += sizeof(bits);
    } else {
      const Span bytes = rows.bytes(i);
      p = WriteHead(p, limit, kFirst, bytes.size);
      if (bytes.size > 0) std::memcpy(p, bytes.data, bytes.size);
      p += bytes.size;
    }
  }
  return p;
}

}  // namespace tfr
