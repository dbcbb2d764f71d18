#ifndef TFR_CORE_IO_BYTE_SOURCE_H_
#define TFR_CORE_IO_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"

namespace tfr {

enum class ReadState : uint8_t {
  kBytes,  ///< At least one byte was read.
  kEnd,    ///< No byte is left, now or ever.
  kDry,    ///< No byte is available now: feed more, then retry.
  kFault,  ///< `*fault` was set.
};

/// Source of raw bytes. Used by one thread at a time; `Close` only while no
/// call is running.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads 1 to `size` bytes to `dst` and sets `*got`, or returns the reason.
  virtual ReadState Read(uint8_t* dst, size_t size, size_t* got,
                         Fault* fault) = 0;

  /// Moves the position back by `count` bytes, at most as many as were read.
  /// Returns false, with no effect, if the source cannot.
  virtual bool StepBack(uint64_t count) = 0;

  /// Skips at most `count` bytes without reading them. Returns the number
  /// skipped; 0 if the source cannot.
  virtual uint64_t StepOver(uint64_t count) = 0;

  /// Bytes left, or `kUnknown`. May make a system call: too slow to call for
  /// every record.
  virtual uint64_t Remaining() = 0;

  /// Total size, or `kUnknown`.
  virtual uint64_t TotalBytes() const = 0;

  /// Position of the next `Read`, or `kUnknown` if `ReadAt` is not supported.
  virtual uint64_t Position() const = 0;

  /// Reads `size` bytes at `position`; the position of `Read` does not move.
  /// kBytes: all were read. kFault: `*got` is the number of bytes read, and
  /// `*fault` the reason why not all. kDry: none was read, because not all are
  /// available now; `Want` has them fed. Only after a first `Read`, and where
  /// `Position` is known. May run concurrently with any call but `Close`.
  virtual ReadState ReadAt(uint64_t position, uint8_t* dst, size_t size,
                           size_t* got, Fault* fault) const = 0;

  /// False: `Read` and `ReadAt` never return kDry.
  virtual bool MayRunDry() const = 0;

  /// After `ReadAt` ran dry: asks for these bytes, to read them later.
  virtual void Want(uint64_t /*position*/, size_t /*size*/) {}

  /// Closes the descriptor. Idempotent.
  virtual void Close() = 0;
};

/// True if the size of `source` is known and any part of it can be read.
inline bool IsSeekable(ByteSource* source) {
  return source->Position() != kUnknown && source->Remaining() != kUnknown;
}

}  // namespace tfr

#endif  // TFR_CORE_IO_BYTE_SOURCE_H_
