#include "core/example/csv/csv_encoder.h"

#include <algorithm>
#include <cstring>

#include "core/base/endian.h"
#include "core/example/csv/csv_number.h"
#include "core/example/encode/batch_encoder.h"
#include "core/example/wire/wire_writer.h"

namespace tfr {
namespace {

constexpr auto kFirst = static_cast<uint8_t>(LengthTag(1));
constexpr auto kSecond = static_cast<uint8_t>(LengthTag(2));
/// Room after a record for writes of constant size.
constexpr size_t kPadding = 32;
/// Larger records release their memory before the next rows.
constexpr size_t kMostKept = size_t{16} << 20U;
constexpr uint64_t kFloatSize = sizeof(float);

}  // namespace

void CsvEncoder::Clear(const CsvRules& rules) {
  if (data_.capacity() > kMostKept) Free();
  const size_t count = rules.columns.size();
  order_.clear();
  names_.assign(count, {});
  for (uint32_t i = 0; i < count; ++i) {
    const auto& [name, kind, required, any_bytes] = rules.columns[i];
    if (kind == Kind::kNone) continue;
    order_.push_back(i);
    std::string head(1 + kMaxVarintBytes, '\0');
    auto* const begin = reinterpret_cast<uint8_t*>(head.data());
    const uint8_t* const end =
        WriteHead(begin, begin + head.size(), kFirst, name.size());
    head.resize(static_cast<size_t>(end - begin));
    names_[i] = head + name;
  }
  std::sort(order_.begin(), order_.end(), [&rules](uint32_t a, uint32_t b) {
    return rules.columns[a].name < rules.columns[b].name;
  });
  states_.clear();
  frames_.clear();
  rounded_.assign(count, 0);
  roundings_.clear();
  data_.Resize(0);
}

bool CsvEncoder::Add(Span row, CsvRows* rows) {
  const auto number = static_cast<uint32_t>(states_.size());
  states_.push_back(rows->Take(row));
  if (states_.back() != CsvState::kTaken) return true;
  uint64_t features = 0;
  const bool fits = Measure(*rows, &features);
  const uint64_t size = FieldSize(features);
  const size_t before = data_.size();
  if (!fits || size > kMaxExampleBytes ||
      before + size + kPadding > kMaxBatchBytes) {
    states_.back() = CsvState::kRefused;
    return true;
  }
  const auto end = before + static_cast<size_t>(size);
  if (data_.capacity() < end + kPadding &&
      !data_.Reserve(std::max(end + kPadding, 2 * data_.capacity()))) {
    return false;
  }
  const size_t roundings = roundings_.size();
  uint8_t* p = data_.data() + before;
  const uint8_t* const limit = data_.data() + end + kPadding;
  p = WriteHead(p, limit, kFirst, features);
  for (const Value& value : values_) {
    p = WriteValue(*rows, value, p, limit);
    if (value.rounded && rounded_[value.column]++ == 0) {
      roundings_.push_back({number, value.column});
    }
  }
  std::sort(roundings_.begin() + static_cast<ptrdiff_t>(roundings),
            roundings_.end(), [](const CsvRounding& a, const CsvRounding& b) {
              return a.column < b.column;
            });
  data_.Resize(end);
  frames_.push_back(
      {static_cast<uint32_t>(before), static_cast<uint32_t>(size)});
  return true;
}

/// Finds the values of a row. Returns false if JavaScript must find one.
bool CsvEncoder::Measure(const CsvRows& rows, uint64_t* size) {
  values_.clear();
  for (const uint32_t i : order_) {
    const CsvColumn& column = rows.rules().columns[i];
    const CsvField& field = rows.fields()[i];
    if (rows.IsMissing(field, column.kind != Kind::kBytes)) {
      if (column.required) return false;
      continue;
    }
    Value value{i};
    if (!MeasureField(rows, i, &value)) return false;
    *size += FieldSize(names_[i].size() + FieldSize(FieldSize(value.list)));
    values_.push_back(value);
  }
  return true;
}

bool CsvEncoder::MeasureField(const CsvRows& rows, uint32_t column,
                              Value* value) {
  const CsvRules& rules = rows.rules();
  const Span text = rows.fields()[column].text;
  switch (rules.columns[column].kind) {
    case Kind::kInt64: {
      int64_t integer = 0;
      if (!ParseCsvInt64(text, &integer)) return false;
      value->number = static_cast<uint64_t>(integer);
      value->list = FieldSize(VarintSize(value->number));
      return true;
    }
    case Kind::kFloat: {
      CsvFloat number;
      if (!ParseCsvFloat(text, &number)) return false;
      if (number.rounded && rules.exact) return false;
      uint32_t bits = 0;
      std::memcpy(&bits, &number.value, sizeof(bits));
      value->number = bits;
      value->rounded = number.rounded;
      value->list = FieldSize(kFloatSize);
      return true;
    }
    default:
      value->list = FieldSize(text.size);
      return rows.is_text() || rules.columns[column].any_bytes ||
             IsCsvText(text);
  }
}

uint8_t* CsvEncoder::WriteValue(const CsvRows& rows, const Value& value,
                                uint8_t* p, const uint8_t* limit) const {
  const std::string& name = names_[value.column];
  const Kind kind = rows.rules().columns[value.column].kind;
  const uint64_t feature = FieldSize(value.list);
  p = WriteHead(p, limit, kFirst, name.size() + FieldSize(feature));
  p = std::copy(name.begin(), name.end(), p);
  p = WriteHead(p, limit, kSecond, feature);
  const auto tag = static_cast<uint8_t>(LengthTag(static_cast<uint32_t>(kind)));
  p = WriteHead(p, limit, tag, value.list);
  if (kind == Kind::kInt64) {
    p = WriteHead(p, limit, kFirst, VarintSize(value.number));
    return WriteVarint(p, limit, value.number);
  }
  if (kind == Kind::kFloat) {
    p = WriteHead(p, limit, kFirst, kFloatSize);
    StoreLE32(p, static_cast<uint32_t>(value.number));
    return p + kFloatSize;
  }
  const Span text = rows.fields()[value.column].text;
  p = WriteHead(p, limit, kFirst, text.size);
  if (text.size > 0) std::memcpy(p, text.data, text.size);
  return p + text.size;
}

}  // namespace tfr
