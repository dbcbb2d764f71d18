#include <string>
#include <utility>
#include <vector>

#include "core/example/parse/row_block.h"
#include "wasm/exports.h"
#include "wasm/parser.h"
#include "wasm/report.h"

namespace tfr::wasm {
namespace {

/// Limit on the record memory kept between batches.
constexpr size_t kKept = size_t{4} << 20;

using Columns = std::vector<ColumnPlan>;

}  // namespace

TFR_EXPORT(tfr_plan_new)
Columns* tfr_plan_new() {
  return Guarded([] { return new Columns; });
}

/// Adds a `PlanColumn` of lib/native/binding-examples.ts. `fallback` may be
/// null.
TFR_EXPORT(tfr_plan_add)
void tfr_plan_add(Columns* columns, const char* key, size_t key_size,
                  bool lists, uint32_t kind, double count, bool required,
                  const char* fallback, size_t fallback_size, bool optional) {
  Guarded([&] {
    ColumnPlan column;
    column.key.assign(key, key_size);
    column.section = lists ? Section::kLists : Section::kFeatures;
    column.kind = static_cast<Kind>(kind);
    column.count = count < 0 ? kAnyCount : static_cast<int64_t>(count);
    column.required = required;
    column.fallback.assign(fallback, fallback_size);
    column.optional = optional;
    columns->push_back(std::move(column));
  });
}

/// Takes the columns over.
TFR_EXPORT(tfr_parser_new)
Parser* tfr_parser_new(Columns* columns, bool sequence, bool int64_as_number) {
  const std::unique_ptr<Columns> owned(columns);
  return Guarded([&] {
    return new Parser(std::make_shared<const Plan>(std::move(*owned), sequence,
                                                   int64_as_number));
  });
}

TFR_EXPORT(tfr_parser_free)
void tfr_parser_free(Parser* parser) { delete parser; }

TFR_EXPORT(tfr_parser_clear)
void tfr_parser_clear(Parser* parser) { NeedMemory(parser->batch.Clear()); }

/// Returns memory for `bytes` bytes of records.
TFR_EXPORT(tfr_parser_records)
uint8_t* tfr_parser_records(Parser* parser, size_t bytes) {
  if (parser->records.capacity() > kKept) parser->records.Free();
  NeedMemory(parser->records.Reserve(bytes > 0 ? bytes : 1));
  parser->records.Resize(bytes);
  return parser->records.data();
}

/// Returns memory for `count` frames: places in the records.
TFR_EXPORT(tfr_parser_frames)
Frame* tfr_parser_frames(Parser* parser, size_t count) {
  parser->frames.Clear(kKept / sizeof(Frame));
  Frame* const frames = parser->frames.Room(count > 0 ? count : 1);
  NeedMemory(frames != nullptr);
  parser->frames.Add(count);
  return frames;
}

/// Parses the records, and reports the fault of the first that does not fit.
TFR_EXPORT(tfr_parser_append)
const double* tfr_parser_append(Parser* parser) {
  return Guarded([&] {
    ParseFault fault;
    const size_t rows = parser->batch.Append(
        parser->records.data(), parser->records.size(), parser->frames.data(),
        parser->frames.size(), &fault);
    return Report::New().AddParseFault(fault, rows).data();
  });
}

/// Parses the records' one Example into a row block (core's row_block.h).
/// Returns false if it does not fit.
TFR_EXPORT(tfr_parser_row)
bool tfr_parser_row(Parser* parser, uint8_t* record, size_t size,
                    uint8_t* block, size_t block_size) {
  return Guarded([&] {
    if (!parser->batch.Clear()) return false;
    const Frame frame{0, static_cast<uint32_t>(size)};
    ParseFault fault;
    return parser->batch.Append(record, size, &frame, 1, &fault) == 1 &&
           WriteRowBlock(parser->batch, block, block_size);
  });
}

/// Its columns, for columns_api.cc.
TFR_EXPORT(tfr_parser_batch)
const BatchParser* tfr_parser_batch(const Parser* parser) {
  return &parser->batch;
}

}  // namespace tfr::wasm
