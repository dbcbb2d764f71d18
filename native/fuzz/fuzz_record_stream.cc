#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "test/support/positioned_source.h"

using tfr::FaultCode;
using tfr::test::Read;
using tfr::test::Reading;

namespace {

bool Same(const Reading& a, const Reading& b) {
  return a.records == b.records && a.outcome == b.outcome &&
         a.faults.size() == b.faults.size() && a.halt.code == b.halt.code &&
         a.halt.record == b.halt.record && a.halt.offset == b.halt.offset &&
         std::string(a.halt.detail) == b.halt.detail;
}

/// If a compressed stream is cut or damaged, one inflater may detect the damage
/// some bits before the other reaches the end. igzip accepts code sets that
/// zlib refuses, so its output is then checked as records. No such stream is
/// ever taken for complete.
bool EndedInTheCodec(const Reading& reading) {
  return reading.halt.code == FaultCode::kTruncated ||
         reading.halt.code == FaultCode::kCompression;
}

}  // namespace

/// Reading any bytes in two ways, with different piece and slab sizes, gives
/// the same records and the same fault. So does reading with another inflater,
/// unless the compressed stream itself is faulty.
///
/// Input: one byte each for compression, verify, limit, piece size and slab
/// size; then the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kOptions = 5;
  if (size < kOptions) return 0;

  tfr::ReadOptions options;
  options.compression = static_cast<tfr::Compression>(data[0] % 4);
  options.verify = static_cast<tfr::Verify>(data[1] % 3);
  options.max_record_bytes = data[2] < 128 ? 0x7fffffff : data[2];
  const bool skip = data[2] % 2 == 0;
  const size_t piece = 1 + data[3];
  const size_t slab = 512 + 16 * data[4];
  const std::string file(reinterpret_cast<const char*>(data) + kOptions,
                         size - kOptions);

  tfr::ChooseCodecs({true, true});
  const Reading pieces = Read(file, piece, slab, options, skip);
  const Reading whole = Read(file, 1 << 20, 1 << 16, options, skip);
  tfr::ChooseCodecs({false, false});
  const Reading other = Read(file, piece, 1 << 16, options, skip);
  const Reading at = tfr::test::ReadPositioned(file, slab, options, skip);
  if (!Same(pieces, whole)) std::abort();
  // Both use zlib: it gives the same for a member ahead as in order.
  if (!Same(other, at)) std::abort();
  if (!Same(whole, other) &&
      !(EndedInTheCodec(other) && whole.outcome == tfr::FillOutcome::kHalt)) {
    std::abort();
  }
  // A record takes at least its framing in the stream, and deflate expands one
  // byte to at most 1,032.
  if (pieces.grown_to > 1032 * file.size() + 1024) std::abort();
  return 0;
}
