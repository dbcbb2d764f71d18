#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "../test/record_files.h"

/// Any bytes, read in two ways that differ in the size of the pieces, the size of
/// the slabs and the inflater, give the same records and the same fault.
///
/// Input: one byte each for compression, verify, limit, piece size and slab
/// size; then the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using tfr::test::Read;
  using tfr::test::Reading;
  constexpr size_t kOptions = 5;
  if (size < kOptions) return 0;

  tfr::RecordStreamOptions options;
  options.compression = static_cast<tfr::CompressionOption>(data[0] % 4);
  options.verify = static_cast<tfr::Verify>(data[1] % 3);
  options.max_record_bytes = data[2] < 128 ? 0x7fffffff : data[2];
  const bool pass_over = data[2] % 2 == 0;
  const size_t piece = 1 + data[3];
  const size_t slab = 512 + 16 * data[4];
  const std::string file(reinterpret_cast<const char*>(data) + kOptions,
                         size - kOptions);

  tfr::ChooseCodecs({true, true});
  const Reading one = Read(file, piece, slab, options, pass_over);
  tfr::ChooseCodecs({false, false});
  const Reading other = Read(file, 1 << 20, 1 << 16, options, pass_over);
  const bool same = one.records == other.records &&
                    one.outcome == other.outcome &&
                    one.faults.size() == other.faults.size() &&
                    one.halt.code == other.halt.code &&
                    one.halt.record == other.halt.record &&
                    one.halt.offset == other.halt.offset &&
                    std::string(one.halt.detail) == other.halt.detail;
  // A record takes at least its framing in the stream; deflate gives at most
  // 1,032 bytes for one.
  const bool bounded = one.grown_to <= 1032 * file.size() + 1024;
  if (!same || !bounded) std::abort();
  return 0;
}
