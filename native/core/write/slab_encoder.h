#ifndef TFR_CORE_WRITE_SLAB_ENCODER_H_
#define TFR_CORE_WRITE_SLAB_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/compression/compression.h"
#include "core/io/memory_sink.h"

namespace tfr {

/// One slab of whole records to be written. The caller owns the memory.
struct Slab {
  uint8_t* data = nullptr;
  size_t size = 0;
  uint32_t records = 0;
  /// The checksums of all records are there, and right. Otherwise `Prepare`
  /// writes them into the slab.
  bool summed = false;
};

/// An encoder's result for one slab, before the slab's file offset is known.
class PreparedSlab {
 public:
  PreparedSlab() = default;
  PreparedSlab(const PreparedSlab&) = delete;
  PreparedSlab& operator=(const PreparedSlab&) = delete;
  virtual ~PreparedSlab() = default;
};

/// Encodes slabs to the bytes of a file, in two phases. `Prepare` does the work
/// that does not depend on the slab's file offset: on any threads, for many
/// slabs at a time. The rest is the ordered phase, one call at a time: announce
/// what comes next with `Add`, `Flush` or `End`, then take output from `Next`
/// until the last.
class SlabEncoder {
 public:
  struct Output {
    const uint8_t* data = nullptr;
    size_t size = 0;
    /// More output follows. (An output may be empty.)
    bool more = false;
    /// It is whole records with right checksums, most of them long enough for
    /// `ExtendOverFrames`.
    bool framed = false;
  };

  SlabEncoder() = default;
  SlabEncoder(const SlabEncoder&) = delete;
  SlabEncoder& operator=(const SlabEncoder&) = delete;
  virtual ~SlabEncoder() = default;

  /// Writes the checksums of the slab's records, unless they are there, and
  /// compresses it if slabs compress independently: `*prepared` must be passed
  /// to `Add`, and may stay null.
  virtual Fault Prepare(const Slab& slab, const CancelToken& cancel,
                        std::unique_ptr<PreparedSlab>* prepared) = 0;

  /// Adds the slab, which must stay unchanged until its last output was
  /// written.
  virtual void Add(const Slab& slab,
                   std::unique_ptr<PreparedSlab> prepared) = 0;
  /// Makes everything added so far readable from the file.
  virtual void Flush() = 0;
  /// Ends the file: trailers, or the entire content of an empty file.
  virtual Fault End() = 0;

  /// Returns the next bytes of the file, at offset `file_offset`; valid until
  /// the next call. When compressing, consumes at most `kPollBytes` of input.
  virtual Output Next(uint64_t file_offset) = 0;
  /// The last output was written: memory for it may serve another encoder.
  virtual void Written() {}
};

/// `level` is 0 to 9; kNone ignores it. Returns null when memory runs out.
std::unique_ptr<SlabEncoder> NewSlabEncoder(Compression compression, int level);

/// Encodes `slabs` to the bytes of a whole file, on the calling thread. They
/// equal those that a `SlabWriter` writes.
Fault EncodeSlabs(SlabEncoder* encoder, const std::vector<Slab>& slabs,
                  MemorySink* sink);

std::unique_ptr<SlabEncoder> NewPlainEncoder();
std::unique_ptr<SlabEncoder> NewGzipEncoder(int level);
std::unique_ptr<SlabEncoder> NewZlibEncoder(int level);

}  // namespace tfr

#endif  // TFR_CORE_WRITE_SLAB_ENCODER_H_
