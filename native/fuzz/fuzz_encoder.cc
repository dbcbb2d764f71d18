// Encodes columns as Examples and parses them: the values must be equal, row by
// row. Columns that do not hold the rows must be refused, at the position that
// a plain check finds.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/example/encode/batch_encoder.h"
#include "core/example/parse/batch_parser.h"
#include "encoder_columns.h"
#include "test/example/example_runs.h"

namespace {

using tfr::BatchEncoder;
using tfr::BatchParser;
using tfr::ColumnData;
using tfr::ColumnPlan;
using tfr::EncodeFault;
using tfr::EncodeFaultCode;
using tfr::EncoderColumn;
using tfr::Frame;
using tfr::kAnyCount;
using tfr::Kind;
using tfr::Section;
using tfr::fuzz::Column;
using tfr::fuzz::Input;
using tfr::fuzz::NewColumn;

bool LiesInData(const Column& column, int64_t i) {
  const auto at = static_cast<size_t>(i);
  const int64_t begin = column.offsets[at];
  const int64_t end = column.offsets[at + 1];
  return 0 <= begin && begin <= end &&
         end <= static_cast<int64_t>(column.data.size());
}

/// True if the column holds `rows` rows; otherwise sets `*fault`.
bool Holds(const Column& column, size_t rows, EncodeFault* fault) {
  const size_t size = column.size();
  if (column.even && column.count > 0 && size / column.count < rows) {
    fault->code = EncodeFaultCode::kRows;
    fault->row = size / column.count;
    return false;
  }
  for (size_t row = 0; row < rows; ++row) {
    const int64_t begin = column.Begin(row);
    const int64_t end = column.End(row);
    fault->row = row;
    fault->code = EncodeFaultCode::kRows;
    if (begin < 0 || begin > end || end > static_cast<int64_t>(size)) {
      return false;
    }
    fault->code = EncodeFaultCode::kOffsets;
    for (int64_t i = begin; i < end && column.kind == Kind::kBytes; ++i) {
      if (!LiesInData(column, i)) return false;
    }
  }
  return true;
}

template <class T, class U>
void CheckSame(const T* fast, const U* plain, size_t count) {
  static_assert(sizeof(T) == sizeof(U));
  FUZZ_CHECK(count == 0 || std::memcmp(fast, plain, count * sizeof(T)) == 0);
}

/// Checks that the values `from` to `from + count` of the column equal the
/// parsed ones from `at` on; `text` holds the parsed bytes.
void CheckValues(const Column& column, size_t from, const ColumnData& parsed,
                 const std::string& text, size_t at, size_t count) {
  switch (column.kind) {
    case Kind::kFloat:
      FUZZ_CHECK(at + count <= parsed.floats.size());
      return CheckSame(parsed.floats.data() + at, column.floats.data() + from,
                       count);
    case Kind::kInt64:
      FUZZ_CHECK(at + count <= parsed.ints.size());
      return CheckSame(parsed.ints.data() + at, column.ints.data() + from,
                       count);
    default:
      FUZZ_CHECK(at + count < parsed.offsets.size());
      for (size_t i = 0; i < count; ++i) {
        const int32_t begin = parsed.offsets.data()[at + i];
        const int32_t size = parsed.offsets.data()[at + i + 1] - begin;
        const int32_t first = column.offsets[from + i];
        FUZZ_CHECK(size == column.offsets[from + i + 1] - first);
        CheckSame(text.data() + begin, column.data.data() + first,
                  static_cast<size_t>(size));
      }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const size_t rows = input.Byte() % 24;
  std::vector<Column> columns(1 + input.Byte() % 5);
  std::vector<EncoderColumn> views;
  std::vector<ColumnPlan> wanted;
  EncodeFault expected;
  bool fits = true;
  for (Column& column : columns) {
    column = NewColumn(&input, views.size(), rows);
    if (fits) {
      expected.column = views.size();
      fits = Holds(column, rows, &expected);
    }
    views.push_back(column.View());
    wanted.push_back({column.key, Section::kFeatures, column.kind, kAnyCount,
                      true, "", false});
  }

  BatchEncoder encoder(std::move(views), rows);
  std::vector<Frame> frames(rows);
  EncodeFault fault;
  FUZZ_CHECK(encoder.Measure(frames.data(), &fault) == fits);
  if (!fits) {
    FUZZ_CHECK(fault.code == expected.code && fault.row == expected.row &&
               fault.column == expected.column);
    return 0;
  }
  // Exactly this size, so that a sanitizer detects writes past the end.
  const auto slab = std::make_unique<uint8_t[]>(encoder.bytes());
  encoder.Write(frames.data(), slab.get());

  BatchParser parser(
      std::make_shared<const tfr::Plan>(std::move(wanted), false, false));
  FUZZ_CHECK(parser.Clear());
  tfr::ParseFault parse_fault;
  FUZZ_CHECK(parser.Append(slab.get(), encoder.bytes(), frames.data(), rows,
                           &parse_fault) == rows);
  for (size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const std::string text = tfr::test::TextOf(parser.column(i).bytes);
    const int32_t* const splits = parser.column(i).splits.data();
    for (size_t row = 0; row < rows; ++row) {
      const auto begin = static_cast<size_t>(column.Begin(row));
      const size_t count = static_cast<size_t>(column.End(row)) - begin;
      const auto at = static_cast<size_t>(splits[row]);
      FUZZ_CHECK(static_cast<size_t>(splits[row + 1]) - at == count);
      CheckValues(column, begin, parser.column(i), text, at, count);
    }
  }
  return 0;
}
