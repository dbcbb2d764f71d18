#ifndef TFR_CORE_DEFLATE_REGISTRY_H_
#define TFR_CORE_DEFLATE_REGISTRY_H_

#include <memory>

#include "core/deflate/roles.h"

namespace tfr {

/// Each returns the best implementation of its role on this machine; null only
/// when memory runs out.
std::unique_ptr<StreamInflater> NewStreamInflater();
std::unique_ptr<BlockInflater> NewBlockInflater();
/// `level` is 0 (stored) to 9.
std::unique_ptr<BlockDeflater> NewBlockDeflater(int level);
std::unique_ptr<StreamDeflater> NewStreamDeflater(int level);

/// Optional libraries that may be used; for tests and benchmarks. A missing
/// library is never used.
struct CodecChoice {
  bool isal = true;
  bool libdeflate = true;
};
void ChooseCodecs(CodecChoice choice);
/// Libraries that are both present and allowed.
CodecChoice AvailableCodecs();

}  // namespace tfr

#endif  // TFR_CORE_DEFLATE_REGISTRY_H_
