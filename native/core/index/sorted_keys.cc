#include "core/index/sorted_keys.h"

#include <algorithm>
#include <new>

namespace tfr {
void SortedKeys::Add(uint64_t entry) {
  held_.push_back(entry);
  last_ = entry;
  if (held_.size() % kHeld == 0 && !unfiled_) File();
}

void SortedKeys::Release() {
  if (!unfiled_ && !held_.empty()) File();
  held_.shrink_to_fit();
}

void SortedKeys::File() {
  static_assert(kHeld % kBlock == 0);
  if (!file_) file_ = ScratchFile::Open();
  if (!file_ || !file_->Write(filed_, held_.data(), held_.size())) {
    unfiled_ = true;
    return;
  }
  for (size_t i = 0; i < held_.size(); i += kBlock) {
    firsts_.push_back(held_[i]);
  }
  filed_ += held_.size();
  held_.clear();
}

void SortedKeys::Read(size_t from, size_t count, uint64_t* to) const {
  if (from < filed_) {
    const size_t some = std::min(count, filed_ - from);
    if (!file_->Read(from, to, some)) throw std::bad_alloc();
    from += some;
    count -= some;
    to += some;
  }
  std::copy_n(held_.begin() + static_cast<ptrdiff_t>(from - filed_), count, to);
}

size_t SortedKeys::LowerBound(uint64_t entry) const {
  const auto within = [&](const std::vector<uint64_t>& entries) {
    return static_cast<size_t>(
        std::lower_bound(entries.begin(), entries.end(), entry) -
        entries.begin());
  };
  const size_t blocks = within(firsts_);
  if (blocks == 0) return filed_ > 0 ? 0 : within(held_);
  const size_t start = (blocks - 1) * kBlock;
  std::vector<uint64_t> block(std::min(kBlock, filed_ - start));
  Read(start, block.size(), block.data());
  const size_t at = start + within(block);
  return at < filed_ ? at : filed_ + within(held_);
}

bool KeyCursor::Next(uint64_t* entry) {
  if (next_ == block_.size()) {
    block_.resize(std::min(SortedKeys::kBlock, keys_->size() - at_));
    if (block_.empty()) return false;
    keys_->Read(at_, block_.size(), block_.data());
    at_ += block_.size();
    next_ = 0;
  }
  *entry = block_[next_++];
  return true;
}

}  // namespace tfr
