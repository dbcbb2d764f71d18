#ifndef TFR_CORE_EXAMPLE_PARSE_SPLIT_VALUES_H_
#define TFR_CORE_EXAMPLE_PARSE_SPLIT_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/buffers.h"

namespace tfr {

/// Memory for merged values of map entries, which came in several pieces.
/// Values share blocks, so it takes little more than their size.
class SplitValues {
 public:
  /// Releases all memory.
  void Clear();

  /// Returns room for a value of `size` bytes from the entry at `origin`;
  /// nullptr when memory runs out. It stays valid until `Clear`.
  /// `kMostReadAhead` bytes after it may be read; their content is unspecified.
  uint8_t* Room(size_t size, const uint8_t* origin);

  /// Returns the `origin` of a value.
  static const uint8_t* OriginOf(const uint8_t* value);

 private:
  std::vector<std::unique_ptr<ByteBuffer>> blocks_;
  size_t used_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_SPLIT_VALUES_H_
