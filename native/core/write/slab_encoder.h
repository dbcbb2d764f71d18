#ifndef TFR_CORE_WRITE_SLAB_ENCODER_H_
#define TFR_CORE_WRITE_SLAB_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/compression/container_inflater.h"

namespace tfr {

/// One slab of whole records on its way into the file. The memory belongs to
/// the caller.
struct Slab {
  uint8_t* data = nullptr;
  size_t size = 0;
  uint32_t records = 0;
};

/// What an encoder makes of one slab before the slab's place is known.
class PreparedSlab {
 public:
  PreparedSlab() = default;
  PreparedSlab(const PreparedSlab&) = delete;
  PreparedSlab& operator=(const PreparedSlab&) = delete;
  virtual ~PreparedSlab() = default;
};

/// Turns slabs into the bytes of a file, in two phases. `Prepare` does what
/// does not depend on the slab's place: any threads, many slabs at a time. The
/// rest is the ordered phase, one call at a time: announce what comes next with
/// `Add`, `Flush` or `End`, then take output from `Next` until the last.
class SlabEncoder {
 public:
  struct Output {
    const uint8_t* data = nullptr;
    size_t size = 0;
    /// More output follows. (One may be empty.)
    bool more = false;
  };

  SlabEncoder() = default;
  SlabEncoder(const SlabEncoder&) = delete;
  SlabEncoder& operator=(const SlabEncoder&) = delete;
  virtual ~SlabEncoder() = default;

  /// Fills the checksums of the records in the slab, and compresses it where
  /// slabs compress on their own: `*prepared` goes to `Add`, and may stay null.
  virtual Fault Prepare(const Slab& slab, const CancelToken& cancel,
                        std::unique_ptr<PreparedSlab>* prepared) = 0;

  /// The slab must stay as it is until its last output was written.
  virtual void Add(const Slab& slab,
                   std::unique_ptr<PreparedSlab> prepared) = 0;
  /// What was added before can be read from the file as it is then.
  virtual void Flush() = 0;
  /// The file ends: trailers, and the whole of an empty file.
  virtual Fault End() = 0;

  /// The next bytes of the file, which go to `file_offset`; valid until the
  /// next call. Consumes at most `kPollBytes` of input when it compresses.
  virtual Output Next(uint64_t file_offset) = 0;
};

/// `level` is 0 to 9 and means nothing to kNone. Null when memory ran out.
std::unique_ptr<SlabEncoder> NewSlabEncoder(Compression compression, int level);

std::unique_ptr<SlabEncoder> NewPlainEncoder();
std::unique_ptr<SlabEncoder> NewGzipEncoder(int level);
std::unique_ptr<SlabEncoder> NewZlibEncoder(int level);

}  // namespace tfr

#endif  // TFR_CORE_WRITE_SLAB_ENCODER_H_
