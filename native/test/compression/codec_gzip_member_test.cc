#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "core/compression/container_inflater.h"
#include "core/compression/gzip_member.h"
#include "core/deflate/registry.h"
#include "test/support/check.h"

namespace {

using tfr::CancelToken;
using tfr::GzipMember;
using tfr::GzipMemberInfo;
using tfr::GzipMemberPadding;

constexpr uint64_t kBuffer = 262144;

std::string Inflated(const GzipMember::Bytes& member) {
  tfr::ContainerInflater inflater(tfr::Compression::kGzip,
                                  tfr::NewStreamInflater());
  std::string text(8 << 20, '\0');
  tfr::Fault fault;
  const auto step = inflater.Inflate(member.data, member.size,
                                     reinterpret_cast<uint8_t*>(&text[0]),
                                     text.size(), &fault);
  CHECK(!fault);
  CHECK_EQ(step.consumed, member.size);
  CHECK(!inflater.Finish());
  text.resize(step.produced);
  return text;
}

TEST(PaddingIsZeroOrFitsASubfield) {
  for (uint64_t end = kBuffer; end < 3 * kBuffer; ++end) {
    const size_t padding = GzipMemberPadding(end - 100, 100);
    const uint64_t past = end % kBuffer;
    CHECK_EQ(padding > 0, past >= 1 && past <= 8);
    if (padding == 0) continue;
    CHECK(padding >= 4 && padding <= tfr::kMaxGzipMemberPadding);
    const uint64_t padded = (end + padding) % kBuffer;
    CHECK(padded > 8);
  }
}

TEST(MemberFitsEveryOffset) {
  const std::string text = "some records, some records, some records";
  auto deflater = tfr::NewBlockDeflater(6);
  GzipMember member;
  REQUIRE(!member.Deflate(deflater.get(),
                          reinterpret_cast<const uint8_t*>(text.data()),
                          text.size(), 3, CancelToken()));
  const size_t bare = member.Finish(0).size;
  for (uint64_t offset = kBuffer - bare - 4; offset < kBuffer + 4; ++offset) {
    const auto bytes = member.Finish(offset);
    const uint64_t past = (offset + bytes.size) % kBuffer;
    CHECK(past < 1 || past > 8);
    CHECK(Inflated(bytes) == text);
    GzipMemberInfo info;
    REQUIRE(tfr::ReadGzipMemberInfo(bytes.data, bytes.size, &info));
    CHECK_EQ(info.member_size, bytes.size);
    CHECK_EQ(info.records, 3u);
    CHECK_EQ(info.header_size, tfr::kGzipMemberHeaderSize + bytes.size - bare);
    // The block is at the position that the header gives.
    auto inflater = tfr::NewBlockInflater();
    std::string block(text.size(), '\0');
    CHECK(inflater->Inflate(
        bytes.data + info.header_size,
        bytes.size - info.header_size - tfr::kGzipMemberTrailerSize,
        reinterpret_cast<uint8_t*>(&block[0]), block.size()));
    CHECK(block == text);
  }
}

/// Counts the parts, and cancels in one of them.
class CountingDeflater final : public tfr::BlockDeflater {
 public:
  CountingDeflater(CancelToken* cancel, int cancel_in)
      : cancel_(cancel), cancel_in_(cancel_in) {}
  size_t Bound(size_t in_size) const override { return in_size + 100; }
  size_t Deflate(const uint8_t*, size_t in_size, uint8_t*, size_t) override {
    return Count(in_size);
  }
  size_t DeflatePart(const uint8_t*, size_t in_size, uint8_t*,
                     size_t) override {
    return Count(in_size);
  }
  int parts() const { return parts_; }
  size_t longest() const { return longest_; }

 private:
  size_t Count(size_t in_size) {
    longest_ = std::max(longest_, in_size);
    if (++parts_ == cancel_in_) cancel_->Cancel();
    return 10;
  }

  CancelToken* const cancel_;
  const int cancel_in_;
  int parts_ = 0;
  size_t longest_ = 0;
};

TEST(LongMemberIsCancelledBetweenParts) {
  const std::string text(40 << 20, 'x');
  for (const int cancel_in : {1, 3, 1000}) {
    CancelToken cancel;
    CountingDeflater deflater(&cancel, cancel_in);
    GzipMember member;
    const tfr::Fault fault =
        member.Deflate(&deflater, reinterpret_cast<const uint8_t*>(text.data()),
                       text.size(), 1, cancel);
    CHECK(deflater.longest() <= 3 * tfr::kGzipPartSize / 2);
    if (cancel_in == 1000) {
      CHECK(!fault);
      continue;
    }
    CHECK_EQ(fault.system_error, ECANCELED);
    CHECK_EQ(deflater.parts(), cancel_in);
  }
}

TEST(LongMemberIsValidAndNotLarger) {
  std::string text;
  uint32_t seed = 1;
  while (text.size() < 6 << 20) {
    seed = seed * 1664525 + 1013904223;
    text += std::to_string(seed >> 20) + " some words ";
  }
  for (const size_t size :
       {tfr::kGzipPartSize - 1, tfr::kGzipPartSize, tfr::kGzipPartSize + 1,
        tfr::kGzipPartSize * 3 / 2, tfr::kGzipPartSize * 3 / 2 + 1,
        tfr::kGzipPartSize * 5 / 2, tfr::kGzipPartSize * 5 / 2 + 1,
        text.size()}) {
    const auto* data = reinterpret_cast<const uint8_t*>(text.data());
    for (const int level : {1, 6}) {
      auto deflater = tfr::NewBlockDeflater(level);
      GzipMember member;
      REQUIRE(!member.Deflate(deflater.get(), data, size, 1, CancelToken()));
      const auto bytes = member.Finish(0);
      CHECK(Inflated(bytes) == text.substr(0, size));
      std::vector<uint8_t> whole(deflater->Bound(size));
      const size_t one_block =
          deflater->Deflate(data, size, whole.data(), whole.size());
      CHECK(bytes.size < one_block + one_block / 100 + 100);
    }
  }
}

TEST(EmptyMemberIsValid) {
  for (int level = 0; level <= 9; ++level) {
    auto deflater = tfr::NewBlockDeflater(level);
    GzipMember member;
    REQUIRE(!member.Deflate(deflater.get(), nullptr, 0, 0, CancelToken()));
    CHECK_EQ(Inflated(member.Finish(0)), std::string());
  }
}

TEST(OneObjectBuildsManyMembers) {
  auto deflater = tfr::NewBlockDeflater(6);
  GzipMember member;
  for (size_t size : {100u, 300000u, 0u, 5u, 300000u}) {
    std::string text;
    for (size_t i = 0; i < size; ++i) {
      text += static_cast<char>(i * i >> 7);
    }
    REQUIRE(!member.Deflate(
        deflater.get(), reinterpret_cast<const uint8_t*>(text.data()),
        text.size(), static_cast<uint32_t>(size), CancelToken()));
    const auto bytes = member.Finish(12345);
    CHECK(Inflated(bytes) == text);
    GzipMemberInfo info;
    REQUIRE(tfr::ReadGzipMemberInfo(bytes.data, bytes.size, &info));
    CHECK_EQ(info.records, size);
  }
}

TEST(ForeignHeadersAreRejected) {
  auto deflater = tfr::NewBlockDeflater(6);
  GzipMember member;
  REQUIRE(!member.Deflate(deflater.get(), nullptr, 0, 0, CancelToken()));
  const auto bytes = member.Finish(0);
  GzipMemberInfo info;
  for (size_t size = 0; size < tfr::kGzipMemberHeaderSize; ++size) {
    CHECK(!tfr::ReadGzipMemberInfo(bytes.data, size, &info));
  }
  for (size_t i : {0, 1, 2, 3, 10, 12, 13, 14, 15}) {
    std::vector<uint8_t> changed(bytes.data, bytes.data + bytes.size);
    changed[i] ^= 0x10;
    const bool ours =
        tfr::ReadGzipMemberInfo(changed.data(), changed.size(), &info);
    // i is 10 for the extra field's size: a larger field may hold more than
    // ours.
    CHECK_EQ(ours && i != 10, false);
  }
}

}  // namespace
