#include <cstdlib>
#include <cstring>

#include "core/crc32c/crc32c.h"
#include "core/deflate/registry.h"
#include "core/record/recovery/frame_search.h"
#include "wasm/exports.h"

namespace tfr::wasm {

/// Memory for arguments and results; never null.
TFR_EXPORT(tfr_alloc)
void* tfr_alloc(size_t size) {
  void* const memory = std::malloc(size > 0 ? size : 1);
  NeedMemory(memory != nullptr);
  return memory;
}

TFR_EXPORT(tfr_free)
void tfr_free(void* memory) { std::free(memory); }

TFR_EXPORT(tfr_crc32c)
uint32_t tfr_crc32c(uint32_t previous, const uint8_t* data, size_t size) {
  return crc32c::Extend(previous, data, size);
}

/// The index of the first right header of a record of at most `most` bytes.
TFR_EXPORT(tfr_find_header)
size_t tfr_find_header(const uint8_t* data, size_t size, double most) {
  return FindHeader(data, size, 0, static_cast<uint64_t>(most));
}

TFR_EXPORT(tfr_kernel)
const char* tfr_kernel() { return crc32c::KernelName(); }

/// Chooses which codec libraries may be used.
TFR_EXPORT(tfr_choose_codecs)
void tfr_choose_codecs(bool isal, bool libdeflate) {
  ChooseCodecs({isal, libdeflate});
}

/// Bit 0: ISA-L. Bit 1: libdeflate.
TFR_EXPORT(tfr_codecs)
uint32_t tfr_codecs() {
  const CodecChoice choice = AvailableCodecs();
  return (choice.isal ? 1 : 0) | (choice.libdeflate ? 2 : 0);
}

}  // namespace tfr::wasm
