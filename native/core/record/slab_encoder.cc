#include "core/record/slab_encoder.h"

namespace tfr {

std::unique_ptr<SlabEncoder> NewSlabEncoder(Compression compression,
                                            int level) {
  switch (compression) {
    case Compression::kGzip:
      return NewGzipEncoder(level);
    case Compression::kZlib:
      return NewZlibEncoder(level);
    default:
      return NewPlainEncoder();
  }
}

}  // namespace tfr
