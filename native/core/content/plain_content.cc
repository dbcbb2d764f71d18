#include "core/content/plain_content.h"

#include <algorithm>
#include <cstring>

namespace tfr {

ReadState PlainContent::Read(uint8_t* dst, size_t size, size_t* got,
                             Fault* fault) {
  if (raw_->left() > 0) {
    const size_t n = std::min(raw_->left(), size);
    std::memcpy(dst, raw_->unused(), n);
    raw_->Use(n);
    used_ += n;
    *got = n;
    return ReadState::kBytes;
  }
  const ReadState state = source_->Read(dst, size, got, fault);
  if (state == ReadState::kBytes) used_ += *got;
  return state;
}

bool PlainContent::StepBack(uint64_t count) {
  // The source must also step back over the unread bytes of the head.
  if (!source_->StepBack(count + raw_->left())) return false;
  raw_->Clear();
  used_ -= count;
  return true;
}

uint64_t PlainContent::StepOver(uint64_t count) {
  if (raw_->left() > 0) return 0;
  const uint64_t step = source_->StepOver(count);
  used_ += step;
  return step;
}

uint64_t PlainContent::Remaining() {
  const uint64_t remaining = source_->Remaining();
  return remaining == kUnknown ? kUnknown : remaining + raw_->left();
}

}  // namespace tfr
