#include "wasm/reading.h"

namespace tfr::wasm {

ReadOptions OptionsOf(uint32_t compression, uint32_t verify, double limit,
                      bool goes_on, bool counts_lost) {
  ReadOptions options;
  options.compression = static_cast<Compression>(compression);
  options.verify = static_cast<Verify>(verify);
  options.max_record_bytes = static_cast<uint64_t>(limit);
  options.goes_on = goes_on;
  options.counts_lost = counts_lost;
  return options;
}

}  // namespace tfr::wasm
