#ifndef TFR_CORE_EXAMPLE_PARSE_BYTE_STORE_H_
#define TFR_CORE_EXAMPLE_PARSE_BYTE_STORE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "core/base/buffers.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// A threshold that no value reaches.
inline constexpr size_t kNeverRefer = ~size_t{0};

/// The bytes of a column's values, in sequence. Long values may stay in the
/// slab until all are copied out, which saves a copy and memory.
class ByteStore {
 public:
  /// Values of at least `from` bytes in `memory` are referred to, not copied.
  /// `memory` must outlive them.
  void ReferTo(Span memory, size_t from) {
    lasting_ = memory;
    refer_from_ = from;
  }

  size_t size() const { return copied_.size() + referred_; }
  bool refers() const { return !long_.empty(); }
  size_t held_bytes() const {
    return copied_.held_bytes() + long_.held_bytes();
  }

  /// Appends a value. May read memory up to `limit`. Returns false when memory
  /// runs out.
  [[nodiscard]] bool Append(Span value, const uint8_t* limit) {
    constexpr size_t kMove = kMostReadAhead;
    if (value.size >= refer_from_ && Lasts(value)) return Refer(value);
    uint8_t* const room = copied_.Room(std::max(value.size, kMove));
    if (room == nullptr) return false;
    // Most values are short: a move of constant size beats a call.
    if (value.size <= kMove && MayRead(value.data, kMove, limit)) {
      std::memcpy(room, value.data, kMove);
    } else if (value.size > 0) {
      std::memcpy(room, value.data, value.size);
    }
    copied_.Add(value.size);
    return true;
  }

  /// Keeps the first `size` bytes, which must end with a value.
  void Truncate(size_t size) {
    while (!long_.empty() && (long_.end() - 1)->at >= size) {
      referred_ -= (long_.end() - 1)->value.size;
      long_.Truncate(long_.size() - 1);
    }
    copied_.Truncate(size - referred_);
  }

  /// Empties the store and releases memory beyond `keep` bytes.
  void Clear(size_t keep) {
    copied_.Clear(keep);
    long_.Clear(keep / sizeof(LongValue));
    referred_ = 0;
    ReferTo({}, kNeverRefer);
  }

  /// The bytes `begin` to `end` of a store that refers to no slab.
  Span At(size_t begin, size_t end) const {
    return {copied_.data() + begin, end - begin};
  }

  /// Copies the bytes `begin` to `end`, which must be whole values.
  void CopyTo(uint8_t* to, size_t begin, size_t end) const {
    size_t i = 0;
    size_t referred = 0;
    for (; i < long_.size() && long_.data()[i].at < begin; ++i) {
      referred += long_.data()[i].value.size;
    }
    const uint8_t* from = copied_.data();
    if (begin > referred) from += begin - referred;
    size_t at = begin;
    for (; i < long_.size() && long_.data()[i].at < end; ++i) {
      const LongValue& next = long_.data()[i];
      Move(&from, next.at - at, to + (at - begin));
      std::memcpy(to + (next.at - begin), next.value.data, next.value.size);
      at = next.at + next.value.size;
    }
    Move(&from, end - at, to + (at - begin));
  }
  /// All bytes, if none are referred to.
  const uint8_t* data() const { return copied_.data(); }
  /// Calls `visit(index, span)` for the values `begin` to `end`, in order,
  /// until it returns false. `offsets`: the start of each value, and the end of
  /// the last. Returns false if `visit` did.
  template <class Visit>
  bool Each(const int32_t* offsets, size_t begin, size_t end,
            Visit visit) const {
    size_t next_long = 0;
    size_t referred = 0;
    for (size_t i = begin; i < end; ++i) {
      const size_t at = static_cast<size_t>(offsets[i]);
      const size_t size = static_cast<size_t>(offsets[i + 1]) - at;
      for (; next_long < long_.size() && long_.data()[next_long].at < at;
           ++next_long) {
        referred += long_.data()[next_long].value.size;
      }
      // An empty value may lie directly before a long one.
      const bool refers = size > 0 && next_long < long_.size() &&
                          long_.data()[next_long].at == at;
      const Span value = refers ? long_.data()[next_long].value
                                : Span{copied_.data() + (at - referred), size};
      if (!visit(i, value)) return false;
    }
    return true;
  }
  /// Copies all `size()` bytes.
  void CopyTo(uint8_t* to) const { CopyTo(to, 0, size()); }

 private:
  struct LongValue {
    Span value;
    /// Bytes of the store before it.
    size_t at;
  };

  static void Move(const uint8_t** from, size_t size, uint8_t* to) {
    if (size == 0) return;
    std::memcpy(to, *from, size);
    *from += size;
  }

  /// False for merged pieces and fallback values, which are in other memory.
  bool Lasts(Span value) const {
    const std::less_equal<const uint8_t*> le;
    return value.size > 0 && le(lasting_.data, value.data) &&
           le(value.end(), lasting_.end());
  }

  bool Refer(Span value) {
    if (!long_.Push({value, size()})) return false;
    referred_ += value.size;
    return true;
  }

  TypedBuffer<uint8_t> copied_;
  TypedBuffer<LongValue> long_;
  /// Total size of the values in `long_`.
  size_t referred_ = 0;
  Span lasting_{};
  size_t refer_from_ = kNeverRefer;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_BYTE_STORE_H_
