#ifndef TFR_ADDON_EXAMPLE_PARSER_H_
#define TFR_ADDON_EXAMPLE_PARSER_H_

#include <memory>
#include <utility>

#include "addon/base/napi_setup.h"
#include "core/base/buffers.h"
#include "core/example/parse/batch_parser.h"

namespace tfr::addon {

/// A plan and its parser, used by the JavaScript thread or by one job at a
/// time.
class Parser {
 public:
  static constexpr napi_type_tag kTag = {0x1d6a0b1e8f3c4d27,
                                         0xa4e5c6d7980b1f32};

  explicit Parser(std::shared_ptr<const Plan> plan)
      : batch(plan), plan(std::move(plan)) {}
  void Abandon() {}

  BatchParser batch;
  const std::shared_ptr<const Plan> plan;
  /// A job is using `batch`, `records` and `frames`.
  bool busy = false;
  /// The records that a job parses.
  ByteBuffer records;
  TypedBuffer<Frame> frames;
};

/// Returns the plan of `columns`, an array of `PlanColumn` of
/// lib/native/binding-examples.ts.
std::shared_ptr<const Plan> PlanOf(const Napi::Value& columns, bool sequence,
                                   bool int64_as_number);

/// Returns the parser behind a handle. Throws while a job uses it.
std::shared_ptr<Parser> IdleParser(const Napi::Value& handle);

}  // namespace tfr::addon

#endif  // TFR_ADDON_EXAMPLE_PARSER_H_
