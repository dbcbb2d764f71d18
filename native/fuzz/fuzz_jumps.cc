#include <algorithm>
#include <string>

#include "fuzz_input.h"
#include "test/index/jumps.h"

using tfr::FaultCode;
using tfr::test::Scanned;

namespace {

std::string Text(const tfr::fuzz::Bytes& bytes) {
  return std::string(bytes.begin(), bytes.end());
}

std::string Part(int layout, const std::string& content, size_t offset) {
  switch (layout) {
    case 1:
      return tfr::test::Gzip(content);
    case 2:
      return tfr::test::Zlib(content);
    case 3:
      return tfr::test::OurMember(content, 1, offset);
    default:
      return content;
  }
}

/// libdeflate inflates code sets that igzip and zlib refuse: members that were
/// read ahead in the scan may then be refused after a jump.
bool MayDiffer(const Scanned::Jumped& jumped) {
  return jumped.halt.code == FaultCode::kCompression &&
         std::string(jumped.halt.part) == "deflate data";
}

}  // namespace

/// Every record that a scan found is read by jumping as it is in order,
/// whatever is wrong with the file.
///
/// Input: one byte each for layout, codecs, distance of places, distance of
/// checkpoints, slab size, record size (0: the content is not framed) and
/// repetition; four bytes of damage; then the content.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfr::fuzz::Input input(data, size);
  const int layout = input.Byte() % 5;
  const uint8_t codecs = input.Byte();
  tfr::IndexLimits limits;
  limits.place_bytes = 16 * size_t{input.Byte()} + 1;
  limits.checkpoint_bytes = 64 * size_t{input.Byte()};
  limits.most_places = 2 + codecs / 2;
  limits.most_checkpoint_memory = 1 << 18;
  const size_t slab = 64 + 16 * size_t{input.Byte()};
  const size_t record_size = input.Byte();
  const size_t times = 1 + 4 * size_t{input.Byte()};
  const size_t high = input.Byte();
  const size_t at = high << 8 | input.Byte();
  const uint8_t flip = input.Byte();
  const uint8_t cut = input.Byte();

  const std::string rest = Text(input.Rest());
  std::string content;
  for (size_t from = 0; record_size > 0 && from < rest.size();) {
    content += tfr::test::Framed(rest.substr(from, record_size));
    from += record_size;
  }
  std::string file;
  if (layout == 4) {
    file = rest;
  } else if (layout == 0 || times % 8 == 5) {
    // One member of many repetitions.
    std::string whole;
    for (size_t i = 0; i < times && whole.size() < 1 << 20; ++i) {
      whole += content;
    }
    file = Part(layout, whole, 0);
  } else {
    for (size_t i = 0; i < times && file.size() < 1 << 18; ++i) {
      file += Part(layout, content, file.size());
    }
  }
  if (file.empty()) return 0;
  file[at % file.size()] ^= static_cast<char>(flip);
  file.resize(file.size() - std::min<size_t>(cut, file.size()));

  tfr::ChooseCodecs({codecs % 2 == 0, true});
  tfr::ReaderSpec spec;
  spec.ahead.least_content = 1;
  const Scanned scanned(file, spec, limits);
  spec.continues = spec.counts_lost = true;
  const tfr::test::Reading in_order =
      tfr::test::ReadPositioned(file, slab, tfr::ReadOptionsOf(spec));
  // Passed over, which only `Scanned` does.
  if (in_order.halt.code == FaultCode::kRecordTooLarge) return 0;
  const size_t records = in_order.records.size();
  FUZZ_CHECK(scanned.state().records == records);
  FUZZ_CHECK(scanned.faults().size() == in_order.faults.size());
  FUZZ_CHECK(scanned.state().halt.code == in_order.halt.code);
  FUZZ_CHECK(scanned.index().held_bytes() <=
             limits.most_checkpoint_memory + (1 << 17));
  const size_t step = records / 4 + 1;
  for (size_t first = 0; first < records; first += step) {
    const size_t last = std::min(records, first + 3);
    const Scanned::Jumped jumped = scanned.Read(first, last, slab);
    if (MayDiffer(jumped)) continue;
    FUZZ_CHECK(jumped.records.size() == last - first);
    for (size_t i = first; i < last; ++i) {
      FUZZ_CHECK(jumped.records[i - first] == in_order.records[i]);
    }
  }
  return 0;
}
