#ifndef TFR_WASM_READING_H_
#define TFR_WASM_READING_H_

#include <cstdint>
#include <memory>

#include "core/index/file_index.h"
#include "core/io/fed_source.h"
#include "core/io/range_source.h"
#include "core/record/reader_spec.h"
#include "wasm/job.h"

namespace tfr::wasm {

/// The source of a reader if JavaScript feeds it, as a stream or by ranges;
/// else null.
struct Fed {
  FedSource* stream = nullptr;
  RangeSource* ranges = nullptr;
};

/// The object behind a ReaderHandle.
struct Reader {
  std::shared_ptr<SlabReader> slabs;
  Fed fed;
};

/// Returns the source of a reader with `spec` that JavaScript feeds by ranges.
/// `size` is negative if it is unknown.
std::unique_ptr<RangeSource> NewRangeSource(double size, double most_ahead,
                                            const ReaderSpec& spec);

/// Feeds bytes to the source. Throws when memory runs out.
void FeedRange(RangeSource* source, double position, const uint8_t* data,
               size_t size);

/// Reports the number of ranges that the source wants, then position and size
/// of each.
const double* ReportWants(const RangeSource& source);

/// Decodes a spec, and the addresses in it.
[[nodiscard]] inline bool DecodeSpec(const ReaderSpecNumbers& numbers,
                                     ReaderSpec* spec) {
  if (!Decode(numbers, spec)) return false;
  const auto address = [](double number) {
    return reinterpret_cast<void*>(static_cast<uintptr_t>(number));
  };
  if (numbers.start_from != 0) {
    spec->start.from = *static_cast<std::shared_ptr<const Checkpoint>*>(
        address(numbers.start_from));
  }
  if (numbers.index != 0) {
    spec->index =
        static_cast<FileIndex*>(address(numbers.index))->Noting(*spec);
  }
  // One thread inflates in order: checkpoints are of use only after damage.
  if (numbers.checkpoints != 0 && spec->salvages) {
    spec->checkpoints =
        static_cast<FileIndex*>(address(numbers.checkpoints))->index();
    spec->ahead.most_content = 0;
  }
  return true;
}

/// Settles when a reader is closed.
class CloseJob : public Job, public SlabReader::Closing {
 public:
  void Closed() override { Settle(); }
  void Result(Report* /*report*/) override {}
};

}  // namespace tfr::wasm

#endif  // TFR_WASM_READING_H_
