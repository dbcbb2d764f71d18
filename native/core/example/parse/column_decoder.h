#ifndef TFR_CORE_EXAMPLE_PARSE_COLUMN_DECODER_H_
#define TFR_CORE_EXAMPLE_PARSE_COLUMN_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "core/example/parse/column_data.h"
#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Where a fault lies, as far as a decoder knows it.
struct ColumnFault {
  ParseFaultCode code = ParseFaultCode::kNone;
  const uint8_t* broken = nullptr;
  uint64_t step = kUnknown;
  uint64_t found = kUnknown;
  Kind found_kind = Kind::kNone;
};

/// Second pass: appends `rows` rows to the column, whose features are `spans`
/// (see Locator). Returns how many fit: where fewer do, `fault` is about the
/// first that does not, and the column may hold a part of it. Memory may be
/// read up to `limit`. `sequence`: in a SequenceExample a feature without a
/// kind is one without values, in an Example it is not there.
size_t DecodeColumn(const ColumnPlan& plan, bool sequence, const Span* spans,
                    size_t rows, const uint8_t* limit, ColumnData* column,
                    ColumnFault* fault);

/// Turns the int64 values behind the first `from` into doubles, in place. False
/// when one is beyond +-(2^53 - 1): `*at` is its number.
bool ConvertToNumbers(ColumnData* column, size_t from, size_t* at);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_COLUMN_DECODER_H_
