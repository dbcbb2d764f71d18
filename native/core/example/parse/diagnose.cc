#include "core/example/parse/diagnose.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/example/parse/column_data.h"
#include "core/example/parse/column_decoder.h"
#include "core/example/parse/locator.h"
#include "core/example/type/record_type.h"

namespace tfr {

namespace {

/// Offset of `byte` in `record`; `kUnknown` if it is in other memory.
uint64_t PlaceIn(Span record, const uint8_t* byte) {
  const std::less_equal<const uint8_t*> le;
  if (byte == nullptr || !le(record.data, byte) || !le(byte, record.end())) {
    return kUnknown;
  }
  return static_cast<uint64_t>(byte - record.data);
}

ParseFault FaultOf(ParseFaultCode code) {
  ParseFault fault;
  fault.code = code;
  return fault;
}

/// True for the fault of a feature that counts as absent.
bool IsAbsence(const ParseFault& fault) {
  return fault.code == ParseFaultCode::kMissing ||
         fault.code == ParseFaultCode::kKindless;
}

/// A column, and the position of its feature in the record.
struct Placed {
  const uint8_t* place;
  size_t column;
};

bool ByName(const Plan& plan, size_t a, size_t b) {
  const ColumnPlan& left = plan.columns[a];
  const ColumnPlan& right = plan.columns[b];
  if (left.section != right.section) return left.section < right.section;
  return left.key < right.key;
}

/// Returns the fault of one column's feature, if it has one.
ParseFault DiagnoseColumn(const Plan& plan, const Placed& placed, Span feature,
                          Span record) {
  const size_t index = placed.column;
  const ColumnPlan& column = plan.columns[index];
  ColumnData data;
  ColumnFault found;
  if (!data.Clear(column)) return FaultOf(ParseFaultCode::kOutOfMemory);
  ParseFault fault;
  size_t at;
  if (DecodeColumn(column, plan.sequence, &feature, 1, feature.end(), &data,
                   &found) == 0) {
    fault.code = found.code;
    fault.byte = PlaceIn(record, found.broken);
    if (found.broken != nullptr && fault.byte == kUnknown) {
      fault.byte = PlaceIn(record, placed.place);
    }
    fault.step = found.step;
    fault.found = found.found;
    fault.found_kind = found.found_kind;
  } else if (plan.int64_as_number && column.kind == Kind::kInt64 &&
             !ConvertToNumbers(&data, 0, &at)) {
    fault.code = ParseFaultCode::kInexact;
    fault.found = static_cast<uint64_t>(data.ints.data()[at]);
  }
  fault.column = static_cast<uint32_t>(index);
  return fault;
}

}  // namespace

ParseFault Diagnose(const Plan& plan, Span record) {
  std::vector<Span> spans(plan.columns.size());
  Locator locator(plan);
  const Locator::Outcome outcome = locator.Locate(record, spans.data(), 1);
  const RecordType type = outcome == Locator::Outcome::kFound
                              ? RecordType::kExample
                              : RecordTypeOf(record);
  // A whole message of a known type may be a malformed Example.
  if (outcome == Locator::Outcome::kForeign ||
      type == RecordType::kExampleListWithContext ||
      type == RecordType::kPredictionLog) {
    ParseFault fault = FaultOf(ParseFaultCode::kForeign);
    fault.found = static_cast<uint64_t>(type);
    return fault;
  }
  if (outcome != Locator::Outcome::kFound) {
    ParseFault fault = FaultOf(outcome == Locator::Outcome::kMalformed
                                   ? ParseFaultCode::kMalformed
                                   : ParseFaultCode::kOutOfMemory);
    fault.byte = PlaceIn(record, locator.broken());
    return fault;
  }
  std::vector<Placed> order(spans.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool absent = spans[i].data == nullptr;
    order[i] = {absent ? nullptr : locator.PlaceOf(spans[i], record), i};
  }
  std::sort(order.begin(), order.end(), [&](const Placed& a, const Placed& b) {
    if (a.place != b.place) {
      return std::greater<const uint8_t*>()(a.place, b.place);
    }
    return ByName(plan, a.column, b.column);
  });
  ParseFault missing;
  for (const Placed& placed : order) {
    const size_t column = placed.column;
    const ParseFault fault =
        DiagnoseColumn(plan, placed, spans[column], record);
    if (fault && !IsAbsence(fault)) return fault;
    if (fault && (!missing || ByName(plan, column, missing.column))) {
      missing = fault;
    }
  }
  return missing;
}

}  // namespace tfr
