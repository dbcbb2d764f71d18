#ifndef TFR_CORE_COMPRESSION_GZIP_HEADER_H_
#define TFR_CORE_COMPRESSION_GZIP_HEADER_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

enum class HeaderStatus : uint8_t {
  kMore,     ///< All input was consumed, the header goes on.
  kDone,     ///< What follows is deflate data.
  kForeign,  ///< No header of this format starts here.
  kBad,      ///< The start of a header, but a wrong one.
};

/// Parses the header of one gzip member (RFC 1952, section 2.3). Sans-I/O;
/// keeps no field, so names and comments may have any length.
class GzipHeaderParser {
 public:
  /// For the next member.
  void Reset() { *this = GzipHeaderParser(); }

  /// Consumes at most `in_size` bytes, none behind the header nor the byte that
  /// makes it foreign or bad.
  HeaderStatus Parse(const uint8_t* in, size_t in_size, size_t* consumed);

  /// True when no byte of the header has come yet.
  bool at_start() const { return field_ == Field::kFixed && position_ == 0; }

  /// Where the header stands; after kForeign and kBad, what is wrong.
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
  /// Consumes input of the current field; the header's CRC field apart.
  size_t ParseField(const uint8_t* in, size_t in_size);
  HeaderStatus ParseCrc(uint8_t byte);
  /// Moves on to the first field behind `field` that the flags announce.
  void StartFieldAfter(Field field);
  HeaderStatus Fail(HeaderStatus status, const char* part, uint32_t expected,
                    uint32_t found);

  Field field_ = Field::kFixed;
  uint8_t flags_ = 0;
  /// Bytes of the current field so far.
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
