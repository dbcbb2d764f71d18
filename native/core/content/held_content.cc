#include "core/content/held_content.h"

#include <algorithm>
#include <cstring>

#include "core/base/cancel.h"

namespace tfr {

bool HeldContent::Grow() {
  return room() > 0 ||
         content_.Reserve(std::max(2 * content_.size(), kPollBytes));
}

size_t HeldContent::Take(uint8_t* dst, size_t size) {
  const size_t end =
      has_member() && used_ < member_ ? member_ : content_.size();
  const size_t n = std::min(size, end - used_);
  std::memcpy(dst, content_.data() + used_, n);
  used_ += n;
  if (left() == 0) Drop();
  return n;
}

size_t HeldContent::SkipToMember() {
  const size_t skipped = member_ - used_;
  used_ = member_;
  return skipped;
}

void HeldContent::Drop() {
  content_.Free();
  used_ = 0;
  member_ = kNoMember;
}

bool HeldContent::HoldMember(const uint8_t* bytes, size_t size) {
  if (!content_.Assign(bytes, size)) return false;
  member_ = 0;
  return true;
}

}  // namespace tfr
