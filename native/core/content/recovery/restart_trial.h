#ifndef TFR_CORE_CONTENT_RECOVERY_RESTART_TRIAL_H_
#define TFR_CORE_CONTENT_RECOVERY_RESTART_TRIAL_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/compression/container_inflater.h"
#include "core/content/checkpoint.h"

namespace tfr {

/// deflate stores at most this many bytes verbatim: then the header of another
/// block follows.
inline constexpr size_t kMostVerbatim = 65535;

/// Returns true if a whole record lies anywhere in `data`.
using HoldsRecord = bool (*)(const uint8_t* data, size_t size);

/// Evidence that compressed data begins at a place.
enum class Evidence : uint8_t {
  kNone,
  /// It does, but may be the value of a record: one block of deflate may
  /// contain a compressed file verbatim.
  kDoubtful,
  kProven,
};

/// Tries by inflating whether compressed data begins at a place of a damaged
/// source. The answers depend only on the bytes of the source.
class RestartTrial {
 public:
  /// Number of bytes to try, or all that the source has. A value that lies
  /// verbatim has less than half of them: the headers of two blocks are within
  /// the others, and inflating may survive one.
  static constexpr size_t kTried = 5 * kMostVerbatim / 2;

  explicit RestartTrial(HoldsRecord holds) : holds_(holds) {}

  /// Tries a gzip member that begins with `data`. It counts if its trailer is
  /// right, if it goes on after all of `data`, or if it holds a whole record
  /// before its damage. `last`: the source ends with `data`.
  Evidence TryMember(const uint8_t* data, size_t size, bool last);

  /// The same for the data after a checkpoint.
  bool TryCheckpoint(const Checkpoint& from, const uint8_t* data, size_t size);

 private:
  enum class Ending : uint8_t { kFault, kMember, kInput, kRoom };

  Ending Inflate(ContainerInflater* inflater, const uint8_t* data, size_t size,
                 size_t* used);
  bool Holds() const { return holds_(content_.data(), content_.size()); }

  const HoldsRecord holds_;
  ByteBuffer content_;
  /// Number of bytes read and inflated in trials that failed.
  uint64_t in_vain_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_RECOVERY_RESTART_TRIAL_H_
