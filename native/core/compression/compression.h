#ifndef TFR_CORE_COMPRESSION_COMPRESSION_H_
#define TFR_CORE_COMPRESSION_COMPRESSION_H_

#include <cstdint>

namespace tfr {

/// Compression of a file. The values match lib/base/compression.ts.
enum class Compression : uint8_t {
  kNone,
  kGzip,
  kZlib,
  /// For options only: detect from the content.
  kAuto,
};

/// The option's public name.
inline const char* NameOf(Compression compression) {
  constexpr const char* kNames[] = {"none", "gzip", "zlib", "auto"};
  return kNames[static_cast<int>(compression)];
}

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_COMPRESSION_H_
