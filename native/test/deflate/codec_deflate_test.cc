// One set of tests per role for all implementations of block inflate, block
// deflate and streaming deflate.

#include <algorithm>
#include <string>

#include "core/deflate/registry.h"
#include "test/deflate/codec_samples.h"
#include "test/support/check.h"

namespace tfr::test {
namespace {

TEST(BlockInflateTakesEverySample) {
  const auto samples = DeflatedSamples();
  for (auto& [name, inflater] : BlockInflaters()) {
    for (const DeflatedSample& sample : samples) {
      Bytes out(sample.data.size() + 1, 0xa5);
      const bool taken =
          inflater->Inflate(sample.deflated.data(), sample.deflated.size(),
                            out.data(), sample.data.size());
      if (!CHECK(taken)) {
        std::fprintf(stderr, "  %s, %s\n", name, sample.name.c_str());
      }
      CHECK_EQ(out.back(), 0xa5);
      out.pop_back();
      CHECK(out == sample.data);
    }
  }
}

TEST(BlockInflateRefusesWrongSizes) {
  const Bytes data = Mixture(5000);
  for (int level : {0, 6}) {
    Bytes deflated = ZlibDeflate(data, level, Z_DEFAULT_STRATEGY);
    deflated.push_back(0);
    const size_t size = deflated.size() - 1;
    for (const auto& named : BlockInflaters()) {
      Bytes out(data.size() + 10);
      const auto takes = [&](size_t in_size, size_t out_size) {
        return named.role->Inflate(deflated.data(), in_size, out.data(),
                                   out_size);
      };
      CHECK(takes(size, data.size()));
      CHECK(!takes(size, data.size() + 1));
      CHECK(!takes(size, data.size() - 1));
      CHECK(!takes(size, 0));
      CHECK(!takes(size + 1, data.size()));
      CHECK(!takes(size - 1, data.size()));
      CHECK(!takes(0, data.size()));
      CHECK(!takes(0, 0));
      CHECK(takes(size, data.size()));
    }
  }
}

TEST(EveryInflaterReadsBlockDeflate) {
  for (int level : {0, 1, 4, 7, 9}) {
    for (auto& [name, deflater] : BlockDeflaters(level)) {
      for (const Sample& sample : Samples()) {
        Bytes deflated(deflater->Bound(sample.data.size()) + 1, 0xa5);
        const size_t size =
            deflater->Deflate(sample.data.data(), sample.data.size(),
                              deflated.data(), deflated.size() - 1);
        if (!CHECK(size > 0)) {
          std::fprintf(stderr, "  %s %d, %s\n", name, level,
                       sample.name.c_str());
        }
        CHECK_EQ(deflated.back(), 0xa5);
        for (auto& [_, inflater] : BlockInflaters()) {
          Bytes out(sample.data.size());
          CHECK(
              inflater->Inflate(deflated.data(), size, out.data(), out.size()));
          CHECK(out == sample.data);
        }
        for (auto& [_, inflater] : StreamInflaters()) {
          Bytes out(sample.data.size() + 1);
          const InflateStep step =
              inflater->Inflate(deflated.data(), size, out.data(), out.size());
          CHECK_EQ(step.status, InflateStatus::kEnd);
          CHECK_EQ(step.consumed, size);
          out.resize(step.produced);
          CHECK(out == sample.data);
          inflater->Reset();
        }
      }
    }
  }
}

/// The next room to try: each one near none and near `enough`, and some of
/// those between.
size_t NextRoom(size_t room, size_t enough) {
  return room < 64 || room + 64 > enough ? room + 1 : room + 11 * LoopStep();
}

TEST(BlockDeflateReportsTooLittleRoom) {
  for (int level : {0, 1, 6}) {
    for (auto& [name, deflater] : BlockDeflaters(level)) {
      for (const Bytes& data : {Mixture(3000), Noise(3000), Bytes()}) {
        const Bytes whole = DeflateAll(deflater.get(), data);
        REQUIRE(!whole.empty());
        for (size_t room = 0; room < whole.size();
             room = NextRoom(room, whole.size())) {
          Bytes out(room + 1, 0xa5);
          const size_t size =
              deflater->Deflate(data.data(), data.size(), out.data(), room);
          CHECK_EQ(out.back(), 0xa5);
          if (size == 0) continue;
          // A shorter encoding may fit even though the first choice did not.
          Bytes back(data.size());
          CHECK(NewZlibBlockInflater()->Inflate(out.data(), size, back.data(),
                                                back.size()));
          CHECK(back == data);
        }
        // The deflater still works after running out of room.
        CHECK(DeflateAll(deflater.get(), data) == whole);
      }
    }
  }
}

TEST(BoundCoversTheWorstCase) {
  // Noise, and data that only looks compressible, at sizes around the limits of
  // stored blocks.
  for (int level : {0, 1, 4, 7, 9}) {
    for (auto& [name, deflater] : BlockDeflaters(level)) {
      for (size_t size :
           {1, 2, 3, 100, 4095, 65534, 65535, 65536, 131070, 131071, 1000000}) {
        CHECK(!DeflateAll(deflater.get(), Noise(size, size)).empty());
        Bytes skewed = Noise(size, size + 1);
        for (uint8_t& byte : skewed) byte = byte > 250 ? byte : byte & 127;
        CHECK(!DeflateAll(deflater.get(), skewed).empty());
      }
    }
  }
}

/// Deflates `data` in parts of `part` bytes, the last one whole. Empty if a
/// part fails.
Bytes DeflateParts(BlockDeflater* deflater, const Bytes& data, size_t part) {
  Bytes all;
  size_t at = 0;
  for (; data.size() - at > part; at += part) {
    Bytes out(deflater->Bound(part) + 1, 0xa5);
    const size_t size = deflater->DeflatePart(data.data() + at, part,
                                              out.data(), out.size() - 1);
    CHECK_EQ(out.back(), 0xa5);
    if (size == 0) return {};
    all.insert(all.end(), out.begin(), out.begin() + size);
  }
  const Bytes rest(data.begin() + at, data.end());
  const Bytes last = DeflateAll(deflater, rest);
  all.insert(all.end(), last.begin(), last.end());
  return all;
}

TEST(PartsAreOneStream) {
  std::vector<Sample> samples = Samples();
  samples.push_back({"long mixture", Mixture(900'000)});
  samples.push_back({"long noise", Noise(300'000, 7)});
  samples.push_back({"long run", Bytes(900'000, 'r')});
  for (int level : {0, 1, 2, 6, 9}) {
    for (auto& [name, deflater] : BlockDeflaters(level)) {
      for (const Sample& sample : samples) {
        for (size_t part : {1u, 2u, 3u, 13u, 1000u, 65535u, 65536u, 300'000u}) {
          if (sample.data.size() / part > 200) continue;
          const Bytes deflated =
              DeflateParts(deflater.get(), sample.data, part);
          Bytes out(sample.data.size());
          const bool right =
              !deflated.empty() &&
              NewZlibBlockInflater()->Inflate(deflated.data(), deflated.size(),
                                              out.data(), out.size()) &&
              out == sample.data;
          if (!CHECK(right)) {
            std::fprintf(stderr, "  %s %d, %s in parts of %zu\n", name, level,
                         sample.name.c_str(), part);
          }
        }
      }
    }
  }
}

/// Covers every number of bits that the last block may leave in its last byte.
TEST(PartsMayEndAtAnyBit) {
  for (int level : {1, 6, 9}) {
    for (auto& [name, deflater] : BlockDeflaters(level)) {
      for (size_t size = 1; size < 200; ++size) {
        const Bytes data = Mixture(size);
        const Bytes deflated = DeflateParts(deflater.get(), data, size / 2 + 1);
        Bytes out(size);
        CHECK(NewZlibBlockInflater()->Inflate(deflated.data(), deflated.size(),
                                              out.data(), out.size()));
        CHECK(out == data);
      }
    }
  }
}

TEST(PartsReportTooLittleRoom) {
  for (int level : {0, 1, 6}) {
    for (auto& [name, deflater] : BlockDeflaters(level)) {
      for (const Bytes& data : {Mixture(3000), Noise(3000)}) {
        const Bytes whole = DeflateAll(deflater.get(), data);
        for (size_t room = 0; room < whole.size() + 20;
             room = NextRoom(room, whole.size())) {
          Bytes out(room + 1, 0xa5);
          size_t size =
              deflater->DeflatePart(data.data(), data.size(), out.data(), room);
          CHECK(size <= room);
          CHECK_EQ(out.back(), 0xa5);
          if (size == 0) continue;
          out.resize(size);
          const Bytes end = DeflateAll(deflater.get(), {});
          out.insert(out.end(), end.begin(), end.end());
          Bytes back(data.size());
          CHECK(NewZlibBlockInflater()->Inflate(out.data(), out.size(),
                                                back.data(), back.size()));
          CHECK(back == data);
        }
      }
    }
  }
}

TEST(Level0IsStored) {
  const Bytes data(10000, 7);
  for (auto& [name, deflater] : BlockDeflaters(0)) {
    CHECK(DeflateAll(deflater.get(), data).size() > data.size());
  }
}

/// Deflates all of `data`, in input pieces of `in_most` with `room` bytes of
/// output, flushing with `between` in between.
Bytes StreamDeflate(StreamDeflater* deflater, const Bytes& data, size_t in_most,
                    size_t room, DeflateFlush between) {
  Bytes all;
  Bytes out(room);
  size_t at = 0;
  for (;;) {
    const size_t piece = std::min(in_most, data.size() - at);
    const DeflateFlush flush =
        at + piece == data.size() ? DeflateFlush::kEnd : between;
    const DeflateStep step =
        deflater->Deflate(data.data() + at, piece, out.data(), room, flush);
    REQUIRE(step.consumed <= piece && step.produced <= room);
    all.insert(all.end(), out.begin(), out.begin() + step.produced);
    at += step.consumed;
    if (step.done && flush == DeflateFlush::kEnd) {
      CHECK_EQ(at, data.size());
      return all;
    }
    REQUIRE(step.done || step.produced > 0 || step.consumed > 0);
  }
}

TEST(StreamDeflateRoundTripsInPieces) {
  for (int level : {0, 1, 6, 9}) {
    auto deflater = NewStreamDeflater(level);
    for (const Sample& sample : Samples()) {
      for (size_t in_most : {size_t{1000}, size_t{65536}, size_t{1} << 30}) {
        for (size_t room : {16, 1000, 1 << 20}) {
          if (room == 16 && sample.data.size() > 100000) continue;
          for (DeflateFlush between :
               {DeflateFlush::kNone, DeflateFlush::kSync}) {
            deflater->Reset();
            const Bytes deflated = StreamDeflate(deflater.get(), sample.data,
                                                 in_most, room, between);
            Bytes out(sample.data.size());
            CHECK(NewZlibBlockInflater()->Inflate(
                deflated.data(), deflated.size(), out.data(), out.size()));
            CHECK(out == sample.data);
          }
        }
      }
    }
  }
}

TEST(StreamDeflateDoesNotDependOnThePieces) {
  const Bytes data = Mixture(200000);
  auto deflater = NewStreamDeflater(6);
  const Bytes whole = StreamDeflate(deflater.get(), data, data.size(), 1 << 20,
                                    DeflateFlush::kNone);
  deflater->Reset();
  CHECK(StreamDeflate(deflater.get(), data, 777, 100, DeflateFlush::kNone) ==
        whole);
}

TEST(SyncFlushMakesAllInputReadable) {
  const Bytes data = Mixture(5000);
  for (auto& [name, inflater] : StreamInflaters()) {
    auto deflater = NewStreamDeflater(6);
    for (size_t room : {16, 4096}) {
      deflater->Reset();
      inflater->Reset();
      Bytes out(room);
      Bytes back(data.size());
      size_t read = 0;
      for (size_t at = 0; at < data.size(); at += 100) {
        size_t from = at;
        DeflateStep step;
        do {
          step = deflater->Deflate(data.data() + from, at + 100 - from,
                                   out.data(), room, DeflateFlush::kSync);
          from += step.consumed;
          const InflateStep inflated =
              inflater->Inflate(out.data(), step.produced, back.data() + read,
                                back.size() - read);
          read += inflated.produced;
        } while (!step.done);
        CHECK_EQ(read, at + 100);
      }
      CHECK(back == data);
    }
  }
}

TEST(TheRegistryHonorsTheChoice) {
  for (bool isal : {true, false}) {
    for (bool libdeflate : {true, false}) {
      ChooseCodecs({isal, libdeflate});
      CHECK(isal || !AvailableCodecs().isal);
      CHECK(libdeflate || !AvailableCodecs().libdeflate);
      const Bytes data = Mixture(10000);
      for (int level = 0; level <= 9; ++level) {
        const Bytes block = DeflateAll(NewBlockDeflater(level).get(), data);
        Bytes out(data.size());
        CHECK(NewBlockInflater()->Inflate(block.data(), block.size(),
                                          out.data(), out.size()));
        CHECK(out == data);
        const Bytes stream =
            StreamDeflate(NewStreamDeflater(level).get(), data, data.size(),
                          1000, DeflateFlush::kNone);
        out.assign(data.size(), 0);
        const InflateStep step = NewStreamInflater()->Inflate(
            stream.data(), stream.size(), out.data(), out.size());
        CHECK_EQ(step.produced, data.size());
        CHECK(out == data);
      }
    }
  }
  ChooseCodecs({});
}

}  // namespace
}  // namespace tfr::test
