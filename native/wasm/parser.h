#ifndef TFR_WASM_PARSER_H_
#define TFR_WASM_PARSER_H_

#include <memory>
#include <utility>

#include "core/base/buffers.h"
#include "core/example/parse/batch_parser.h"

namespace tfr::wasm {

/// The object behind a ParserHandle: a plan and its parser.
struct Parser {
  explicit Parser(std::shared_ptr<const Plan> given)
      : batch(given), plan(std::move(given)) {}

  BatchParser batch;
  const std::shared_ptr<const Plan> plan;
  /// The records to parse, and their places.
  ByteBuffer records;
  TypedBuffer<Frame> frames;
};

}  // namespace tfr::wasm

#endif  // TFR_WASM_PARSER_H_
