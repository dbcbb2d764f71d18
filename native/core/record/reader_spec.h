#ifndef TFR_CORE_RECORD_READER_SPEC_H_
#define TFR_CORE_RECORD_READER_SPEC_H_

#include <cstdint>
#include <memory>

#include "core/base/cancel.h"
#include "core/compression/compression.h"
#include "core/content/ahead/members_ahead.h"
#include "core/io/byte_source.h"
#include "core/record/framing/fixed_framer.h"
#include "core/record/framing/framer.h"
#include "core/record/read_options.h"
#include "core/record/read_start.h"
#include "core/record/slab_reader.h"

namespace tfr {

/// The formats in which a file can hold records. lib/native/binding.ts has the
/// same numbers.
enum class FramingKind : uint8_t { kRecords, kLines, kCsv, kFixed };

/// The format of a file's records, and its settings.
struct Framing {
  FramingKind kind = FramingKind::kRecords;
  /// kCsv: the byte that separates fields.
  uint8_t delimiter = ',';
  /// kFixed.
  FixedLayout layout;
};

/// All settings of one reader, as a host states them. Framer, content rule and
/// read options follow from them, here and nowhere else.
struct ReaderSpec {
  Compression compression = Compression::kAuto;
  Verify verify = Verify::kAll;
  uint64_t max_record_bytes = 0x7fffffff;
  /// See `ReadOptions`.
  bool continues = false;
  bool counts_lost = false;
  bool salvages = false;
  AheadLimits ahead;
  ReadStart start;
  Framing framing;
  /// A reader that adds to an index goes no further than the numbers of records
  /// are sure: after damage it does not look for the next gzip member of ours.
  std::shared_ptr<IndexSink> index;
  /// Checkpoints of the file, between which it may be inflated in parallel,
  /// unless `ahead` disables that. A reader that salvages goes on at them after
  /// damage.
  std::shared_ptr<const CheckpointSource> checkpoints;
};

/// A ReaderSpec in the numbers of JavaScript, with 0 and 1 for flags:
/// `ReaderSpec` of lib/native/binding.ts. The WebAssembly host passes this
/// memory as it is.
struct ReaderSpecNumbers {
  double compression = 0;
  double verify = 0;
  double max_record_bytes = 0;
  double continues = 0;
  double counts_lost = 0;
  double salvages = 0;
  double members_ahead = 0;
  double start_record = 0;
  double start_offset = 0;
  double start_checked = 0;
  /// Addresses of a checkpoint and two indexes, or 0. Only the WebAssembly host
  /// has them here; `Decode` leaves them to it.
  double start_from = 0;
  double index = 0;
  double checkpoints = 0;
  /// The number of a FramingKind, then its settings. kCsv: the delimiter.
  /// kFixed: the sizes of a FixedLayout, in its order.
  double framing[5] = {};
};

/// Returns false, with `*spec` in an unknown state, for numbers that no caller
/// may pass: JavaScript checks the options of users.
[[nodiscard]] bool Decode(const ReaderSpecNumbers& numbers, ReaderSpec* spec);

ReadOptions ReadOptionsOf(const ReaderSpec& spec);
std::unique_ptr<Framer> NewFramer(const ReaderSpec& spec);

/// Returns a reader of `source`, which begins at `spec.start.position()` of the
/// file, whether it reads a file itself or is fed.
std::shared_ptr<SlabReader> NewSlabReader(
    std::unique_ptr<ByteSource> source, const ReaderSpec& spec,
    std::shared_ptr<const CancelToken::Flag> closing);

}  // namespace tfr

#endif  // TFR_CORE_RECORD_READER_SPEC_H_
