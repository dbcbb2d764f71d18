#ifndef TFR_CORE_CONTENT_KIND_CONTENT_KIND_H_
#define TFR_CORE_CONTENT_KIND_CONTENT_KIND_H_

#include <cstddef>
#include <cstdint>

#include "core/compression/compression.h"

namespace tfr {

/// How to detect compression from the content.
enum class ContentRule : uint8_t {
  /// For TFRecords. A valid length checksum in the first 12 bytes means plain
  /// (checked first: a plain file whose first record has 559,903 bytes starts
  /// like gzip). Otherwise the magic numbers of gzip and zlib decide. All other
  /// content is plain, and the framer judges it. Compressed content is never
  /// read as plain.
  kRecords,
  /// For text and raw data. The magic number of gzip decides. Some text starts
  /// like zlib ("x^" does), so content is zlib only if it also inflates.
  /// Otherwise two bytes suffice to detect plain content. With the option
  /// kNone, content of any kind is plain.
  kBytes,
};

/// The compression of a content, as far as its first bytes show it.
struct Recognition {
  /// If not 0: this many leading bytes are needed to decide.
  size_t needed = 0;
  Compression kind = Compression::kNone;
  /// If not null: the content contradicts the option, and this names it.
  const char* mismatch = nullptr;
};

/// Decides how content that begins with `head` is read. `whole`: `head` is all
/// of it. `option`: the compression that the caller states, or kAuto.
Recognition RecogniseContent(ContentRule rule, Compression option,
                             const uint8_t* head, size_t size, bool whole);

/// Maximum number of leading bytes that are inflated to detect zlib.
inline constexpr size_t kProbeBytes = 4096;

/// Returns how many leading bytes `KindOfBytes` needs, given those available so
/// far: two, unless they look compressed.
size_t ProbeSize(const uint8_t* head, size_t size);

/// Detects the compression of text or raw data that begins with `head`.
/// `whole`: `head` is the entire data.
Compression KindOfBytes(const uint8_t* head, size_t size, bool whole);

/// True if data compressed as `kind`, kGzip or kZlib, may begin with `head`.
bool MayBegin(Compression kind, const uint8_t* head, size_t size);

/// True if `head` is the start of valid data compressed as `kind`, kGzip or
/// kZlib, that inflates to something, or a whole stream of it.
bool InflatesAs(Compression kind, const uint8_t* head, size_t size);

/// True if no valid data compressed as `kind`, kGzip or kZlib, begins with
/// `head`.
bool CannotInflateAs(Compression kind, const uint8_t* head, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_KIND_CONTENT_KIND_H_
