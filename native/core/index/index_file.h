#ifndef TFR_CORE_INDEX_INDEX_FILE_H_
#define TFR_CORE_INDEX_INDEX_FILE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/compression/compression.h"
#include "core/record/read_options.h"

namespace tfr {

/// The form in which an index is saved; docs/format.md, "Index", specifies it.
/// `RecordIndex::Save` and `RecordIndex::Load` write and read it.

/// The identity of an indexed file, as its owner states it.
struct IndexedFile {
  static constexpr int64_t kNoTime = INT64_MIN;

  uint64_t size = 0;
  /// CRC-32C of the first and of the last 64 KiB, or of all bytes if the file
  /// is shorter.
  uint32_t head_crc = 0;
  uint32_t tail_crc = 0;
  /// Time of the last change, in nanoseconds since 1970, or `kNoTime`.
  int64_t time = kNoTime;
};

/// Everything about an indexed file but its places and checkpoints.
struct IndexSummary {
  IndexedFile file;
  Compression compression = Compression::kNone;
  /// The checksums that were verified. Not those of the data of damaged
  /// records, nor of records that the scan stepped over.
  Verify verified = Verify::kNone;
  /// The scan ended at damage, before the end of the file.
  bool cut = false;
  /// Stored bytes that were read.
  uint64_t stored = 0;
  /// Number of records with wrong data.
  uint64_t damaged = 0;
};

/// A section of a saved index.
struct IndexSection {
  /// It is there, and whole.
  bool found = false;
  ByteBuffer payload;
};

enum class IndexStatus : uint8_t {
  kRight,
  /// The bytes are no index.
  kForeign,
  /// A later version of this library wrote it.
  kNewer,
  /// The bytes are those of an index, but incomplete or changed.
  kDamaged,
  kNoMemory,
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_INDEX_FILE_H_
