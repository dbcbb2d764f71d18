#ifndef TFR_CORE_COMPRESSION_GZIP_MEMBER_H_
#define TFR_CORE_COMPRESSION_GZIP_MEMBER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/deflate/roles.h"

namespace tfr {

/// The gzip members that we write. Their header has an extra field with
///
///   'T' 'R', u16 12, u64 size of the whole member, u32 number of records
///   'T' 'P', u16 n - 4, n - 4 zeros           only with padding of n bytes
///
/// (all little-endian), so that a reader finds members without inflating.
inline constexpr size_t kGzipMemberHeaderSize = 28;  // without padding
inline constexpr size_t kGzipMemberTrailerSize = 8;
inline constexpr size_t kMaxGzipMemberPadding = 8;

/// Longer data is deflated in parts of this size (the last is up to half as
/// long again). As long as the slabs of `RecordWriter`, so that long records
/// lose no more of what compresses them than short ones do.
inline constexpr size_t kGzipPartSize = size_t{1} << 20;

/// Bytes by which a member of `size` bytes that starts at `offset` of the file
/// must be lengthened: 0, or 4 to `kMaxGzipMemberPadding`. No member may end 1
/// to 8 bytes past a multiple of 262,144: there TensorFlow 2.21 loses the
/// members behind it (its input buffer splits the trailer).
size_t GzipMemberPadding(uint64_t offset, size_t size);

/// One member in the making. `Deflate` may run on any thread, before the
/// member's place in the file is known; `Finish` makes it fit its place. One
/// object serves many members, one after the other, and keeps its memory.
class GzipMember {
 public:
  struct Bytes {
    const uint8_t* data = nullptr;
    size_t size = 0;
  };

  /// Deflates `size` bytes that hold `records` whole records. `size` 0 makes
  /// the empty member, which is right only as the whole of a file without
  /// records. Long data is deflated in parts of `kGzipPartSize`, `cancel` being
  /// asked before each. Faults: memory, ECANCELED.
  Fault Deflate(BlockDeflater* deflater, const uint8_t* data, size_t size,
                uint32_t records, const CancelToken& cancel);

  /// The whole member as it must stand at `offset` of the file; valid until the
  /// next `Deflate`. May be called again for another offset.
  Bytes Finish(uint64_t offset);

 private:
  bool Reserve(size_t size);

  std::unique_ptr<uint8_t[]> buffer_;
  size_t capacity_ = 0;
  size_t deflated_size_ = 0;
  uint32_t records_ = 0;
};

/// What the header of one of our members tells.
struct GzipMemberInfo {
  size_t header_size = 0;    ///< The deflate block starts here.
  uint64_t member_size = 0;  ///< Header, block and trailer.
  uint32_t records = 0;
};

/// True when `data` starts with a member header as written here, `size` being
/// at least `kGzipMemberHeaderSize + kMaxGzipMemberPadding` (or all there is).
/// The sizes are a claim: check them against the file and the trailer.
bool ReadGzipMemberInfo(const uint8_t* data, size_t size, GzipMemberInfo* info);

/// Inflates the whole member of `size` bytes at `data`, whose header told
/// `info`. True when it is right in every part and holds `out_size` bytes; what
/// is false may be anything, and may have left anything in `out`.
bool InflateGzipMember(BlockInflater* inflater, const uint8_t* data,
                       size_t size, const GzipMemberInfo& info, uint8_t* out,
                       size_t out_size);

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_GZIP_MEMBER_H_
