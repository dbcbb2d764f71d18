#ifndef TFR_CORE_IO_FILE_SOURCE_H_
#define TFR_CORE_IO_FILE_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/io/byte_source.h"

namespace tfr {

/// A regular file, read from `position` on, opened by the first read. `path` is
/// UTF-8. If the file grows meanwhile, reads continue to its current end.
std::unique_ptr<ByteSource> NewFileSource(std::string path,
                                          uint64_t position = 0);

}  // namespace tfr

#endif  // TFR_CORE_IO_FILE_SOURCE_H_
