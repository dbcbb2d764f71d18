#ifndef TFR_CORE_BASE_FAULT_H_
#define TFR_CORE_BASE_FAULT_H_

#include <cstdint>

namespace tfr {

/// Kind of a fault: in the bytes, or in the system that provides them.
/// TypeScript maps each code to the public error code of the same name;
/// `kSystem` becomes an error with the code of `Fault::system_error`.
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

/// The name that TypeScript has for `code`: the public error code, if it is one
/// of the format.
constexpr const char* CodeName(FaultCode code) {
  switch (code) {
    case FaultCode::kNone:
      return "";
    case FaultCode::kTruncated:
      return "TFR_TRUNCATED";
    case FaultCode::kTrailingData:
      return "TFR_TRAILING_DATA";
    case FaultCode::kCorruptLength:
      return "TFR_CORRUPT_LENGTH";
    case FaultCode::kCorruptData:
      return "TFR_CORRUPT_DATA";
    case FaultCode::kNotTFRecord:
      return "TFR_NOT_TFRECORD";
    case FaultCode::kCompression:
      return "TFR_COMPRESSION";
    case FaultCode::kRecordTooLarge:
      return "TFR_RECORD_TOO_LARGE";
    case FaultCode::kSystem:
      return "SYSTEM";
    case FaultCode::kOutOfMemory:
      return "OUT_OF_MEMORY";
  }
  return "";
}

/// An unknown or inapplicable position.
inline constexpr uint64_t kUnknown = ~uint64_t{0};

/// One fault, as a value. `code` decides which fields apply: inapplicable
/// numbers are 0, inapplicable positions are `kUnknown`. The strings are
/// literals; they name the part of the format that was checked ("gzip trailer
/// CRC32") or the failed system call ("pread").
struct Fault {
  FaultCode code = FaultCode::kNone;
  const char* part = "";
  const char* detail = "";
  uint64_t expected = 0;
  uint64_t found = 0;
  /// Index of the faulty record, from 0.
  uint64_t record = kUnknown;
  /// First byte of that record in the uncompressed stream.
  uint64_t offset = kUnknown;
  /// Position in the compressed stream.
  uint64_t compressed_offset = kUnknown;
  /// For a wrong trailer of a compressed member: position of its end in the
  /// compressed stream. A trailer holds no data, so its bytes are not lost.
  uint64_t trailer_end = kUnknown;
  /// Bytes between the fault and the end of the data that exist but cannot be
  /// read as records. Uncompressed bytes; compressed bytes if inflating failed.
  uint64_t lost = kUnknown;
  /// Reading can go on after the fault, with a later gzip member of ours (see
  /// `SlabStream::Skip`); and where that member begins in the compressed
  /// stream, if it was looked for. `lost` is what lies before it.
  bool resumes = false;
  uint64_t resume_at = kUnknown;
  /// For readers that salvage: offset of the content at which the lost bytes
  /// end, if they are all of the content: reading goes on there if it
  /// `resumes`.
  uint64_t region_end = kUnknown;
  /// For readers that salvage: number of the record with which reading goes on.
  uint64_t resume_record = kUnknown;
  /// Whole records in the lost bytes that are data of the damaged record.
  uint64_t inside = 0;
  /// Number of records directly before the fault that may be data of an earlier
  /// damaged record, of which the extent is not known.
  uint64_t doubtful = 0;
  /// For a wrong checksum of the first record: the number of records, from
  /// there on, that fit by their lengths alone. Their writer may have made
  /// wrong checksums. 0 if unknown.
  uint32_t fitting = 0;
  /// errno, for `kSystem`.
  int system_error = 0;

  /// For a damaged compressed stream: the position from which on bytes are
  /// lost.
  uint64_t lost_from() const {
    return trailer_end != kUnknown ? trailer_end : compressed_offset;
  }

  explicit operator bool() const { return code != FaultCode::kNone; }
};

inline Fault MakeFault(FaultCode code, const char* part, uint64_t expected,
                       uint64_t found) {
  Fault fault;
  fault.code = code;
  fault.part = part;
  fault.expected = expected;
  fault.found = found;
  return fault;
}

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
