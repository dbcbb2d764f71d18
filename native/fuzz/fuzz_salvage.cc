#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "test/support/positioned_source.h"
#include "test/support/salvaging.h"

using tfr::test::Framed;
using tfr::test::Read;
using tfr::test::Reading;

namespace {

/// Takes the parts of a file from the fuzzer's input.
class Recipe {
 public:
  Recipe(const uint8_t* data, size_t size) : data_(data), left_(size) {}

  bool empty() const { return left_ == 0; }
  uint8_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  std::string Bytes() {
    const size_t size = std::min<size_t>(Byte(), left_);
    std::string bytes(reinterpret_cast<const char*>(data_), size);
    data_ += size;
    left_ -= size;
    return bytes;
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

/// Records, some within others, with damage between and in them.
std::string FileOf(Recipe recipe) {
  std::string file;
  std::string inner;
  while (!recipe.empty()) {
    switch (recipe.Byte() % 8) {
      case 0:
      case 1:
        file += Framed(recipe.Bytes());
        break;
      case 2:
        inner += Framed(recipe.Bytes());
        break;
      case 3:
        file += Framed(recipe.Bytes() + inner);
        inner.clear();
        break;
      case 4:
        file += recipe.Bytes();
        break;
      case 5:
        if (!file.empty()) {
          file[file.size() - 1 - recipe.Byte() % file.size()] ^= 1;
        }
        break;
      case 6:
        file.append(recipe.Byte(), '\0');
        break;
      case 7:
        file.resize(file.size() - std::min<size_t>(recipe.Byte(), file.size()));
        break;
    }
  }
  return file;
}

}  // namespace

/// Salvaging any bytes ends, and gives the same records and regions for all
/// sizes of pieces and slabs. Of plain content, the records and the regions
/// have every byte.
///
/// Input: one byte each for compression, limit, piece size and slab size; then
/// the recipe of the file, or, after an odd first byte, the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kOptions = 4;
  if (size < kOptions) return 0;
  tfr::ReadOptions options = tfr::test::Salvaging();
  options.compression = static_cast<tfr::Compression>(data[0] / 2 % 4);
  options.max_record_bytes = data[1] < 192 ? 0x7fffffff : data[1];
  const size_t piece = 1 + data[2];
  const size_t slab = 512 + 16 * data[3];
  const std::string file =
      data[0] % 2 == 0
          ? FileOf({data + kOptions, size - kOptions})
          : std::string(reinterpret_cast<const char*>(data) + kOptions,
                        size - kOptions);

  tfr::ChooseCodecs({true, true});
  const Reading pieces = Read(file, piece, slab, options, true);
  const Reading whole = Read(file, 1 << 20, 1 << 16, options, true);
  const Reading at = tfr::test::ReadPositioned(file, slab, options, true);
  if (!tfr::test::SameSalvage(pieces, whole)) std::abort();
  const bool plain = options.compression == tfr::Compression::kNone;
  if (!plain) return 0;
  if (!tfr::test::SameSalvage(pieces, at)) std::abort();
  if (pieces.halt.code == tfr::FaultCode::kCompression) return 0;
  if (tfr::test::Accounted(pieces) != file.size()) std::abort();
  return 0;
}
