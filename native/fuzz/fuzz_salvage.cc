#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/index/record_index.h"
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

/// One gzip member of stored blocks of `block` bytes.
std::string Stored(const std::string& content, size_t block) {
  std::string file("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  size_t at = 0;
  do {
    const std::string part = content.substr(at, block);
    at += part.size();
    const auto size = static_cast<uint32_t>(part.size());
    file += at == content.size() ? '\x01' : '\0';
    file += tfr::test::Number32(size | (~size << 16)) + part;
  } while (at < content.size());
  return file +
         tfr::test::Number32(
             tfr::Crc32(0, tfr::test::Data(content), content.size())) +
         tfr::test::Number32(static_cast<uint32_t>(content.size()));
}

/// Salvages a compressed file with an index of it, which is damaged after it
/// was indexed: the first bytes of the input say where.
void ReadIndexed(const uint8_t* data, size_t size, size_t slab,
                 tfr::ReadOptions options) {
  constexpr size_t kDamage = 6;
  if (size < kDamage) return;
  const std::string content = FileOf({data + kDamage, size - kDamage});
  std::string file = Stored(content, 1 + data[0]);
  tfr::IndexLimits limits;
  limits.checkpoint_bytes = 1;
  limits.most_offset_memory = data[1] % 2 == 0 ? 0 : 1 << 20;
  const auto index = std::make_shared<tfr::RecordIndex>(limits);
  tfr::ReadOptions indexing;
  indexing.index = index;
  tfr::test::ReadPositioned(file, 1 << 16, indexing);
  for (size_t i = 2; i < kDamage; i += 2) {
    const size_t at = (data[i] * 256U + data[i + 1]) % file.size();
    file[at] = static_cast<char>(file[at] ^ data[i + 1]);
  }
  if (data[1] % 8 == 2) file.erase(file.size() / 2, 1);
  options.compression = tfr::Compression::kGzip;
  options.checkpoints = index;
  options.least_segment = 1;
  const Reading some = tfr::test::ReadPositioned(file, slab, options, true);
  const Reading other = tfr::test::ReadPositioned(file, 1 << 16, options, true);
  if (!tfr::test::SameSalvage(some, other)) std::abort();
}

}  // namespace

/// Salvaging any bytes ends, and gives the same records and regions for all
/// sizes of pieces and slabs. Of plain content, the records and the regions
/// have every byte.
///
/// With checkpoints, too, nothing depends on the size of slabs.
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
  tfr::ChooseCodecs({true, true});
  if (data[0] / 8 % 4 == 3) {
    ReadIndexed(data + kOptions, size - kOptions, slab, options);
    return 0;
  }
  const std::string file =
      data[0] % 2 == 0
          ? FileOf({data + kOptions, size - kOptions})
          : std::string(reinterpret_cast<const char*>(data) + kOptions,
                        size - kOptions);

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
