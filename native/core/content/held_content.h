#ifndef TFR_CORE_CONTENT_HELD_CONTENT_H_
#define TFR_CORE_CONTENT_HELD_CONTENT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"

namespace tfr {

/// Content that was inflated before it is read, and the place among it where
/// its last member begins, if one does.
class HeldContent {
 public:
  /// Number of bytes that are not read yet.
  size_t left() const { return content_.size() - used_; }

  /// Makes room for more bytes at `end()`. Returns false when memory runs out.
  bool Grow();
  uint8_t* end() { return content_.data() + content_.size(); }
  size_t room() const { return content_.capacity() - content_.size(); }
  /// `size` bytes were written at `end()`.
  void Add(size_t size) { content_.Resize(content_.size() + size); }
  /// A member begins at `end()`.
  void BeginMember() { member_ = content_.size(); }

  bool has_member() const { return member_ != kNoMember; }
  /// The next byte to read is one of the last member.
  bool in_member() const { return has_member() && used_ >= member_; }
  /// No byte of the last member was read.
  bool at_member() const { return has_member() && used_ <= member_; }

  /// Reads up to `size` bytes, all before the last member or all of it. Frees
  /// the memory with the last byte.
  size_t Take(uint8_t* dst, size_t size);
  /// Skips the bytes before the last member. Returns their number. Only if
  /// `at_member()`.
  size_t SkipToMember();
  /// Drops all bytes.
  void Drop();
  /// Holds a copy of these bytes instead, with which a member begins. Returns
  /// false when memory runs out.
  bool HoldMember(const uint8_t* bytes, size_t size);

 private:
  static constexpr size_t kNoMember = ~size_t{0};

  ByteBuffer content_;
  size_t used_ = 0;
  size_t member_ = kNoMember;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_HELD_CONTENT_H_
