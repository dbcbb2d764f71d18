#include "core/example/decode/decoded_block.h"

#include <cstring>

namespace tfr {

namespace {

constexpr size_t Aligned(size_t size) { return (size + 7) & ~size_t{7}; }

template <class T>
size_t BytesOf(const TypedBuffer<T>& values) {
  return values.size() * sizeof(T);
}

/// Offsets of the block's parts.
struct Layout {
  explicit Layout(const DecodedRecord& decoded)
      : ints(Aligned(sizeof(DecodedHead) + BytesOf(decoded.rows))),
        floats(ints + BytesOf(decoded.numbers.ints)),
        places(Aligned(floats + BytesOf(decoded.numbers.floats))),
        names(Aligned(places + BytesOf(decoded.places))),
        end(names + BytesOf(decoded.idle_names)) {}

  const size_t ints;
  const size_t floats;
  const size_t places;
  const size_t names;
  const size_t end;
};

template <class T>
void Copy(const TypedBuffer<T>& values, uint8_t* to) {
  if (!values.empty()) std::memcpy(to, values.data(), BytesOf(values));
}

}  // namespace

size_t DecodedBlockSize(const DecodedRecord& decoded) {
  return Layout(decoded).end;
}

void WriteDecodedBlock(const DecodedRecord& decoded, uint8_t* block) {
  const Layout layout(decoded);
  const size_t count = decoded.rows.size();
  const DecodedHead head{
      static_cast<uint32_t>(count),
      static_cast<uint32_t>(decoded.idle_names.size() / 2),
      static_cast<uint32_t>(layout.names / sizeof(uint32_t))};
  std::memcpy(block, &head, sizeof(head));
  uint8_t* to = block + sizeof(head);
  for (size_t i = 0; i < count; ++i) {
    DecodedRow row = decoded.rows.data()[i];
    switch (row.kind) {
      case RowKind::kBytes:
        row.first = static_cast<uint32_t>(layout.places / sizeof(uint32_t) +
                                          size_t{row.first} * 2);
        break;
      case RowKind::kFloat:
        row.first += static_cast<uint32_t>(layout.floats / sizeof(float));
        break;
      case RowKind::kInt64:
        row.first += static_cast<uint32_t>(layout.ints / sizeof(int64_t));
        break;
      default:
        break;
    }
    std::memcpy(to, &row, sizeof(row));
    to += sizeof(row);
  }
  Copy(decoded.numbers.ints, block + layout.ints);
  Copy(decoded.numbers.floats, block + layout.floats);
  Copy(decoded.places, block + layout.places);
  Copy(decoded.idle_names, block + layout.names);
}

}  // namespace tfr
