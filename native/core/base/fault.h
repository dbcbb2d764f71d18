#ifndef TFR_CORE_BASE_FAULT_H_
#define TFR_CORE_BASE_FAULT_H_

#include <cstdint>

namespace tfr {

/// What is wrong with the bytes, or with the machine that should give them.
/// The TypeScript layer maps each code to the public error code of the same
/// name; `kSystem` becomes an error with the code of `Fault::system_error`.
enum class FaultCode : uint8_t {
  kNone,
  kTruncated,
  kTrailingData,
  kCorruptLength,
  kCorruptData,
  kNotTFRecord,
  kCompression,
  kRecordTooLarge,
  kSystem,
  kOutOfMemory,
};

/// A position that is not known or does not apply.
inline constexpr uint64_t kUnknown = ~uint64_t{0};

/// One fault, as a value. Which fields mean something depends on `code`:
/// numbers that do not apply are 0, places that do not apply are `kUnknown`.
/// The strings are literals, never owned: they name the part of the format that
/// was judged ("gzip trailer CRC32") or the failed system call ("pread").
struct Fault {
  FaultCode code = FaultCode::kNone;
  const char* part = "";
  const char* detail = "";
  uint64_t expected = 0;
  uint64_t found = 0;
  /// Number of the record at fault, from 0.
  uint64_t record = kUnknown;
  /// First byte of that record in the uncompressed stream.
  uint64_t offset = kUnknown;
  /// Position in the compressed stream.
  uint64_t compressed_offset = kUnknown;
  /// Bytes from the fault to the end that exist and cannot be given as records:
  /// uncompressed bytes; where inflating failed, stored bytes.
  uint64_t lost = kUnknown;
  /// errno, for `kSystem`.
  int system_error = 0;

  explicit operator bool() const { return code != FaultCode::kNone; }
};

inline Fault MemoryFault() {
  Fault fault;
  fault.code = FaultCode::kOutOfMemory;
  return fault;
}

inline Fault SystemFault(int error, const char* operation) {
  Fault fault;
  fault.code = FaultCode::kSystem;
  fault.part = operation;
  fault.system_error = error;
  return fault;
}

}  // namespace tfr

#endif  // TFR_CORE_BASE_FAULT_H_
