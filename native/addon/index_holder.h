#ifndef TFR_ADDON_INDEX_HOLDER_H_
#define TFR_ADDON_INDEX_HOLDER_H_

#include <memory>
#include <utility>

#include "addon/base/napi_setup.h"
#include "core/content/checkpoint.h"
#include "core/index/file_index.h"
#include "core/index/index_loader.h"

namespace tfr::addon {

/// The object behind the handle of an index.
struct IndexHolder {
  static constexpr napi_type_tag kTag = {0x3d81c6f00b5247ae,
                                         0xa4e97c15d2086b3f};
  template <class... Args>
  explicit IndexHolder(Args&&... args) : file(std::forward<Args>(args)...) {}

  void Abandon() {}

  FileIndex file;
  /// Set while a saved index is read.
  std::unique_ptr<IndexLoader> loader;
};

/// The object behind the handle of a checkpoint.
struct CheckpointHolder {
  static constexpr napi_type_tag kTag = {0x7c25be91d60a4f38,
                                         0x91f4d20e8b637ca5};
  void Abandon() {}

  std::shared_ptr<const Checkpoint> checkpoint;
};

}  // namespace tfr::addon

#endif  // TFR_ADDON_INDEX_HOLDER_H_
