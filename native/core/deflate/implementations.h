#ifndef TFR_CORE_DEFLATE_IMPLEMENTATIONS_H_
#define TFR_CORE_DEFLATE_IMPLEMENTATIONS_H_

#include <memory>

#include "core/deflate/roles.h"

namespace tfr {

/// All implementations of each role, for the registry, for tests that run every
/// one, and for code that needs a specific one. Other code uses `registry.h`.
/// Each function returns null when memory runs out, its library is missing, or
/// it does not support the level.
std::unique_ptr<StreamInflater> NewIsalInflater();
std::unique_ptr<StreamInflater> NewZlibInflater();

std::unique_ptr<BlockInflater> NewLibdeflateBlockInflater();
std::unique_ptr<BlockInflater> NewZlibBlockInflater();

/// Level 1 only.
std::unique_ptr<BlockDeflater> NewIsalDeflater();
std::unique_ptr<BlockDeflater> NewLibdeflateBlockDeflater(int level);
std::unique_ptr<BlockDeflater> NewZlibBlockDeflater(int level);

std::unique_ptr<StreamDeflater> NewZlibDeflater(int level);

}  // namespace tfr

#endif  // TFR_CORE_DEFLATE_IMPLEMENTATIONS_H_
