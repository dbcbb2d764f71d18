#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "core/record/framing/line_framers.h"
#include "fuzz_input.h"
#include "test/record/plain_framing.h"
#include "test/support/positioned_source.h"

using tfr::FaultCode;
using tfr::FillOutcome;
using tfr::Framer;
using tfr::fuzz::Input;
using tfr::test::PlainRecords;
using tfr::test::Read;
using tfr::test::Reading;

namespace {

void CheckSame(const Reading& reading, const PlainRecords& plain) {
  FUZZ_CHECK(reading.records == plain.records);
  FUZZ_CHECK(reading.offsets == plain.offsets);
  FUZZ_CHECK(reading.halt.code == plain.code);
  const bool whole = plain.code == FaultCode::kNone;
  FUZZ_CHECK(reading.outcome ==
             (whole ? FillOutcome::kEnd : FillOutcome::kHalt));
  if (whole) return;
  FUZZ_CHECK(reading.halt.part == plain.part);
  FUZZ_CHECK(reading.halt.record == plain.records.size());
  FUZZ_CHECK(reading.halt.offset == plain.offset);
}

}  // namespace

/// Lines, CSV and fixed-length records are the same as those that a plain
/// implementation finds in one pass over all bytes, for all sizes of pieces and
/// slabs, fed or from a file, plain or compressed.
///
/// Input: one byte each for the framer, the longest record, the piece and the
/// slab; for fixed-length records, four more for the layout; then the content.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const uint8_t kind = input.Byte();
  const uint8_t longest = input.Byte();
  const size_t piece = input.Piece();
  const size_t slab = 64 + size_t{4} * input.Byte();
  const uint64_t most = longest < 128 ? 1 << 20 : longest;
  tfr::FixedLayout layout;
  if (kind % 3 == 2) {
    layout = {1 + uint64_t{input.Byte()}, input.Byte(), input.Byte(),
              1 + uint64_t{input.Byte()}};
  }
  const auto bytes = input.Rest();
  const std::string content(bytes.begin(), bytes.end());
  const char delimiter = kind < 128 ? ',' : '\t';
  const PlainRecords plain =
      kind % 3 == 2
          ? tfr::test::PlainFixed(content, layout)
          : tfr::test::PlainLines(content, kind % 3 == 1, delimiter, most);
  const auto framer = [&]() -> std::unique_ptr<Framer> {
    if (kind % 3 == 2) return NewFixedFramer(layout, {0, 0});
    return kind % 3 == 1 ? tfr::NewCsvFramer(delimiter, most)
                         : tfr::NewLineFramer(most);
  };

  tfr::ReadOptions options;
  options.content = tfr::ContentRule::kBytes;
  options.compression = tfr::Compression::kNone;
  const Reading fed = Read(content, piece, slab, options, false, framer());
  CheckSame(fed, plain);
  // Gathering a record needs at most the bytes that were read with its end.
  FUZZ_CHECK(fed.grown_to <= content.size() + 1024);
  CheckSame(tfr::test::ReadPositioned(content, slab, options, false, nullptr,
                                      framer()),
            plain);
  options.compression = tfr::Compression::kAuto;
  CheckSame(
      Read(tfr::test::Gzip(content), piece, slab, options, false, framer()),
      plain);
  return 0;
}
