#ifndef TFR_CORE_CONTENT_KIND_SNAPPY_HEAD_H_
#define TFR_CORE_CONTENT_KIND_SNAPPY_HEAD_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

enum class SnappyKind : uint8_t { kNone, kRaw, kTensorFlow, kHadoop };

/// Detects Snappy data without a magic number: a raw block; TensorFlow's
/// blocks, each after its size; Hadoop's, after both sizes. (The framing
/// format and that of snappy-java have magic numbers.)
///
/// Raw and TensorFlow's data counts only if it inflates to a record's length
/// with its valid checksum; Hadoop's also if both places of the uncompressed
/// size agree.
SnappyKind SnappyKindAt(const uint8_t* data, size_t size);

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_KIND_SNAPPY_HEAD_H_
