#include "core/io/scratch_file.h"

namespace tfr {

std::unique_ptr<ScratchFile> ScratchFile::Open() { return nullptr; }

}  // namespace tfr
