#ifndef TFR_CORE_COMPRESSION_GZIP_MEMBER_H_
#define TFR_CORE_COMPRESSION_GZIP_MEMBER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/cancel.h"
#include "core/base/fault.h"
#include "core/deflate/roles.h"

namespace tfr {

/// The gzip members that we write have a header with this extra field:
///
///   'T' 'R', u16 12, u64 size of the whole member, u32 number of records
///   'T' 'P', u16 n - 4, n - 4 zeros           only with padding of n bytes
///
/// (all little-endian), so that a reader finds members without inflating.
inline constexpr size_t kGzipMemberHeaderSize = 28;  // without padding
inline constexpr size_t kGzipMemberTrailerSize = 8;
inline constexpr size_t kMaxGzipMemberPadding = 8;

/// Larger data is deflated in parts of this size (the last may be up to half as
/// large again). Equals the slab size of `RecordWriter`, so that long records
/// compress as well as short ones.
inline constexpr size_t kGzipPartSize = size_t{1} << 20;

/// Padding for a member of `size` bytes at file offset `offset`: 0, or 4 to
/// `kMaxGzipMemberPadding`. No member may end 1 to 8 bytes past a multiple of
/// 262,144: there TensorFlow 2.21 loses the following members (its input buffer
/// splits the trailer).
size_t GzipMemberPadding(uint64_t offset, size_t size);

/// Builds gzip members. `Deflate` may run on any thread, before the member's
/// file offset is known; `Finish` then pads the member for its offset. Reuse
/// one object for many members: it keeps its memory.
class GzipMember {
 public:
  struct Bytes {
    const uint8_t* data = nullptr;
    size_t size = 0;
  };

  /// Deflates `size` bytes that hold `records` whole records. `size` 0 gives
  /// the empty member, valid only as the entire content of a file without
  /// records. Checks `cancel` before each part of `kGzipPartSize`. Faults:
  /// memory, ECANCELED.
  Fault Deflate(BlockDeflater* deflater, const uint8_t* data, size_t size,
                uint32_t records, const CancelToken& cancel);

  /// Returns the whole member for file offset `offset`; valid until the next
  /// `Deflate`. May be called again for another offset.
  Bytes Finish(uint64_t offset);

 private:
  bool Reserve(size_t size);

  std::unique_ptr<uint8_t[]> buffer_;
  size_t capacity_ = 0;
  size_t deflated_size_ = 0;
  uint32_t records_ = 0;
};

/// Content of our members' extra field.
struct GzipMemberInfo {
  size_t header_size = 0;    ///< Offset of the deflate block.
  uint64_t member_size = 0;  ///< Size of header, block and trailer.
  uint32_t records = 0;
};

/// Returns true if `data` starts with a header in our format. `size` must be at
/// least `kGzipMemberHeaderSize + kMaxGzipMemberPadding`, or all that is left.
/// The sizes are unverified: check them against the file and the trailer.
bool ReadGzipMemberInfo(const uint8_t* data, size_t size, GzipMemberInfo* info);

/// Reads both sizes of a header, valid or not, of `kGzipMemberHeaderSize`
/// bytes at `data`. Leaves `header_size` as it is.
void LoadGzipMemberSizes(const uint8_t* data, GzipMemberInfo* info);

/// True if the first 12 bytes are those of our members, but for two at most.
bool IsNearlyGzipMember(const uint8_t* data, size_t size);

/// Inflates the whole member of `size` bytes at `data`, with the header `info`.
/// Returns true if every part of it is valid and it holds exactly `out_size`
/// bytes. Otherwise returns false and leaves unspecified content in `out`.
bool InflateGzipMember(BlockInflater* inflater, const uint8_t* data,
                       size_t size, const GzipMemberInfo& info, uint8_t* out,
                       size_t out_size);

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_GZIP_MEMBER_H_
