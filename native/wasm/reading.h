#ifndef TFR_WASM_READING_H_
#define TFR_WASM_READING_H_

#include <cstdint>
#include <memory>

#include "core/io/fed_source.h"
#include "core/record/read_options.h"
#include "core/record/slab_reader.h"
#include "wasm/job.h"

namespace tfr::wasm {

/// The options that all readers have. One file has one thread, so no members
/// are inflated ahead, which would take memory for nothing.
ReadOptions OptionsOf(uint32_t compression, uint32_t verify, double limit,
                      bool goes_on, bool counts_lost);

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
