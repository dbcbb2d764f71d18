#include "core/content/signature.h"

#include <cstring>

#include "core/compression/container_inflater.h"

namespace tfr {
namespace {

struct Magic {
  const char* bytes;
  uint8_t size;
  const char* name;
  size_t offset = 0;
};

constexpr Magic kMagics[] = {
    {"PK\x03\x04", 4, "a zip archive"},
    {"PK\x05\x06", 4, "an empty zip archive"},
    {"PAR1", 4, "a Parquet file"},
    {"ARROW1", 6, "an Arrow IPC file"},
    {"Obj\x01", 4, "an Avro file"},
    {"BZh", 3, "bzip2 data"},
    {"\xfd"
     "7zXZ\x00",
     6, "xz data"},
    {"\x28\xb5\x2f\xfd", 4, "Zstandard data"},
    {"\x04\x22\x4d\x18", 4, "LZ4 data"},
    {"\xff\x06\x00\x00sNaPpY", 10, "framed Snappy data"},
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

const char* SignatureOf(const uint8_t* data, size_t size) {
  for (const Magic& magic : kMagics) {
    if (size >= magic.offset + magic.size &&
        std::memcmp(data + magic.offset, magic.bytes, magic.size) == 0) {
      return magic.name;
    }
  }
  if (LooksLikeGzip(data, size)) return "gzip data";
  if (AllZero(data, size)) return "zeros";
  if (LooksLikeText(data, size)) return TextKind(data, size);
  if (LooksLikeZlib(data, size)) return "zlib data";
  return nullptr;
}

}  // namespace tfr
