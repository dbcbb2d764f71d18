#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/deflate/implementations.h"
#include "core/deflate/registry.h"
#include "core/deflate/roles.h"
#include "test/support/check.h"

using namespace tfr;

namespace {

using Bytes = std::vector<uint8_t>;
using NewInflater = std::unique_ptr<StreamInflater> (*)();

constexpr size_t kContent = size_t{3} << 20;

Bytes Content() {
  std::mt19937 random(1);
  Bytes content(kContent);
  for (size_t i = 0; i < content.size(); ++i) {
    const bool copy = i > 40000 && random() % 2 != 0;
    content[i] = copy ? content[i - 1 - random() % 3]
                      : static_cast<uint8_t>('a' + random() % 20);
  }
  return content;
}

Bytes Deflated(const Bytes& content, int level) {
  const auto deflater = NewZlibBlockDeflater(level);
  Bytes deflated(deflater->Bound(content.size()));
  deflated.resize(deflater->Deflate(content.data(), content.size(),
                                    deflated.data(), deflated.size()));
  return deflated;
}

/// Blocks with headers of three bits.
Bytes DeflatedWithFixedCodes(const Bytes& content) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 9, Z_FIXED) == Z_OK);
  Bytes deflated(deflateBound(&stream, static_cast<uLong>(content.size())));
  stream.next_in = const_cast<Bytef*>(content.data());
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = deflated.data();
  stream.avail_out = static_cast<uInt>(deflated.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  deflated.resize(stream.total_out);
  deflateEnd(&stream);
  return deflated;
}

struct Saved {
  size_t consumed;
  size_t produced;
  Bytes state;
};

/// Inflates everything, in pieces, and saves a state where that is possible
/// `distance` bytes of output after the one before.
std::vector<Saved> SaveStates(StreamInflater* inflater, const Bytes& deflated,
                              const Bytes& content, size_t distance) {
  std::vector<Saved> saved;
  Bytes out(size_t{64} << 10);
  ByteBuffer state;
  size_t consumed = 0;
  size_t produced = 0;
  for (;;) {
    size_t unread = 0;
    if ((saved.empty() || produced - saved.back().produced >= distance) &&
        inflater->Save(&state, &unread) == SaveResult::kSaved) {
      saved.push_back({consumed - unread, produced,
                       Bytes(state.data(), state.data() + state.size())});
    }
    const size_t piece =
        std::min<size_t>(deflated.size() - consumed, size_t{40} << 10);
    const InflateStep step = inflater->Inflate(deflated.data() + consumed,
                                               piece, out.data(), out.size());
    REQUIRE(step.status != InflateStatus::kError);
    REQUIRE(std::memcmp(out.data(), content.data() + produced, step.produced) ==
            0);
    consumed += step.consumed;
    produced += step.produced;
    if (step.status == InflateStatus::kEnd) break;
  }
  CHECK_EQ(produced, content.size());
  return saved;
}

/// Continues from `saved` to the end.
bool ContinuesFrom(const Saved& saved, StreamInflater* inflater,
                   const Bytes& deflated, const Bytes& content) {
  if (!inflater->Restore(saved.state.data(), saved.state.size())) return false;
  Bytes out(content.size() - saved.produced + 1);
  const InflateStep step = inflater->Inflate(deflated.data() + saved.consumed,
                                             deflated.size() - saved.consumed,
                                             out.data(), out.size());
  return step.status == InflateStatus::kEnd &&
         saved.consumed + step.consumed == deflated.size() &&
         saved.produced + step.produced == content.size() &&
         std::memcmp(out.data(), content.data() + saved.produced,
                     step.produced) == 0;
}

std::vector<NewInflater> Inflaters() {
  std::vector<NewInflater> all = {NewZlibInflater};
  if (NewIsalInflater()) all.push_back(NewIsalInflater);
  return all;
}

}  // namespace

TEST(AnyInflaterContinuesFromThePortableStateOfAnother) {
  const Bytes content = Content();
  for (const int level : {0, 1, 6, 9}) {
    const Bytes deflated = Deflated(content, level);
    for (const NewInflater from : Inflaters()) {
      const auto inflater = from();
      const auto saved =
          SaveStates(inflater.get(), deflated, content, size_t{128} << 10);
      CHECK(saved.size() >= (level == 0 ? 1u : 8u));
      for (const Saved& each : saved) {
        CHECK(IsPortableState(each.state.data(), each.state.size()));
        for (const NewInflater to : Inflaters()) {
          CHECK(ContinuesFrom(each, to().get(), deflated, content));
        }
      }
    }
  }
}

TEST(IgzipHasStatesOfItsOwnWhereBlocksHaveNoHeaders) {
  if (!NewIsalInflater()) return;
  const Bytes content = Content();
  const Bytes deflated = DeflatedWithFixedCodes(content);
  const auto inflater = NewIsalInflater();
  const auto saved =
      SaveStates(inflater.get(), deflated, content, size_t{128} << 10);
  size_t own = 0;
  for (const Saved& each : saved) {
    CHECK(ContinuesFrom(each, NewIsalInflater().get(), deflated, content));
    if (IsPortableState(each.state.data(), each.state.size())) continue;
    CHECK(!NewZlibInflater()->Restore(each.state.data(), each.state.size()));
    ++own;
  }
  CHECK(own >= 2);
}

TEST(OtherStatesAreRefused) {
  const Bytes states[] = {
      {}, {0}, {8, 0}, {0, 1}, {3, 8}, {kOwnState}, {kOwnState, 1, 2, 3}};
  Bytes too_long(kStateHead + kMostWindow + 1);
  for (const NewInflater inflater : Inflaters()) {
    for (const Bytes& state : states) {
      CHECK(!inflater()->Restore(state.data(), state.size()));
    }
    CHECK(!inflater()->Restore(too_long.data(), too_long.size()));
    too_long.pop_back();
    CHECK(inflater()->Restore(too_long.data(), too_long.size()));
    too_long.push_back(0);
  }
}
