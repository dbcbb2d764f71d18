#include "core/deflate/registry.h"

#include <atomic>

#include "core/deflate/implementations.h"
#include "core/deflate/isal_library.h"

namespace tfr {
namespace {

std::atomic<bool> isal_allowed{true};
std::atomic<bool> libdeflate_allowed{true};

bool HaveIsal() {
#if defined(TFR_HAVE_ISAL)
  return LoadIsal() != nullptr;
#else
  return false;
#endif
}

#if defined(TFR_HAVE_LIBDEFLATE)
constexpr bool kHaveLibdeflate = true;
#else
constexpr bool kHaveLibdeflate = false;
#endif

}  // namespace

void ChooseCodecs(CodecChoice choice) {
  isal_allowed.store(choice.isal, std::memory_order_relaxed);
  libdeflate_allowed.store(choice.libdeflate, std::memory_order_relaxed);
}

CodecChoice AvailableCodecs() {
  CodecChoice available;
  available.isal = isal_allowed.load(std::memory_order_relaxed) && HaveIsal();
  available.libdeflate =
      kHaveLibdeflate && libdeflate_allowed.load(std::memory_order_relaxed);
  return available;
}

std::unique_ptr<StreamInflater> NewStreamInflater() {
  if (AvailableCodecs().isal) {
    if (auto inflater = NewIsalInflater()) return inflater;
  }
  return NewZlibInflater();
}

std::unique_ptr<BlockInflater> NewBlockInflater() {
  if (AvailableCodecs().libdeflate) {
    if (auto inflater = NewLibdeflateBlockInflater()) return inflater;
  }
  return NewZlibBlockInflater();
}

std::unique_ptr<BlockDeflater> NewBlockDeflater(int level) {
  const CodecChoice available = AvailableCodecs();
  if (level == 1 && available.isal) {
    if (auto deflater = NewIsalDeflater()) return deflater;
  }
  if (available.libdeflate) {
    if (auto deflater = NewLibdeflateBlockDeflater(level)) return deflater;
  }
  return NewZlibBlockDeflater(level);
}

std::unique_ptr<StreamDeflater> NewStreamDeflater(int level) {
  return NewZlibDeflater(level);
}

}  // namespace tfr
