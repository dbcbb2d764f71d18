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

/// A growing array of plain values that says so when memory runs out. What lies
/// behind the end may be written to, up to the room that was asked for.
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

  /// Room for `count` (1 or more) behind the end; nullptr when memory ran out,
  /// and the content stays as it was.
  [[nodiscard]] T* Room(size_t count) {
    if (count > capacity_ - size_ && !Grow(count)) return nullptr;
    return end();
  }
  /// Takes `count` values that were written behind the end.
  void Add(size_t count) { size_ += count; }
  [[nodiscard]] bool Push(T value) {
    T* const room = Room(1);
    if (room == nullptr) return false;
    *room = value;
    ++size_;
    return true;
  }
  /// `size` is at most the present one.
  void Truncate(size_t size) { size_ = size; }
  /// Empties, and gives back memory beyond `keep` values.
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
