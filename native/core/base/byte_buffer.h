#ifndef TFR_CORE_BASE_BYTE_BUFFER_H_
#define TFR_CORE_BASE_BYTE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/memory.h"

namespace tfr {

/// A growing buffer that says so when memory runs out, and does not clear what
/// it reserves. (`std::vector` throws, and clears.)
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  ByteBuffer(ByteBuffer&& other) noexcept { *this = std::move(other); }
  ByteBuffer& operator=(ByteBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~ByteBuffer() { FreeMemory(data_, capacity_); }

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }

  /// False when memory ran out; the content stays as it was.
  [[nodiscard]] bool Reserve(size_t capacity) {
    if (capacity <= capacity_) return true;
    void* const data = GrowMemory(data_, capacity_, capacity);
    if (data == nullptr) return false;
    data_ = static_cast<uint8_t*>(data);
    capacity_ = capacity;
    return true;
  }

  /// `size` is at most the capacity.
  void Resize(size_t size) { size_ = size; }

  [[nodiscard]] bool Assign(const uint8_t* data, size_t size) {
    if (!Reserve(size)) return false;
    if (size > 0) std::memcpy(data_, data, size);
    size_ = size;
    return true;
  }

  /// Gives the memory back.
  void Free() {
    FreeMemory(data_, capacity_);
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_BYTE_BUFFER_H_
