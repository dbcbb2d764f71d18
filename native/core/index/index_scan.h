#ifndef TFR_CORE_INDEX_INDEX_SCAN_H_
#define TFR_CORE_INDEX_INDEX_SCAN_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/index/record_index.h"
#include "core/io/byte_source.h"
#include "core/record/reader_spec.h"

namespace tfr {

/// The state of a scan.
struct ScanState {
  uint64_t records = 0;
  /// Records with wrong data among them.
  uint64_t damaged = 0;
  uint64_t compressed_bytes = 0;
  uint64_t total_bytes = kUnknown;
  Compression compression = Compression::kNone;
  /// Nothing more will be found.
  bool complete = false;
  /// The reason why the scan ended before the end of the stream, if it did.
  Fault halt;
};

/// Reads a whole file on pool threads to find the places of its records, and
/// checks their checksums.
class IndexScan {
 public:
  /// Damaged records that are reported.
  static constexpr size_t kMostFaults = 10000;

  /// Receives the end of one `Advance`.
  class Waiting {
   public:
    /// Called on any thread; the scan does not touch this object afterwards.
    virtual void Advanced() = 0;

   protected:
    ~Waiting() = default;
  };

  /// `index`, which is empty, receives what the scan finds.
  IndexScan(std::unique_ptr<ByteSource> source, const ReaderSpec& spec,
            std::shared_ptr<RecordIndex> index,
            std::shared_ptr<const CancelToken::Flag> closing);
  ~IndexScan();

  /// Scans on for about `time`. The scan must live until `Advanced`; the next
  /// call, and those of the next three functions, only after it.
  void Advance(std::chrono::milliseconds time, Waiting* waiting);
  const ScanState& state() const { return state_; }
  /// Faults of records since the last `TakeFaults`, in order.
  TypedBuffer<Fault> TakeFaults();

  /// Requests that the scan end soon.
  void Cancel();
  /// As `SlabReader::Close`.
  void Close(SlabReader::Closing* closing);

 private:
  class Slab;

  void Filled(SlabFill* fill);
  bool Note(SlabFill* fill);
  void Report(const Fault& fault);

  const ReaderSpec spec_;
  const std::shared_ptr<RecordIndex> index_;
  std::shared_ptr<SlabReader> reader_;
  std::unique_ptr<Slab> slab_;
  ScanState state_;
  TypedBuffer<Fault> faults_;
  size_t reported_ = 0;
  std::chrono::steady_clock::time_point until_;
  Waiting* waiting_ = nullptr;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_INDEX_SCAN_H_
