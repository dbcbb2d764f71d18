// Damaged gzip and zlib files: the same bytes give the same records and the
// same fault, with every inflater, in pieces of every size, in order and ahead.

#include <algorithm>
#include <string>

#include "check.h"
#include "container_damage.h"
#include "core/codec/codec_registry.h"
#include "positioned_source.h"

namespace tfr::test {
namespace {

/// A file of records with little and much variety, so of few and many codes.
Bytes Records(Random* random) {
  const Bytes data = Mixture(3000 + random->Below(20000), random->Below(100));
  Bytes file;
  for (size_t at = 0; at < data.size();) {
    const size_t size = std::min<size_t>(data.size() - at, random->Below(300));
    const std::string record = Framed(
        std::string(data.begin() + static_cast<std::ptrdiff_t>(at),
                    data.begin() + static_cast<std::ptrdiff_t>(at + size)));
    file.insert(file.end(), record.begin(), record.end());
    at += size;
  }
  return file;
}

Bytes Compress(Compression kind, const Bytes& data, Random* random) {
  constexpr int kStrategies[] = {Z_DEFAULT_STRATEGY, Z_DEFAULT_STRATEGY,
                                 Z_HUFFMAN_ONLY, Z_FIXED, Z_RLE};
  return Wrap(kind, data,
              ZlibDeflate(data, static_cast<int>(random->Below(10)),
                          kStrategies[random->Below(5)], 15,
                          random->Below(2) == 0 ? 700 : 0));
}

/// One bit flipped, cut, or with a byte more; at a header's bits more often
/// than chance has it.
Bytes Damage(Bytes bytes, Random* random) {
  const auto size = static_cast<uint32_t>(bytes.size());
  const uint32_t at =
      random->Below(random->Below(3) == 0 ? std::min(size, 120u) : size);
  switch (random->Below(4)) {
    case 0:
      bytes.resize(at);
      break;
    case 1:
      bytes.insert(bytes.begin() + at, static_cast<uint8_t>(random->Next()));
      break;
    default:
      bytes[at] ^= static_cast<uint8_t>(1u << random->Below(8));
  }
  return bytes;
}

std::string Text(const Fault& fault) {
  return std::to_string(static_cast<int>(fault.code)) + " " + fault.part +
         " of record " + std::to_string(fault.record) + " at " +
         std::to_string(fault.offset) + ", stored " +
         std::to_string(fault.compressed_offset) + ", lost " +
         std::to_string(fault.lost);
}

void CheckEqual(const Reading& found, const Reading& expected) {
  CHECK(found.records == expected.records);
  CHECK_EQ(Text(found.halt), Text(expected.halt));
  REQUIRE_EQ(found.faults.size(), expected.faults.size());
  for (size_t i = 0; i < found.faults.size(); ++i) {
    CHECK_EQ(Text(found.faults[i]), Text(expected.faults[i]));
  }
}

TEST(MutantsReadEquallyWithEveryInflaterAndInEveryPiece) {
  Random random(19);
  size_t wrong_blocks = 0;
  for (int i = 0; i < 2400; ++i) {
    const Compression kind =
        i % 2 == 0 ? Compression::kGzip : Compression::kZlib;
    const Bytes bytes =
        Damage(Compress(kind, Records(&random), &random), &random);
    const std::string file(bytes.begin(), bytes.end());
    RecordStreamOptions options;
    options.goes_on = options.counts_lost = i % 3 == 0;
    ChooseCodecs({false, false});
    const Reading expected = Read(file, 1 << 20, 1 << 16, options);
    if (std::string(expected.halt.part) == "deflate data") ++wrong_blocks;
    const size_t piece = 1 + random.Below(3000);
    for (const bool isal : {false, true}) {
      ChooseCodecs({isal, isal});
      CheckEqual(Read(file, piece, 4096, options), expected);
      CheckEqual(ReadPositioned(file, 1 << 16, options), expected);
    }
  }
  ChooseCodecs({true, true});
  CHECK(wrong_blocks > 500);
}

}  // namespace
}  // namespace tfr::test
