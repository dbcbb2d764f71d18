#include <cstdint>

#include "core/base/buffers.h"
#include "core/example/parse/batch_parser.h"
#include "core/example/parse/column_slice.h"
#include "wasm/exports.h"
#include "wasm/report.h"

// The columns of a parser, or of a piece, array by array: JavaScript copies
// them.
namespace tfr::wasm {
namespace {

/// The arrays of a column, numbered for JavaScript.
enum Array : uint8_t {
  kPresent,
  kSteps,
  kSplits,
  kOffsets,
  kBytes,
  kFloats,
  kInts,
};

/// Memory of the last array that had to be composed.
ByteBuffer& Scratch(size_t size) {
  constexpr size_t kKept = size_t{4} << 20;
  static auto* const scratch = new ByteBuffer;
  if (scratch->capacity() > kKept) scratch->Free();
  NeedMemory(scratch->Reserve(size > 0 ? size : 1));
  return *scratch;
}

/// Null if a position would exceed int32.
const void* PositionsOf(const TypedBuffer<int32_t>& from, Range places,
                        int32_t base) {
  auto* const to = reinterpret_cast<int32_t*>(
      Scratch((places.size() + 1) * sizeof(int32_t)).data());
  return CopyPositions(from, places, base, to) ? to : nullptr;
}

const void* BytesOf(const ByteStore& from, Range bytes) {
  uint8_t* const to = Scratch(bytes.size()).data();
  if (bytes.size() > 0) from.CopyTo(to, bytes.begin, bytes.end);
  return to;
}

}  // namespace

/// Reports the sizes of rows `from` to `to`, as `ColumnSize` of
/// lib/native/binding-examples.ts has them.
TFR_EXPORT(tfr_columns_sizes)
const double* tfr_columns_sizes(const BatchParser* parser, size_t from,
                                size_t to) {
  return Guarded([&] {
    Report& report = Report::New();
    const std::vector<ColumnPlan>& columns = parser->plan().columns;
    for (size_t i = 0; i < columns.size(); ++i) {
      const ColumnSlice slice =
          SliceColumn(columns[i], parser->column(i), {from, to});
      for (const Range& range : {slice.present, slice.steps, slice.splits,
                                 slice.values, slice.bytes}) {
        report.Add(static_cast<double>(range.size()));
      }
    }
    return report.data();
  });
}

TFR_EXPORT(tfr_columns_rows)
size_t tfr_columns_rows(const BatchParser* parser) { return parser->rows(); }

/// Returns array `array` of column `index`, for rows `from` to `to`. Positions
/// start with `base`. Valid until the next call.
TFR_EXPORT(tfr_columns_array)
const void* tfr_columns_array(const BatchParser* parser, size_t index,
                              size_t from, size_t to, uint32_t array,
                              int32_t base) {
  const ColumnData& data = parser->column(index);
  const ColumnSlice slice =
      SliceColumn(parser->plan().columns[index], data, {from, to});
  switch (array) {
    case kPresent:
      return PositionsOf(data.present, slice.present, base);
    case kSteps:
      return PositionsOf(data.steps, slice.steps, base);
    case kSplits:
      return PositionsOf(data.splits, slice.splits, base);
    case kOffsets:
      return PositionsOf(data.offsets, slice.values, base);
    case kBytes:
      return BytesOf(data.bytes, slice.bytes);
    case kFloats:
      return data.floats.data() + slice.values.begin;
    default:
      return data.ints.data() + slice.values.begin;
  }
}

}  // namespace tfr::wasm
