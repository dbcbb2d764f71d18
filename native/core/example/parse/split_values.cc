#include "core/example/parse/split_values.h"

#include <algorithm>
#include <cstring>

#include "core/example/wire/wire.h"

namespace tfr {

namespace {

constexpr size_t kBlock = 4096;
constexpr size_t kPadding = kMostReadAhead;

}  // namespace

void SplitValues::Clear() {
  blocks_.clear();
  used_ = 0;
}

uint8_t* SplitValues::Room(size_t size, const uint8_t* origin) {
  const size_t wanted = sizeof(origin) + size + kPadding;
  if (blocks_.empty() || wanted > blocks_.back()->capacity() - used_) {
    auto block = std::make_unique<ByteBuffer>();
    const size_t capacity = std::max(wanted, kBlock);
    if (!block->Reserve(capacity)) return nullptr;
    std::memset(block->data(), 0, capacity);
    blocks_.push_back(std::move(block));
    used_ = 0;
  }
  uint8_t* const room = blocks_.back()->data() + used_;
  std::memcpy(room, static_cast<const void*>(&origin), sizeof(origin));
  // The next value may overwrite the padding.
  used_ += sizeof(origin) + size;
  return room + sizeof(origin);
}

const uint8_t* SplitValues::OriginOf(const uint8_t* value) {
  const uint8_t* origin;
  std::memcpy(static_cast<void*>(&origin), value - sizeof(origin),
              sizeof(origin));
  return origin;
}

}  // namespace tfr
