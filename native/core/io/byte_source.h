#ifndef TFR_CORE_IO_BYTE_SOURCE_H_
#define TFR_CORE_IO_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"

namespace tfr {

enum class ReadState : uint8_t {
  kBytes,  ///< At least one byte was read.
  kEnd,    ///< No byte is left, now or ever.
  kDry,    ///< No byte is there now: bring more, then ask again.
  kFault,  ///< The fault was set.
};

/// Where raw bytes come from. One thread at a time; `Close` may only be called
/// when no call is running.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads 1 to `size` bytes to `dst` and sets `*got`, or says why not.
  virtual ReadState Read(uint8_t* dst, size_t size, size_t* got,
                         Fault* fault) = 0;

  /// Steps `count` bytes back, at most as many as were read. False where the
  /// source cannot: then nothing happened.
  virtual bool StepBack(uint64_t count) = 0;

  /// Steps over at most `count` bytes without reading them and returns how
  /// many; 0 where the source cannot.
  virtual uint64_t StepOver(uint64_t count) = 0;

  /// Bytes left, or `kUnknown`. May ask the system: not for every record.
  virtual uint64_t Remaining() = 0;

  /// Size of all, or `kUnknown`.
  virtual uint64_t TotalBytes() const = 0;

  /// True if `ReadAt` works: the position of the next `Read`, or `kUnknown`.
  virtual uint64_t Position() const = 0;

  /// Reads `size` bytes at `position`, which does not move; `*got` tells how
  /// many there are, and the fault why not all. Only after a first `Read`,
  /// where `Position` is known; may run beside any other call but `Close`.
  virtual Fault ReadAt(uint64_t position, uint8_t* dst, size_t size,
                       size_t* got) const = 0;

  /// Gives the descriptor back. Idempotent.
  virtual void Close() = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_IO_BYTE_SOURCE_H_
