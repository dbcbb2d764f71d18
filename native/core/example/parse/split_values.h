#ifndef TFR_CORE_EXAMPLE_PARSE_SPLIT_VALUES_H_
#define TFR_CORE_EXAMPLE_PARSE_SPLIT_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/buffers.h"

namespace tfr {

/// Memory for the values of map entries that came in several pieces. It takes
/// little more than they do: they share blocks.
class SplitValues {
 public:
  /// Gives all memory back.
  void Clear();

  /// Room for a value of `size` bytes out of the entry at `origin`; nullptr
  /// when memory ran out. It stays where it is until `Clear`, and some bytes
  /// behind it may be read, though they mean nothing.
  uint8_t* Room(size_t size, const uint8_t* origin);

  /// The `origin` of a value.
  static const uint8_t* OriginOf(const uint8_t* value);

 private:
  std::vector<std::unique_ptr<ByteBuffer>> blocks_;
  size_t used_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_SPLIT_VALUES_H_
