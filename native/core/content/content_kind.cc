#include "core/content/content_kind.h"

#include <algorithm>
#include <cstring>

#include "core/compression/container_inflater.h"
#include "core/compression/zlib_format.h"
#include "core/deflate/implementations.h"

namespace tfr {
namespace {

constexpr uint8_t kGzipMagic[] = {0x1f, 0x8b, 8};

/// True if `head` is a whole stream of `kind`, or a valid start of one. Uses
/// zlib, because igzip accepts more; and requires some output, because a valid
/// header alone proves nothing.
bool Inflates(Compression kind, const uint8_t* head, size_t size, bool whole) {
  ContainerInflater inflater(kind, NewZlibInflater(), true);
  uint8_t out[4096];
  Fault fault;
  bool gave = false;
  for (size_t used = 0; !fault;) {
    const auto step =
        inflater.Inflate(head + used, size - used, out, sizeof out, &fault);
    used += step.consumed;
    gave = gave || step.produced > 0;
    if (used > 0 && inflater.BetweenMembers()) return true;
    if (used == size && step.produced < sizeof out) break;
  }
  return !fault && gave && !whole;
}

}  // namespace

size_t ProbeSize(const uint8_t* head, size_t size) {
  if (MayBegin(Compression::kGzip, head, size)) return sizeof kGzipMagic;
  return MayBegin(Compression::kZlib, head, size) ? kProbeBytes
                                                  : kZlibHeaderSize;
}

Compression KindOfBytes(const uint8_t* head, size_t size, bool whole) {
  if (LooksLikeGzip(head, size)) return Compression::kGzip;
  const bool zlib = MayBegin(Compression::kZlib, head, size) &&
                    Inflates(Compression::kZlib, head, size, whole);
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
  return Inflates(kind, head, size, false);
}

}  // namespace tfr
