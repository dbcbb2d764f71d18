#ifndef TFR_WASM_READING_H_
#define TFR_WASM_READING_H_

#include <memory>

#include "core/io/fed_source.h"
#include "core/record/reader_spec.h"
#include "wasm/job.h"

namespace tfr::wasm {

/// The object behind a ReaderHandle.
struct Reader {
  std::shared_ptr<SlabReader> slabs;
  /// The source if JavaScript feeds it; else null.
  FedSource* fed = nullptr;
};

/// Settles when a reader is closed.
class CloseJob : public Job, public SlabReader::Closing {
 public:
  void Closed() override { Settle(); }
  void Result(Report* /*report*/) override {}
};

}  // namespace tfr::wasm

#endif  // TFR_WASM_READING_H_
