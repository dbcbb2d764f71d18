#include "core/content/content_kind.h"

#include <algorithm>
#include <cstring>

#include "core/compression/container_inflater.h"
#include "core/compression/zlib_format.h"
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

}  // namespace

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
