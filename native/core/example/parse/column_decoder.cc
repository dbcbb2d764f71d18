#include "core/example/parse/column_decoder.h"

#include <cstring>

#include "core/example/parse/feature_walk.h"
#include "core/example/parse/scalars.h"
#include "core/example/parse/short_steps.h"

namespace tfr {

namespace {

/// Decodes one column, whose values are of one kind.
template <class Values>
class Decoder {
 public:
  Decoder(const ColumnPlan& plan, bool sequence, const uint8_t* limit,
          ColumnData* column, ColumnFault* fault)
      : plan_(plan),
        sequence_(sequence),
        limit_(limit),
        column_(column),
        values_(column),
        fault_(fault),
        depth_(plan.section == Section::kFeatures ? Depth::kValue
                                                  : Depth::kStep) {}

  size_t Features(const Span* spans, size_t rows) {
    const bool any = plan_.count == kAnyCount;
    for (size_t row = 0; row < rows; ++row) {
      if (plan_.count == 1)
        row += TakeScalars<Values>(spans + row, rows - row, limit_, column_);
      if (row == rows) break;
      if (!(any ? AnyCount(spans[row]) : FixedCount(spans[row]))) return row;
    }
    return rows;
  }

  /// Features that may be absent: those that are there have values.
  size_t OptionalFeatures(const Span* spans, size_t rows) {
    CountItems();
    for (size_t row = 0; row < rows; ++row) {
      if (plan_.count == 1) {
        const size_t taken =
            TakeScalars<Values>(spans + row, rows - row, limit_, column_);
        for (size_t i = 0; i < taken; ++i, ++row) {
          if (!EndRow(true)) return row;
        }
      }
      if (row == rows) break;
      bool present;
      if (!Present(spans[row], &present) || !EndRow(present)) return row;
    }
    return rows;
  }

  size_t Lists(const Span* spans, size_t rows) {
    steps_ =
        static_cast<size_t>(column_->steps.data()[column_->steps.size() - 1]);
    if (plan_.optional) CountItems();
    for (size_t row = 0; row < rows; ++row) {
      const bool present = spans[row].data != nullptr;
      if (plan_.optional && !EndRow(present)) return row;
      if (plan_.optional && !present) continue;
      if (!List(spans[row])) return row;
      if (!column_->steps.Push(static_cast<int32_t>(steps_))) {
        Fail(ParseFaultCode::kOutOfMemory);
        return row;
      }
    }
    return rows;
  }

 private:
  /// Continues after the items that the column has.
  void CountItems() {
    items_ = column_->present.data()[column_->present.size() - 1];
  }

  /// Ends a row of an optional column.
  bool EndRow(bool present) {
    items_ += present ? 1 : 0;
    return column_->present.Push(items_) || Fail(ParseFaultCode::kOutOfMemory);
  }

  /// Takes the values of a feature, if it is there and has a kind.
  bool Present(Span feature, bool* present) {
    *present = false;
    if (feature.size == 0) return true;
    const size_t before = values_.Size();
    const FeatureResult result = TakeFeature(feature, depth_, limit_, &values_);
    if (!Accept(result)) return false;
    if (result.kind == Kind::kNone) return true;
    *present = true;
    return plan_.count == kAnyCount ? EndValues() : RightCount(before);
  }

  bool AnyCount(Span feature) {
    FeatureResult result;
    if (feature.size > 0) {
      result = TakeFeature(feature, depth_, limit_, &values_);
      if (!Accept(result)) return false;
    }
    if (result.kind == Kind::kNone && plan_.required && Absent(feature)) {
      return FailAbsent(feature);
    }
    return EndValues();
  }

  /// Ends the values of a row, or of a step.
  bool EndValues() {
    int32_t* const split = column_->splits.Room(1);
    if (split == nullptr) return Fail(ParseFaultCode::kOutOfMemory);
    *split = static_cast<int32_t>(values_.Size());
    column_->splits.Add(1);
    return true;
  }

  bool FixedCount(Span feature) {
    const size_t before = values_.Size();
    FeatureResult result;
    if (feature.size > 0) {
      result = TakeFeature(feature, depth_, limit_, &values_);
      if (!Accept(result)) return false;
    }
    if (result.kind == Kind::kNone && Absent(feature)) {
      return plan_.fallback.empty() ? FailAbsent(feature) : Fallback();
    }
    return RightCount(before);
  }

  /// True if a feature without a kind counts as absent. (Steps of feature lists
  /// never do.)
  bool Absent(Span feature) const {
    return plan_.section == Section::kFeatures &&
           (feature.data == nullptr || !sequence_);
  }

  bool Fallback() {
    const std::string& bytes = plan_.fallback;
    const Span feature{reinterpret_cast<const uint8_t*>(bytes.data()),
                       bytes.size()};
    const size_t before = values_.Size();
    return Accept(TakeFeature(feature, depth_, feature.end(), &values_)) &&
           RightCount(before);
  }

  bool List(Span list) {
    if (list.data == nullptr && plan_.required) {
      return Fail(ParseFaultCode::kMissing);
    }
    WireReader reader(list, Depth::kValue);
    for (uint64_t step = 0; !reader.done();) {
      const size_t taken = TakeShortSteps<Values>(
          plan_.count, &reader, kMaxColumnSize - steps_, limit_, column_);
      steps_ += taken;
      step += taken;
      if (reader.done()) break;
      uint32_t tag;
      Span feature;
      fault_->step = kUnknown;
      if (!reader.Tag(&tag)) return Malformed(reader.position());
      if (tag != LengthTag(1)) {
        if (!reader.Skip(tag)) return Malformed(reader.position());
        continue;
      }
      if (!reader.Bytes(&feature)) return Malformed(reader.position());
      fault_->step = step++;
      if (!Step(feature)) return false;
    }
    fault_->step = kUnknown;
    return true;
  }

  bool Step(Span feature) {
    if (++steps_ > kMaxColumnSize) return Fail(ParseFaultCode::kTooLarge);
    if (plan_.count == kAnyCount) return AnyCount(feature);
    const size_t before = values_.Size();
    return (feature.size == 0 ||
            Accept(TakeFeature(feature, depth_, limit_, &values_))) &&
           RightCount(before);
  }

  /// A feature without a kind has no values, so it fits every kind.
  bool Accept(const FeatureResult& result) {
    switch (result.taken) {
      case Taken::kValues:
        break;
      case Taken::kMalformed:
        return Malformed(result.broken);
      case Taken::kTooLarge:
        return Fail(ParseFaultCode::kTooLarge);
      case Taken::kNoMemory:
        return Fail(ParseFaultCode::kOutOfMemory);
    }
    if (result.kind == Values::kKind || result.kind == Kind::kNone) return true;
    fault_->found_kind = result.kind;
    return Fail(ParseFaultCode::kKind);
  }

  bool RightCount(size_t before) {
    const size_t count = values_.Size() - before;
    if (count == static_cast<size_t>(plan_.count)) return true;
    fault_->found = count;
    return Fail(ParseFaultCode::kCount);
  }

  bool Malformed(const uint8_t* place) {
    fault_->broken = place;
    return Fail(ParseFaultCode::kMalformed);
  }

  bool FailAbsent(Span feature) {
    return Fail(feature.data == nullptr ? ParseFaultCode::kMissing
                                        : ParseFaultCode::kKindless);
  }

  bool Fail(ParseFaultCode code) {
    fault_->code = code;
    return false;
  }

  const ColumnPlan& plan_;
  const bool sequence_;
  const uint8_t* const limit_;
  ColumnData* const column_;
  Values values_;
  ColumnFault* const fault_;
  /// Depth of the column's features.
  const Depth depth_;
  size_t steps_ = 0;
  int32_t items_ = 0;
};

}  // namespace

size_t DecodeColumn(const ColumnPlan& plan, bool sequence, const Span* spans,
                    size_t rows, const uint8_t* limit, ColumnData* column,
                    ColumnFault* fault) {
  const auto decode = [&](auto decoder) {
    if (plan.section == Section::kLists) return decoder.Lists(spans, rows);
    return plan.optional ? decoder.OptionalFeatures(spans, rows)
                         : decoder.Features(spans, rows);
  };
  switch (plan.kind) {
    case Kind::kFloat:
      return decode(Decoder<FloatValues>(plan, sequence, limit, column, fault));
    case Kind::kInt64:
      return decode(Decoder<IntValues>(plan, sequence, limit, column, fault));
    default:
      return decode(Decoder<BytesValues>(plan, sequence, limit, column, fault));
  }
}

bool ConvertToNumbers(ColumnData* column, size_t from, size_t* at) {
  constexpr int64_t kMaxSafe = (int64_t{1} << 53) - 1;
  int64_t* const ints = column->ints.data();
  const size_t size = column->ints.size();
  for (size_t i = from; i < size; ++i) {
    if (ints[i] > kMaxSafe || ints[i] < -kMaxSafe) {
      *at = i;
      return false;
    }
    const double number = static_cast<double>(ints[i]);
    static_assert(sizeof(number) == sizeof(ints[i]));
    std::memcpy(ints + i, &number, sizeof(number));
  }
  return true;
}

}  // namespace tfr
