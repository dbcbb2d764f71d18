#ifndef TFR_CORE_DEFLATE_IMPLEMENTATIONS_H_
#define TFR_CORE_DEFLATE_IMPLEMENTATIONS_H_

#include <memory>

#include "core/deflate/roles.h"

namespace tfr {

/// Each implementation of each role, for the registry and for the suites that
/// run every one of them; others ask `registry.h`. Each returns null when
/// memory ran out, its library is not there, or it does not know the level.
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
