#ifndef TFR_CORE_COMPRESSION_COMPRESSION_H_
#define TFR_CORE_COMPRESSION_COMPRESSION_H_

#include <cstdint>

namespace tfr {

/// How a file is compressed. The numbers are those of
/// lib/native/compression.ts.
enum class Compression : uint8_t {
  kNone,
  kGzip,
  kZlib,
  /// Only for options: the content of the file decides.
  kAuto,
};

/// As users write it.
inline const char* NameOf(Compression compression) {
  constexpr const char* kNames[] = {"none", "gzip", "zlib", "auto"};
  return kNames[static_cast<int>(compression)];
}

}  // namespace tfr

#endif  // TFR_CORE_COMPRESSION_COMPRESSION_H_
