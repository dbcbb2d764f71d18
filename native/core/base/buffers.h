#ifndef TFR_CORE_BASE_BUFFERS_H_
#define TFR_CORE_BASE_BUFFERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/base/memory.h"

namespace tfr {

/// A growable byte buffer that reports failed allocations and leaves new memory
/// uninitialized. (`std::vector` throws and clears.)
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

  /// Returns false when memory runs out; the content is unchanged.
  [[nodiscard]] bool Reserve(size_t capacity) {
    if (capacity <= capacity_) return true;
    void* const data = GrowMemory(data_, capacity_, capacity);
    if (data == nullptr) return false;
    data_ = static_cast<uint8_t*>(data);
    capacity_ = capacity;
    return true;
  }

  /// Sets the size. `size` must not exceed the capacity.
  void Resize(size_t size) { size_ = size; }

  [[nodiscard]] bool Assign(const uint8_t* data, size_t size) {
    if (!Reserve(size)) return false;
    if (size > 0) std::memcpy(data_, data, size);
    size_ = size;
    return true;
  }

  /// Releases the memory.
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

/// A growable array of trivially copyable values. It reports failed
/// allocations. Callers may write past the end, within the room that `Room()`
/// returned, and then `Add()` the values.
template <class T>
class TypedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  TypedBuffer() = default;
  TypedBuffer(TypedBuffer&& other) noexcept { *this = std::move(other); }
  TypedBuffer& operator=(TypedBuffer&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_.data()); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t index) { return data()[index]; }
  const T& operator[](size_t index) const { return data()[index]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  size_t held_bytes() const { return bytes_.capacity(); }

  /// Returns room for `count` (1 or more) values past the end, or nullptr when
  /// memory runs out; the content is unchanged.
  [[nodiscard]] T* Room(size_t count) {
    if (count > capacity_ - size_ && !Grow(count)) return nullptr;
    return end();
  }
  /// Appends `count` values that the caller wrote to the room.
  void Add(size_t count) { size_ += count; }
  [[nodiscard]] bool Push(T value) {
    T* const room = Room(1);
    if (room == nullptr) return false;
    *room = value;
    ++size_;
    return true;
  }
  /// Shrinks to `size`, which must not exceed the current size.
  void Truncate(size_t size) { size_ = size; }
  /// Clears the array. Releases the memory if it holds more than `keep` values.
  void Clear(size_t keep) {
    size_ = 0;
    if (capacity_ <= keep) return;
    bytes_.Free();
    capacity_ = 0;
  }

 private:
  bool Grow(size_t count) {
    if (count > kMax - size_) return false;
    const size_t wanted =
        std::max({size_ + count, std::min(kMax, capacity_ * 2), size_t{64}});
    if (!bytes_.Reserve(wanted * sizeof(T))) return false;
    capacity_ = wanted;
    return true;
  }

  static constexpr size_t kMax = (~size_t{0} >> 2) / sizeof(T);
  ByteBuffer bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_BASE_BUFFERS_H_
