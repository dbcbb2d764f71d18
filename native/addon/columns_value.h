#ifndef TFR_ADDON_COLUMNS_VALUE_H_
#define TFR_ADDON_COLUMNS_VALUE_H_

#include <cstddef>

#include "addon/napi_setup.h"
#include "core/example/parse/batch_parser.h"
#include "core/example/parse/column_slice.h"

namespace tfr::addon {

/// `ParseFault` of lib/native/binding-examples.ts. `row` is the record's place
/// among those that were asked for.
Napi::Value ParseFaultValue(Napi::Env env, const ParseFault& fault, size_t row);

/// Numbers a column that tell its sizes: steps, places in `splits` behind the
/// first, values, bytes.
inline constexpr size_t kColumnSizes = 4;

/// Writes those that all columns have in `rows`, one after the other.
void WriteSizes(const BatchParser& parser, Range rows, double* to);

/// Copies `rows` of the columns into typed arrays that JavaScript has made for
/// them: `arrays` has, column after column, those of steps, splits, offsets and
/// values that it needs. Throws for arrays of another kind or length.
///
/// `filled`, if given, has the sizes of the elements that the arrays already
/// hold, as WriteSizes writes them. The rows go after these, and need not fill
/// the arrays.
void CopyColumns(const BatchParser& parser, Range rows,
                 const Napi::Array& arrays, const double* filled = nullptr);

}  // namespace tfr::addon

#endif  // TFR_ADDON_COLUMNS_VALUE_H_
