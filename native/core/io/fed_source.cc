#include "core/io/fed_source.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace tfr {

bool FedSource::Feed(const uint8_t* data, size_t size, bool last) {
  Chunk chunk;
  if (size > 0) {
    chunk.data.reset(new (std::nothrow) uint8_t[size]);
    if (!chunk.data) return false;
    std::memcpy(chunk.data.get(), data, size);
    chunk.size = size;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (size > 0) chunks_.push_back(std::move(chunk));
  ended_ = ended_ || last;
  return true;
}

ReadState FedSource::Read(uint8_t* dst, size_t size, size_t* got, Fault*) {
  Chunk* chunk = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (chunks_.empty()) return ended_ ? ReadState::kEnd : ReadState::kDry;
    // References into a deque stay valid while others push to its end.
    chunk = &chunks_.front();
  }
  const size_t n = std::min(size, chunk->size - chunk->taken);
  std::memcpy(dst, chunk->data.get() + chunk->taken, n);
  chunk->taken += n;
  *got = n;
  if (chunk->taken == chunk->size) {
    std::lock_guard<std::mutex> lock(mutex_);
    chunks_.pop_front();
  }
  return ReadState::kBytes;
}

void FedSource::Close() {
  std::lock_guard<std::mutex> lock(mutex_);
  chunks_.clear();
  ended_ = true;
}

}  // namespace tfr
