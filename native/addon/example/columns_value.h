#ifndef TFR_ADDON_EXAMPLE_COLUMNS_VALUE_H_
#define TFR_ADDON_EXAMPLE_COLUMNS_VALUE_H_

#include <cstddef>

#include "addon/base/napi_setup.h"
#include "core/base/range.h"
#include "core/example/parse/batch_parser.h"

namespace tfr::addon {

/// Returns `ParseFault` of lib/native/binding-examples.ts. `row` is the
/// record's index among those passed in.
Napi::Value ParseFaultValue(Napi::Env env, const ParseFault& fault, size_t row);

/// Numbers per column that give its sizes, `ColumnSize` of
/// lib/native/binding-examples.ts: present rows, steps and splits (without the
/// leading 0), values, bytes.
inline constexpr size_t kColumnSizes = 5;

/// Writes the sizes of `rows` for all columns, in order.
void WriteSizes(const BatchParser& parser, Range rows, double* to);

/// Copies `rows` of the columns into typed arrays that JavaScript allocated.
/// `arrays` holds, column by column, those of present rows, steps, splits,
/// offsets and values that the column has. Throws for arrays of another type or
/// length.
///
/// `filled`, if given, has the sizes of the content that the arrays already
/// hold, as written by WriteSizes. The rows are appended to it, and need not
/// fill the arrays.
void CopyColumns(const BatchParser& parser, Range rows,
                 const Napi::Array& arrays, const double* filled = nullptr);

}  // namespace tfr::addon

#endif  // TFR_ADDON_EXAMPLE_COLUMNS_VALUE_H_
