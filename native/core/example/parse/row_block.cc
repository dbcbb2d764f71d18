#include "core/example/parse/row_block.h"

#include <cstring>

namespace tfr {

namespace {

class BlockWriter {
 public:
  BlockWriter(uint8_t* block, size_t size, size_t head)
      : block_(block), size_(size), used_(head) {}

  /// Returns room for `bytes` at a multiple of 8; nullptr if there is not
  /// enough.
  uint8_t* Room(size_t bytes) {
    const size_t start = (used_ + 7) & ~size_t{7};
    if (start > size_ || bytes > size_ - start) return nullptr;
    used_ = start + bytes;
    return block_ + start;
  }

  void Entry(size_t column, size_t count, const uint8_t* place) {
    const int32_t entry[] = {static_cast<int32_t>(count),
                             static_cast<int32_t>(place - block_)};
    std::memcpy(block_ + column * sizeof(entry), entry, sizeof(entry));
  }

  template <class T>
  bool Numbers(size_t column, const TypedBuffer<T>& values) {
    const size_t bytes = values.size() * sizeof(T);
    uint8_t* const to = Room(bytes);
    if (to == nullptr) return false;
    if (bytes > 0) std::memcpy(to, values.data(), bytes);
    Entry(column, values.size(), to);
    return true;
  }

  bool Bytes(size_t column, const ColumnData& data) {
    const size_t positions = data.offsets.size();
    uint8_t* const to = Room(positions * sizeof(int32_t) + data.bytes.size());
    if (to == nullptr) return false;
    const auto first =
        static_cast<int32_t>(to - block_ + positions * sizeof(int32_t));
    for (size_t i = 0; i < positions; ++i) {
      const int32_t place = first + data.offsets.data()[i];
      std::memcpy(to + i * sizeof(place), &place, sizeof(place));
    }
    data.bytes.CopyTo(block_ + first);
    Entry(column, positions - 1, to);
    return true;
  }

 private:
  uint8_t* const block_;
  const size_t size_;
  size_t used_;
};

}  // namespace

bool WriteRowBlock(const BatchParser& parser, uint8_t* block, size_t size) {
  const std::vector<ColumnPlan>& columns = parser.plan().columns;
  BlockWriter writer(block, size, columns.size() * 2 * sizeof(int32_t));
  for (size_t i = 0; i < columns.size(); ++i) {
    const ColumnData& data = parser.column(i);
    bool fits;
    switch (columns[i].kind) {
      case Kind::kFloat:
        fits = writer.Numbers(i, data.floats);
        break;
      case Kind::kInt64:
        fits = writer.Numbers(i, data.ints);
        break;
      default:
        fits = writer.Bytes(i, data);
    }
    if (!fits) return false;
  }
  return true;
}

}  // namespace tfr
