#include "core/content/kind/signature.h"

#include <cstring>

#include "core/base/endian.h"
#include "core/content/kind/content_kind.h"
#include "core/content/kind/serialized_example.h"
#include "core/content/kind/snappy_head.h"

namespace tfr {
namespace {

struct Magic {
  const char* bytes;
  uint8_t size;
  const char* name;
  size_t offset = 0;
};

/// A magic number within these bytes counts only if they cannot be the length
/// of a record.
constexpr size_t kLengthBytes = 8;

constexpr Magic kMagics[] = {
    {"PK\x03\x04", 4, "a zip archive"},
    {"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20, "an empty zip archive"},
    {"\x83\xaf\x70\xd1\x0d\x88\x4a\x3f", 8, "a Riegeli or ArrayRecord file"},
    {"PAR1", 4, "a Parquet file"},
    {"ARROW1", 6, "an Arrow IPC file"},
    {"Obj\x01", 4, "an Avro file"},
    {"ORC", 3, "an ORC file"},
    {"\x89TFIDX\r\n", 8, "the index of a TFRecord file"},
    {"SEQ\x06", 4, "a Hadoop SequenceFile"},
    {"crc\0", 4, "a Hadoop checksum file (.crc)"},
    {"\0\x05\x16\x07\0", 5, "AppleDouble metadata of macOS"},
    {"1AY&SY", 6, "bzip2 data", 4},
    {"\xfd"
     "7zXZ\x00",
     6, "xz data"},
    {"\x28\xb5\x2f\xfd", 4, "Zstandard data"},
    {"\x04\x22\x4d\x18", 4, "LZ4 data"},
    {"\x02\x21\x4c\x18", 4, "LZ4 data"},
    {"\xff\x06\x00\x00sNaPpY", 10, "framed Snappy data"},
    {"\x82SNAPPY\0", 8, "Snappy data of snappy-java"},
    {"7z\xbc\xaf\x27\x1c", 6, "a 7z archive"},
    {"\x89HDF\r\n\x1a\n", 8, "an HDF5 file"},
    {"\x93NUMPY", 6, "a NumPy array"},
    {"SQLite format 3", 15, "an SQLite database"},
    {"\x89PNG", 4, "a PNG image"},
    {"\xff\xd8\xff", 3, "a JPEG image"},
    {"GIF8", 4, "a GIF image"},
    {"%PDF", 4, "a PDF file"},
    {"\x7f"
     "ELF",
     4, "an ELF binary"},
    {"ustar", 5, "a tar archive", 257},
};

bool StartsWith(const uint8_t* data, size_t size, const char* text) {
  const size_t length = std::strlen(text);
  return size >= length && std::memcmp(data, text, length) == 0;
}

/// `lower` must be ASCII.
bool StartsWithAnyCase(const uint8_t* data, size_t size, const char* lower) {
  const size_t length = std::strlen(lower);
  if (size < length) return false;
  for (size_t i = 0; i < length; ++i) {
    const uint8_t c = data[i];
    const uint8_t folded = c >= 'A' && c <= 'Z' ? c + 32 : c;
    if (folded != static_cast<uint8_t>(lower[i])) return false;
  }
  return true;
}

bool AllZero(const uint8_t* data, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (data[i] != 0) return false;
  }
  return size > 0;
}

bool IsText(uint32_t unit) {
  return unit >= 0x20
             ? unit < 0x7f || unit >= 0xa0
             : unit == '\t' || unit == '\n' || unit == '\r' || unit == '\f';
}

/// True if every unit of two bytes is text, and surrogates come in pairs. The
/// last unit, and the last pair, may be cut.
bool IsUtf16(const uint8_t* data, size_t size, bool big, bool ascii) {
  for (size_t i = 0; i + 1 < size; i += 2) {
    const auto unit = static_cast<uint32_t>(big ? data[i] << 8 | data[i + 1]
                                                : data[i + 1] << 8 | data[i]);
    if (!IsText(unit) || unit >= 0xfffe || (ascii && unit >= 0x7f)) {
      return false;
    }
    if (unit >= 0xdc00 && unit < 0xe000) return false;
    if (unit < 0xd800 || unit >= 0xdc00) continue;
    i += 2;
    if (i + 1 >= size) break;
    if ((data[big ? i : i + 1] & 0xfc) != 0xdc) return false;
  }
  return true;
}

/// With a byte order mark any text counts; without one, only ASCII.
bool LooksLikeUtf16(const uint8_t* data, size_t size) {
  if (size < kLengthBytes) return false;
  if (data[0] == 0xff && data[1] == 0xfe) {
    return IsUtf16(data + 2, size - 2, false, false);
  }
  if (data[0] == 0xfe && data[1] == 0xff) {
    return IsUtf16(data + 2, size - 2, true, false);
  }
  return IsUtf16(data, size, data[0] == 0, true);
}

const char* TextKind(const uint8_t* data, size_t size) {
  while (size > 0 &&
         (*data == ' ' || *data == '\t' || *data == '\r' || *data == '\n')) {
    ++data;
    --size;
  }
  if (StartsWith(data, size, "version https://git-lfs")) {
    return "a Git LFS pointer (run `git lfs pull`)";
  }
  if (StartsWithAnyCase(data, size, "<!doctype html") ||
      StartsWithAnyCase(data, size, "<html")) {
    return "an HTML page";
  }
  if (StartsWith(data, size, "<?xml")) return "an XML document";
  if (size > 0 && (*data == '{' || *data == '[')) return "JSON text";
  return "text";
}

}  // namespace

bool LooksLikeText(const uint8_t* data, size_t size) {
  if (size >= 3 && std::memcmp(data, "\xef\xbb\xbf", 3) == 0) {
    data += 3;
    size -= 3;
  }
  for (size_t i = 0; i < size; ++i) {
    const uint8_t c = data[i];
    if (c >= 0x20 && c < 0x7f) continue;
    if (c == '\t' || c == '\n' || c == '\r' || c == '\f') continue;
    if (c < 0x80) return false;
    // UTF-8: a lead byte and its continuation bytes; the last character may be
    // cut.
    const size_t more = c >= 0xc2 && c < 0xe0   ? 1
                        : c >= 0xe0 && c < 0xf0 ? 2
                        : c >= 0xf0 && c < 0xf5 ? 3
                                                : 0;
    if (more == 0) return false;
    for (size_t j = 0; j < more && i + 1 < size; ++j) {
      if ((data[++i] & 0xc0) != 0x80) return false;
    }
  }
  return size > 0;
}

bool MayBeLength(const uint8_t* data, size_t size) {
  return size >= kLengthBytes && LoadLE64(data) <= UINT32_MAX;
}

const char* SignatureOf(const uint8_t* data, size_t size) {
  const bool may_be_length = MayBeLength(data, size);
  for (const Magic& magic : kMagics) {
    const size_t end = magic.offset + magic.size;
    if (size >= end && !(may_be_length && end <= kLengthBytes) &&
        std::memcmp(data + magic.offset, magic.bytes, magic.size) == 0) {
      return magic.name;
    }
  }
  if (AllZero(data, size)) return "zeros";
  switch (BareMessageAt(data, size)) {
    case BareMessage::kExample:
      return "a serialized Example without framing";
    case BareMessage::kSequenceExample:
      return "a serialized SequenceExample without framing";
    case BareMessage::kCutExample:
      return "a serialized Example without framing, or a TFRecord file that "
             "lost its first bytes";
    case BareMessage::kCutSequenceExample:
      return "a serialized SequenceExample without framing, or a TFRecord file "
             "that lost its first bytes";
    case BareMessage::kNone:
      break;
  }
  if (LooksLikeText(data, size)) return TextKind(data, size);
  if (LooksLikeUtf16(data, size)) return "UTF-16 text";
  switch (SnappyKindAt(data, size)) {
    case SnappyKind::kRaw:
      return "raw Snappy data";
    case SnappyKind::kTensorFlow:
      return "Snappy data of TensorFlow";
    case SnappyKind::kHadoop:
      return "Snappy data of Hadoop";
    case SnappyKind::kNone:
      break;
  }
  // Magic numbers of two and three bytes prove nothing, so the data must
  // inflate.
  switch (KindOfBytes(data, size, false)) {
    case Compression::kGzip:
      return InflatesAs(Compression::kGzip, data, size)
                 ? "gzip data in a compressed file"
                 : nullptr;
    case Compression::kZlib:
      return "zlib data in a compressed file";
    default:
      return nullptr;
  }
}

}  // namespace tfr
