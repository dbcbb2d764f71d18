#include "core/example/diagnose.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "core/example/column_data.h"
#include "core/example/column_decoder.h"
#include "core/example/locator.h"

namespace tfr {

namespace {

/// `kUnknown` for what was merged, which lies elsewhere.
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

/// Of one feature, where it is at fault.
ParseFault DiagnoseColumn(const Plan& plan, size_t index, Span feature,
                          Span record) {
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
  if (outcome != Locator::Outcome::kFound) {
    ParseFault fault = FaultOf(outcome == Locator::Outcome::kMalformed
                                   ? ParseFaultCode::kMalformed
                                   : ParseFaultCode::kOutOfMemory);
    fault.byte = PlaceIn(record, locator.broken());
    return fault;
  }
  std::vector<size_t> order(spans.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (spans[a].data == spans[b].data) {
      return plan.columns[a].key < plan.columns[b].key;
    }
    return std::greater<const uint8_t*>()(spans[a].data, spans[b].data);
  });
  for (const size_t index : order) {
    const ParseFault fault = DiagnoseColumn(plan, index, spans[index], record);
    if (fault) return fault;
  }
  return {};
}

}  // namespace tfr
