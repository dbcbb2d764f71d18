#ifndef TFR_CORE_COMPRESSION_GZIP_HEADER_H_
#define TFR_CORE_COMPRESSION_GZIP_HEADER_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

enum class HeaderStatus : uint8_t {
  kMore,     ///< The input ended inside the header.
  kDone,     ///< The header ended; deflate data follows.
  kForeign,  ///< The bytes are not a header of this format.
  kBad,      ///< The header is invalid.
};

/// Parses the header of one gzip member (RFC 1952, section 2.3). Sans-I/O;
/// stores no field, so names and comments may have any length.
class GzipHeaderParser {
 public:
  /// Prepares for the next member.
  void Reset() { *this = GzipHeaderParser(); }

  /// Consumes at most `in_size` bytes; stops after the header, or before the
  /// byte that makes it foreign or bad.
  HeaderStatus Parse(const uint8_t* in, size_t in_size, size_t* consumed);

  /// True if no byte of the header was parsed yet.
  bool at_start() const { return field_ == Field::kFixed && position_ == 0; }

  /// Current part of the header; after kForeign and kBad, the faulty part.
  const char* part() const { return part_; }
  uint32_t expected() const { return expected_; }
  uint32_t found() const { return found_; }

 private:
  enum class Field : uint8_t {
    kFixed,
    kExtraSize,
    kExtra,
    kName,
    kComment,
    kCrc,
    kDone,
  };

  HeaderStatus ParseFixed(uint8_t byte);
  /// Consumes input of the current field; not for the header's CRC.
  size_t ParseField(const uint8_t* in, size_t in_size);
  HeaderStatus ParseCrc(uint8_t byte);
  /// Moves to the next field after `field` that the flags announce.
  void StartFieldAfter(Field field);
  HeaderStatus Fail(HeaderStatus status, const char* part, uint32_t expected,
                    uint32_t found);

  Field field_ = Field::kFixed;
  uint8_t flags_ = 0;
  /// Bytes of the current field parsed so far.
  uint32_t position_ = 0;
  uint32_t extra_size_ = 0;
  uint32_t crc_ = 0;
  uint32_t stored_crc_ = 0;
  const char* part_ = "gzip header";
  uint32_t expected_ = 0;
  uint32_t found_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_GZIP_HEADER_H_
