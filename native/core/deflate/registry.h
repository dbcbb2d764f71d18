#ifndef TFR_CORE_DEFLATE_REGISTRY_H_
#define TFR_CORE_DEFLATE_REGISTRY_H_

#include <memory>

#include "core/deflate/roles.h"

namespace tfr {

/// The best implementation of each role on this machine. Each returns null only
/// when memory ran out.
std::unique_ptr<StreamInflater> NewStreamInflater();
std::unique_ptr<BlockInflater> NewBlockInflater();
/// `level` is 0 (stored) to 9.
std::unique_ptr<BlockDeflater> NewBlockDeflater(int level);
std::unique_ptr<StreamDeflater> NewStreamDeflater(int level);

/// Which optional libraries may be used, for tests and benchmarks; both true at
/// the start. A library that is not there is never used.
struct CodecChoice {
  bool isal = true;
  bool libdeflate = true;
};
void ChooseCodecs(CodecChoice choice);
/// What is there and allowed.
CodecChoice AvailableCodecs();

}  // namespace tfr

#endif  // TFR_CORE_DEFLATE_REGISTRY_H_
