#include "core/content/kind/content_kind.h"

#include <algorithm>
#include <cstring>

#include "core/compression/container_inflater.h"
#include "core/compression/gzip_member.h"
#include "core/compression/zlib_format.h"
#include "core/content/kind/signature.h"
#include "core/crc32c/record_format.h"
#include "core/deflate/implementations.h"

namespace tfr {
namespace {

constexpr uint8_t kGzipMagic[] = {0x1f, 0x8b, 8};

/// How the first bytes of a stream inflate.
enum class Start : uint8_t {
  kInvalid,  ///< They do not inflate.
  kSilent,   ///< Without output so far. A valid header alone proves nothing.
  kGives,    ///< With output.
  kWhole,    ///< They begin with a whole stream.
};

/// Uses zlib, because igzip accepts more.
Start StartOf(Compression kind, const uint8_t* head, size_t size) {
  ContainerInflater inflater(kind, NewZlibInflater(), true);
  uint8_t out[4096];
  Fault fault;
  bool gave = false;
  for (size_t used = 0; !fault;) {
    const auto step =
        inflater.Inflate(head + used, size - used, out, sizeof out, &fault);
    used += step.consumed;
    gave = gave || step.produced > 0;
    if (used > 0 && inflater.BetweenMembers()) return Start::kWhole;
    if (used == size && step.produced < sizeof out) break;
  }
  if (fault) return Start::kInvalid;
  return gave ? Start::kGives : Start::kSilent;
}

Recognition Needs(size_t size) { return {size, Compression::kNone, nullptr}; }
Recognition Is(Compression kind) { return {0, kind, nullptr}; }
Recognition Contradicts(const char* found) {
  return {0, Compression::kNone, found};
}

Recognition RecogniseRecords(Compression option, const uint8_t* head,
                             size_t size, bool whole) {
  if (size < kHeaderSize && !whole) return Needs(kHeaderSize);
  const bool plain = size >= kHeaderSize && LengthIsRight(head);
  const bool gzip =
      !plain && (LooksLikeGzip(head, size) || IsNearlyGzipMember(head, size));
  bool zlib = !plain && !gzip && LooksLikeZlib(head, size) &&
              !(size >= kHeaderSize && LooksLikeText(head, kHeaderSize));
  // The length of a record with a wrong checksum can look like a header of
  // zlib: 376 is 78 01. The same bytes decide, however they arrive.
  if (zlib && option != Compression::kZlib && MayBeLength(head, size)) {
    const size_t probe = std::min(size, kProbeBytes);
    zlib = !CannotInflateAs(Compression::kZlib, head, probe);
    if (zlib && probe < kProbeBytes && !whole) return Needs(kProbeBytes);
  }
  switch (option) {
    case Compression::kAuto:
      return Is(gzip   ? Compression::kGzip
                : zlib ? Compression::kZlib
                       : Compression::kNone);
    case Compression::kNone:
      if (gzip) return Contradicts("gzip data");
      if (zlib) return Contradicts("zlib data");
      return Is(Compression::kNone);
    case Compression::kGzip:
      // A prefix of the magic is a truncated gzip file.
      if (gzip || (size < 3 && std::memcmp(head, kGzipMagic, size) == 0)) {
        return Is(Compression::kGzip);
      }
      break;
    case Compression::kZlib:
      if (LooksLikeZlib(head, size) && !plain) return Is(Compression::kZlib);
      if (size == 0 || (size == 1 && (head[0] & 0x0f) == 8)) {
        return Is(Compression::kZlib);
      }
      break;
  }
  if (plain) return Contradicts("an uncompressed TFRecord file");
  if (size < kSignatureBytes && !whole) return Needs(kSignatureBytes);
  const char* const found = gzip   ? "gzip data"
                            : zlib ? "zlib data"
                                   : SignatureOf(head, size);
  return Contradicts(found != nullptr ? found : "unknown data");
}

Recognition RecogniseBytes(Compression option, const uint8_t* head, size_t size,
                           bool whole) {
  if (option == Compression::kNone) return Is(option);
  const size_t needed =
      size < kZlibHeaderSize ? kZlibHeaderSize : ProbeSize(head, size);
  if (size < needed && !whole) return Needs(needed);
  const Compression found = KindOfBytes(head, size, size < kProbeBytes);
  if (option == Compression::kAuto) return Is(found);
  if (MayBegin(option, head, size)) return Is(option);
  return Contradicts(found == Compression::kNone   ? "uncompressed data"
                     : found == Compression::kGzip ? "gzip data"
                                                   : "zlib data");
}

}  // namespace

Recognition RecogniseContent(ContentRule rule, Compression option,
                             const uint8_t* head, size_t size, bool whole) {
  return rule == ContentRule::kRecords
             ? RecogniseRecords(option, head, size, whole)
             : RecogniseBytes(option, head, size, whole);
}

size_t ProbeSize(const uint8_t* head, size_t size) {
  if (MayBegin(Compression::kGzip, head, size)) return sizeof kGzipMagic;
  return MayBegin(Compression::kZlib, head, size) ? kProbeBytes
                                                  : kZlibHeaderSize;
}

Compression KindOfBytes(const uint8_t* head, size_t size, bool whole) {
  if (LooksLikeGzip(head, size)) return Compression::kGzip;
  if (!MayBegin(Compression::kZlib, head, size)) return Compression::kNone;
  const Start start = StartOf(Compression::kZlib, head, size);
  const bool zlib =
      start == Start::kWhole || (start == Start::kGives && !whole);
  return zlib ? Compression::kZlib : Compression::kNone;
}

bool MayBegin(Compression kind, const uint8_t* head, size_t size) {
  if (kind == Compression::kGzip) {
    return std::memcmp(head, kGzipMagic, std::min<size_t>(size, 2)) == 0;
  }
  size_t consumed = 0;
  return ZlibHeaderParser().Parse(head, size, &consumed) !=
         HeaderStatus::kForeign;
}

bool InflatesAs(Compression kind, const uint8_t* head, size_t size) {
  const Start start = StartOf(kind, head, size);
  return start == Start::kWhole || start == Start::kGives;
}

bool CannotInflateAs(Compression kind, const uint8_t* head, size_t size) {
  return StartOf(kind, head, size) == Start::kInvalid;
}

}  // namespace tfr
