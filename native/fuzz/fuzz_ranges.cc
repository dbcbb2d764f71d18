#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record/framing/line_framers.h"
#include "fuzz/fuzz_input.h"
#include "test/support/range_feeding.h"

using tfr::Framer;
using tfr::fuzz::Input;
using tfr::test::Difference;
using tfr::test::RangeOptions;
using tfr::test::Reading;

namespace {

/// The input as a file: itself, or of records made of it, in one of three
/// forms. Then some bytes are damaged.
std::string FileOf(Input* input) {
  const uint8_t form = input->Byte();
  const size_t record = 1 + 16 * size_t{input->Byte()};
  const size_t copies = 1 + input->Byte();
  const size_t each = 1 + input->Byte() % 32;
  const size_t flips = input->Byte() % 4;
  uint8_t damage[4][4];
  for (size_t i = 0; i < flips; ++i) {
    for (uint8_t& byte : damage[i]) byte = input->Byte();
  }
  const tfr::fuzz::Bytes rest = input->Rest();
  const std::string text(rest.begin(), rest.end());

  std::string file;
  if (form % 4 == 0) {
    file = text;
  } else if (!text.empty()) {
    std::vector<std::string> members;
    std::string member;
    uint32_t records = 0;
    for (size_t i = 0; i < copies; ++i) {
      std::string data = text.substr(i * 7 % text.size(), record);
      // Some are larger than a page.
      while (i % 16 == 15 && data.size() < 70000) data += data;
      member += tfr::test::Framed(data);
      if (++records < each && i + 1 < copies) continue;
      if (form % 4 == 1) file += member;
      if (form % 4 == 2) file += tfr::test::Gzip(member);
      if (form % 4 == 3) {
        file += tfr::test::OurMember(member, records, file.size());
      }
      member.clear();
      records = 0;
    }
  }
  for (size_t i = 0; i < flips && !file.empty(); ++i) {
    const size_t at = (size_t{damage[i][0]} << 16 | size_t{damage[i][1]} << 8 |
                       damage[i][2]) %
                      file.size();
    if (damage[i][3] == 0xff) {
      file.resize(at);
    } else {
      file[at] = static_cast<char>(file[at] ^ damage[i][3]);
    }
  }
  return file;
}

}  // namespace

/// Reading any bytes by ranges, which come in any order, gives the same as
/// reading them as a file.
///
/// Input: one byte each for compression, verify, limit, slab size, the format,
/// the ranges, and the number of bytes that choose how they are fed; those
/// bytes; then the file, see `FileOf`.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  tfr::ReadOptions options;
  options.compression = static_cast<tfr::Compression>(3 - input.Byte() % 4);
  options.verify = static_cast<tfr::Verify>(input.Byte() % 3);
  const uint8_t limit = input.Byte();
  options.max_record_bytes = limit < 128 ? 0x7fffffff : 8 * limit;
  const size_t slab = 512 + 256 * size_t{input.Byte()};
  const uint8_t format = input.Byte();
  const bool lines = format % 8 == 7;
  if (lines) options.content = tfr::ContentRule::kBytes;
  options.continues = options.counts_lost = (format & 8) != 0;
  const uint8_t shape = input.Byte();
  RangeOptions ranges;
  ranges.knows_size = shape % 2 == 0;
  ranges.most_ahead = (shape & 2) != 0 ? uint64_t{1} << 20 : 0;
  tfr::fuzz::Bytes choices(input.Byte());
  for (uint8_t& choice : choices) choice = input.Byte();
  const std::string file = FileOf(&input);

  const auto framer = [&]() -> std::unique_ptr<Framer> {
    if (!lines) return nullptr;
    return tfr::NewLineFramer(options.max_record_bytes);
  };
  size_t choice = 0;
  uint64_t mixed = 0;
  const auto choose = [&](uint64_t below) {
    if (!choices.empty()) mixed += choices[choice++ % choices.size()];
    mixed = mixed * 6364136223846793005u + 1442695040888963407u;
    return below == 0 ? 0 : (mixed >> 33) % below;
  };
  // zlib gives the same for a member that is inflated ahead as in order.
  tfr::ChooseCodecs({false, false});
  const Reading whole = tfr::test::ReadPositioned(
      file, slab, options, options.continues, nullptr, framer());
  const Reading reading = tfr::test::ReadRanges(
      file, choose, slab, options, options.continues, framer(), ranges);
  const char* const differs = Difference(whole, reading);
  if (differs != nullptr) std::fprintf(stderr, "differs: %s\n", differs);
  FUZZ_CHECK(differs == nullptr);
  return 0;
}
