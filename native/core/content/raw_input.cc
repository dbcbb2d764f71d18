#include "core/content/raw_input.h"

#include <algorithm>
#include <cstring>

#include "core/base/cancel.h"
#include "core/content/kind/signature.h"

namespace tfr {

ReadState RawInput::ReadHead(size_t size, Fault* fault) {
  const size_t most = std::max(size, kSignatureBytes);
  if (!raw_.Reserve(most)) {
    *fault = MemoryFault();
    return ReadState::kFault;
  }
  while (raw_.size() < size && !ended_) {
    size_t got = 0;
    const ReadState state = source_->Read(raw_.data() + raw_.size(),
                                          most - raw_.size(), &got, fault);
    if (state == ReadState::kDry || state == ReadState::kFault) return state;
    if (state == ReadState::kEnd) ended_ = true;
    raw_.Resize(raw_.size() + got);
  }
  return ReadState::kBytes;
}

ReadState RawInput::ReadMore(Fault* fault) {
  keeps_ = keeps_ && raw_.size() - keep_ <= kMostKept;
  if (keeps_) return ReadMoreWithout(keep_, fault);
  const size_t overrun = keeps_overrun_ ? std::min(used_, kOverrun) : 0;
  return ReadMoreWithout(used_ - overrun, fault);
}

ReadState RawInput::ReadMoreWithout(size_t count, Fault* fault) {
  const size_t left = raw_.size() - count;
  if (count > 0 && left > 0) {
    std::memmove(raw_.data(), raw_.data() + count, left);
  }
  raw_.Resize(left);
  used_ -= std::min(count, used_);
  keep_ -= std::min(count, keep_);
  const size_t needed = left + kPollBytes;
  const size_t capacity = raw_.capacity();
  if (!raw_.Reserve(needed <= capacity ? needed
                                       : std::max(needed, 2 * capacity))) {
    *fault = MemoryFault();
    return ReadState::kFault;
  }
  size_t got = 0;
  const ReadState state =
      source_->Read(raw_.data() + left, kPollBytes, &got, fault);
  raw_.Resize(left + got);
  if (state != ReadState::kEnd) return state;
  ended_ = true;
  return ReadState::kBytes;
}

void RawInput::Clear() {
  raw_.Resize(0);
  used_ = keep_ = 0;
  keeps_ = false;
}

void RawInput::KeepFrom(size_t at) {
  used_ = keep_ = at;
  keeps_ = true;
}

}  // namespace tfr
