#include "core/content/member_search.h"

#include <cstring>

#include "core/compression/gzip_member.h"

namespace tfr {
namespace {

enum class Chain : uint8_t { kProven, kBroken, kMore };

/// Follows the members from index `at` on by the sizes in their headers.
Chain Follow(const uint8_t* data, size_t size, bool last, size_t at) {
  for (size_t next = at;;) {
    if (last && next == size) return Chain::kProven;
    if (size - next < kGzipMemberHeaderSize) {
      return last ? Chain::kBroken : Chain::kMore;
    }
    GzipMemberInfo info;
    if (!ReadGzipMemberInfo(data + next, size - next, &info)) {
      return Chain::kBroken;
    }
    if (next - at > kMostVerbatim) return Chain::kProven;
    if (info.member_size > kLongestFound) return Chain::kBroken;
    next += static_cast<size_t>(info.member_size);
    if (next > size) return last ? Chain::kBroken : Chain::kMore;
  }
}

}  // namespace

bool FindMember(const uint8_t* data, size_t size, bool last, size_t expected,
                size_t* at) {
  constexpr int kFirstByte = 0x1f;
  while (size - *at >= kGzipMemberHeaderSize) {
    const size_t starts = size - *at - kGzipMemberHeaderSize + 1;
    const void* const found = std::memchr(data + *at, kFirstByte, starts);
    if (found == nullptr) {
      *at += starts;
      break;
    }
    *at = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    GzipMemberInfo info;
    if (ReadGzipMemberInfo(data + *at, size - *at, &info)) {
      if (*at == expected) return true;
      const Chain chain = Follow(data, size, last, *at);
      if (chain == Chain::kProven) return true;
      if (chain == Chain::kMore) return false;
    }
    ++*at;
  }
  return false;
}

}  // namespace tfr
