#ifndef TFR_CORE_EXAMPLE_PARSE_COLUMN_DECODER_H_
#define TFR_CORE_EXAMPLE_PARSE_COLUMN_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "core/example/parse/column_data.h"
#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Location of a fault, as far as the decoder knows it.
struct ColumnFault {
  ParseFaultCode code = ParseFaultCode::kNone;
  const uint8_t* broken = nullptr;
  uint64_t step = kUnknown;
  uint64_t found = kUnknown;
  Kind found_kind = Kind::kNone;
};

/// Second pass: appends `rows` rows to the column; `spans` are its features
/// (see Locator). Returns the number of rows that fit. If that is less than
/// `rows`, `fault` describes the first row that does not fit, and the column
/// may hold a part of it. May read memory up to `limit`. `sequence`: in a
/// SequenceExample a feature without a kind is present without values; in an
/// Example it is absent.
size_t DecodeColumn(const ColumnPlan& plan, bool sequence, const Span* spans,
                    size_t rows, const uint8_t* limit, ColumnData* column,
                    ColumnFault* fault);

/// Converts the int64 values after the first `from` to doubles, in place.
/// Returns false if one is beyond +-(2^53 - 1); `*at` is its index.
bool ConvertToNumbers(ColumnData* column, size_t from, size_t* at);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_COLUMN_DECODER_H_
