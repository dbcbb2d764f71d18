// One set of tests for all implementations of streaming inflate.

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "test/deflate/codec_samples.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

constexpr size_t kAll = std::numeric_limits<size_t>::max();
constexpr size_t kGuard = 64;

struct Outcome {
  Bytes out;
  size_t consumed = 0;
  InflateStatus status = InflateStatus::kMore;
};

/// Inflates in input pieces of `in_piece` with room for `out_piece` bytes per
/// step, until the stream ends or makes no more progress. Checks the contract
/// of every step.
Outcome Run(StreamInflater* inflater, const Bytes& in, size_t in_piece,
            size_t out_piece, size_t most = 1u << 19) {
  Outcome outcome;
  Bytes room(std::min(out_piece, most) + kGuard);
  const size_t room_size = room.size() - kGuard;
  for (;;) {
    std::fill(room.end() - kGuard, room.end(), uint8_t{0xa5});
    const size_t size = std::min(in_piece, in.size() - outcome.consumed);
    // A separate copy, so that a sanitizer detects reads past its end.
    const Bytes piece(in.begin() + outcome.consumed,
                      in.begin() + outcome.consumed + size);
    const InflateStep step =
        inflater->Inflate(piece.data(), size, room.data(), room_size);
    REQUIRE(step.consumed <= size);
    REQUIRE(step.produced <= room_size);
    CHECK(std::all_of(room.end() - kGuard, room.end(),
                      [](uint8_t byte) { return byte == 0xa5; }));
    outcome.out.insert(outcome.out.end(), room.begin(),
                       room.begin() + step.produced);
    outcome.consumed += step.consumed;
    outcome.status = step.status;
    if (step.status != InflateStatus::kMore) return outcome;
    if (step.produced < room_size) {
      // Room was left, so all input must have been consumed.
      if (!CHECK_EQ(step.consumed, size)) return outcome;
      if (outcome.consumed == in.size()) return outcome;
    }
    if (step.consumed == 0 && step.produced == 0) {
      CHECK_EQ(room_size, 0u);
      return outcome;
    }
    if (outcome.out.size() > most) return outcome;
  }
}

void CheckWhole(const std::string& name, const DeflatedSample& sample,
                const Outcome& outcome) {
  const bool right = outcome.status == InflateStatus::kEnd &&
                     outcome.out == sample.data &&
                     outcome.consumed == sample.deflated.size();
  if (!CHECK(right)) {
    std::fprintf(stderr,
                 "  %s, %s: status %d, %zu of %zu bytes, read %zu/%zu\n",
                 name.c_str(), sample.name.c_str(),
                 static_cast<int>(outcome.status), outcome.out.size(),
                 sample.data.size(), outcome.consumed, sample.deflated.size());
  }
}

TEST(InflatesEverySampleInOneStep) {
  const auto samples = DeflatedSamples();
  for (auto& [name, inflater] : StreamInflaters()) {
    for (const DeflatedSample& sample : samples) {
      inflater->Reset();
      CheckWhole(name, sample,
                 Run(inflater.get(), sample.deflated, kAll, kAll));
    }
  }
}

TEST(InflatesInPiecesOfEverySize) {
  const auto samples = DeflatedSamples();
  for (auto& [name, inflater] : StreamInflaters()) {
    for (const DeflatedSample& sample : samples) {
      for (size_t in_piece : {size_t{1}, size_t{2}, size_t{3}, size_t{9},
                              size_t{333}, size_t{65536}, kAll}) {
        // Skips runs with too many steps.
        const size_t most_steps = 1000 / LoopStep();
        if (in_piece < sample.deflated.size() / most_steps) continue;
        for (size_t out_piece :
             {size_t{1}, size_t{2}, size_t{9}, size_t{258}, size_t{4096},
              size_t{32768}, size_t{65537}, kAll}) {
          if (out_piece < sample.data.size() / most_steps) continue;
          if (in_piece < 333 && out_piece == kAll) continue;
          inflater->Reset();
          CheckWhole(name, sample,
                     Run(inflater.get(), sample.deflated, in_piece, out_piece));
        }
      }
    }
  }
}

TEST(InflatesWithEverySplitOfTheInput) {
  const Bytes data = Mixture(900);
  for (auto& [name, inflater] : StreamInflaters()) {
    for (int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED}) {
      for (int level : {0, 6}) {
        const DeflatedSample sample = {"mixture of 900", data,
                                       ZlibDeflate(data, level, strategy)};
        for (size_t split = 0; split <= sample.deflated.size();
             split += LoopStep()) {
          inflater->Reset();
          Bytes out(data.size());
          const InflateStep first = inflater->Inflate(
              sample.deflated.data(), split, out.data(), out.size());
          const InflateStep second = inflater->Inflate(
              sample.deflated.data() + first.consumed,
              sample.deflated.size() - first.consumed,
              out.data() + first.produced, out.size() - first.produced);
          CHECK_EQ(first.consumed + second.consumed, sample.deflated.size());
          CHECK_EQ(first.produced + second.produced, data.size());
          CHECK(out == data);
          CHECK(second.status == InflateStatus::kEnd ||
                first.status == InflateStatus::kEnd);
        }
      }
    }
  }
}

TEST(LeavesBytesAfterTheStream) {
  const auto samples = DeflatedSamples();
  for (auto& [name, inflater] : StreamInflaters()) {
    for (const DeflatedSample& sample : samples) {
      for (size_t tail : {1, 7, 8, 9, 1000}) {
        DeflatedSample longer = sample;
        longer.deflated.insert(longer.deflated.end(), tail, 0xff);
        for (size_t in_piece : {size_t{5}, size_t{16}, kAll}) {
          if (in_piece < kAll && sample.deflated.size() > 2000) continue;
          for (size_t out_piece :
               {sample.data.size() / 2 + 1, sample.data.size() + 1, kAll}) {
            inflater->Reset();
            const Outcome outcome =
                Run(inflater.get(), longer.deflated, in_piece, out_piece);
            CheckWhole(name, sample, outcome);
          }
        }
      }
    }
  }
}

TEST(ExactRoomIsEnough) {
  const auto samples = DeflatedSamples();
  for (auto& [name, inflater] : StreamInflaters()) {
    for (const DeflatedSample& sample : samples) {
      inflater->Reset();
      Bytes in = sample.deflated;
      in.insert(in.end(), 8, 0);
      Bytes out(sample.data.size() + kGuard, 0xa5);
      size_t consumed = 0;
      size_t produced = 0;
      InflateStep step;
      // Allows one more step, without room, to detect the end.
      for (int i = 0; i < 2 && step.status == InflateStatus::kMore; ++i) {
        step = inflater->Inflate(in.data() + consumed, in.size() - consumed,
                                 out.data() + produced,
                                 sample.data.size() - produced);
        consumed += step.consumed;
        produced += step.produced;
      }
      CHECK_EQ(step.status, InflateStatus::kEnd);
      CHECK_EQ(consumed, sample.deflated.size());
      CHECK_EQ(produced, sample.data.size());
      CHECK_EQ(out[sample.data.size()], 0xa5);
    }
  }
}

TEST(ResetForgetsACutStream) {
  const Bytes data = Mixture(100000);
  const Bytes other = Mixture(5000, 9);
  const Bytes deflated = ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY);
  const DeflatedSample small = {"small", other,
                                ZlibDeflate(other, 6, Z_DEFAULT_STRATEGY)};
  for (auto& [name, inflater] : StreamInflaters()) {
    for (size_t cut = 0; cut < deflated.size(); cut += 371) {
      for (size_t room : {1, 1000, 50000}) {
        Bytes out(room);
        inflater->Reset();
        inflater->Inflate(deflated.data(), cut, out.data(), room);
        inflater->Reset();
        CheckWhole(name, small, Run(inflater.get(), small.deflated, 100, 999));
      }
    }
    // The same after an error.
    const Bytes garbage(100, 0xff);
    inflater->Reset();
    CHECK_EQ(Run(inflater.get(), garbage, kAll, kAll).status,
             InflateStatus::kError);
    inflater->Reset();
    CheckWhole(name, small, Run(inflater.get(), small.deflated, kAll, kAll));
  }
}

TEST(MatchesCannotReachAnOlderStream) {
  // A match at the very start refers to nothing, whatever came before Reset.
  // Fixed block: length 3 (0000001), distance 1 (00000), end (0000000).
  const Bytes match = {0x03, 0x02, 0x00, 0x00};
  const Bytes before = ZlibDeflate(Mixture(100000), 6, Z_DEFAULT_STRATEGY);
  for (auto& [name, inflater] : StreamInflaters()) {
    inflater->Reset();
    Run(inflater.get(), before, kAll, kAll);
    inflater->Reset();
    const Outcome outcome = Run(inflater.get(), match, kAll, kAll);
    CHECK_EQ(outcome.status, InflateStatus::kError);
    CHECK(outcome.out.empty());
  }
}

TEST(CutStreamsGiveAPrefixAndNeedMore) {
  for (const Bytes& data : {Mixture(3000), Bytes(100000, 0), Noise(500)}) {
    for (int level : {0, 1, 6}) {
      const Bytes whole = ZlibDeflate(data, level, Z_DEFAULT_STRATEGY);
      for (auto& [name, inflater] : StreamInflaters()) {
        // Long streams are cut in about 2,000 places.
        const size_t stride = 1 + whole.size() / 2000;
        for (size_t cut = 0; cut < whole.size(); cut += stride * LoopStep()) {
          inflater->Reset();
          const Outcome outcome =
              Run(inflater.get(), Bytes(whole.begin(), whole.begin() + cut),
                  kAll, 70000);
          CHECK_EQ(outcome.status, InflateStatus::kMore);
          CHECK_EQ(outcome.consumed, cut);
          REQUIRE(outcome.out.size() <= data.size());
          CHECK(
              std::equal(outcome.out.begin(), outcome.out.end(), data.begin()));
        }
      }
    }
  }
}

TEST(BytesBeforeAnErrorAreDelivered) {
  const Bytes data = Mixture(200000);
  Bytes in = ZlibDeflate(data, 6, Z_DEFAULT_STRATEGY, 15, 50000);
  // After the flush of all data, replaces the last block by one of the reserved
  // type 3.
  const size_t end = in.size() - 2;
  in.resize(end);
  in.insert(in.end(), 100, 0xff);
  for (auto& [name, inflater] : StreamInflaters()) {
    for (size_t in_piece : {size_t{1}, size_t{100}, kAll}) {
      for (size_t out_piece : {size_t{1000}, size_t{65536}, kAll}) {
        inflater->Reset();
        const Outcome outcome = Run(inflater.get(), in, in_piece, out_piece);
        CHECK_EQ(outcome.status, InflateStatus::kError);
        CHECK(outcome.out == data);
        // The error is sticky.
        uint8_t byte;
        CHECK_EQ(inflater->Inflate(in.data(), in.size(), &byte, 1).status,
                 InflateStatus::kError);
      }
    }
  }
}

/// Writes one block of fixed codes (RFC 1951, section 3.2.6).
class FixedBlock {
 public:
  FixedBlock() { Bits(1 | 1 << 1, 3); }
  void Bits(uint32_t value, int count) {
    for (int i = 0; i < count; ++i, ++used_) {
      if (used_ % 8 == 0) bytes.push_back(0);
      bytes.back() |= static_cast<uint8_t>((value >> i & 1) << used_ % 8);
    }
  }
  /// Huffman codes are written from their highest bit.
  void Code(uint32_t value, int count) {
    while (count > 0) Bits(value >> --count & 1, 1);
  }
  void Literal(uint8_t byte) {
    Code(0x30u + byte, 8);
  }  // Only for bytes below 144.
  void LongestMatch(uint32_t distance_code) {
    Code(0xc5, 8);
    Code(distance_code, 5);
  }
  Bytes bytes;

 private:
  int used_ = 0;
};

TEST(NoByteIsCountedForABadMatch) {
  // Code 30 is no valid distance; 29 reaches back too far for so little output.
  for (uint32_t distance_code : {30u, 29u}) {
    for (size_t literals : {0, 1, 2, 20, 3000}) {
      FixedBlock block;
      Bytes data;
      for (size_t i = 0; i < literals; ++i) {
        data.push_back(static_cast<uint8_t>(i % 100));
        block.Literal(data.back());
      }
      block.LongestMatch(distance_code);
      block.bytes.insert(block.bytes.end(), 5000, 0x55);
      for (auto& [name, inflater] : StreamInflaters()) {
        for (size_t in_piece : {size_t{1}, size_t{100}, kAll}) {
          for (size_t out_piece : {size_t{1}, size_t{100}, kAll}) {
            inflater->Reset();
            const Outcome outcome =
                Run(inflater.get(), block.bytes, in_piece, out_piece);
            CHECK_EQ(outcome.status, InflateStatus::kError);
            CHECK(outcome.out == data);
          }
        }
      }
    }
  }
}

TEST(DamagedStreamsAgreeWithZlib) {
  const Bytes data = Mixture(4000);
  Random random(5);
  auto all = StreamInflaters();
  for (int level : {0, 1, 6}) {
    const Bytes whole = ZlibDeflate(data, level, Z_DEFAULT_STRATEGY);
    for (size_t i = 0; i < 3000; i += LoopStep()) {
      Bytes damaged = whole;
      for (uint32_t n = 1 + random.Below(3); n > 0; --n) {
        damaged[random.Below(static_cast<uint32_t>(damaged.size()))] ^=
            static_cast<uint8_t>(1u << random.Below(8));
      }
      all[0].role->Reset();
      const Outcome oracle = Run(all[0].role.get(), damaged, kAll, kAll);
      for (size_t k = 1; k < all.size(); ++k) {
        all[k].role->Reset();
        const Outcome outcome = Run(all[k].role.get(), damaged, kAll, kAll);
        // Others may accept Huffman codes that zlib refuses, or detect them at
        // another point. All accept what zlib accepts, and give the same bytes.
        const size_t both = std::min(oracle.out.size(), outcome.out.size());
        CHECK(std::equal(oracle.out.begin(), oracle.out.begin() + both,
                         outcome.out.begin()));
        if (oracle.status != InflateStatus::kEnd) continue;
        CHECK_EQ(outcome.status, InflateStatus::kEnd);
        CHECK(outcome.out == oracle.out);
        CHECK_EQ(outcome.consumed, oracle.consumed);
      }
    }
  }
}

}  // namespace
}  // namespace tfr::test
