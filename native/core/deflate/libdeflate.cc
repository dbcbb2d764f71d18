#include <new>

#include "core/deflate/implementations.h"

#if defined(TFR_HAVE_LIBDEFLATE)
#include <libdeflate.h>

#include "core/deflate/open_end.h"

namespace tfr {
namespace {

class LibdeflateBlockInflater final : public BlockInflater {
 public:
  LibdeflateBlockInflater() : handle_(libdeflate_alloc_decompressor()) {}
  ~LibdeflateBlockInflater() override { libdeflate_free_decompressor(handle_); }

  bool ok() const { return handle_ != nullptr; }

  bool Inflate(const uint8_t* in, size_t in_size, uint8_t* out,
               size_t out_size) override {
    size_t read = 0;
    size_t wrote = 0;
    return libdeflate_deflate_decompress_ex(handle_, in, in_size, out, out_size,
                                            &read,
                                            &wrote) == LIBDEFLATE_SUCCESS &&
           read == in_size && wrote == out_size;
  }

 private:
  libdeflate_decompressor* const handle_;
};

class LibdeflateBlockDeflater final : public BlockDeflater {
 public:
  explicit LibdeflateBlockDeflater(int level)
      : handle_(libdeflate_alloc_compressor(level)) {}
  ~LibdeflateBlockDeflater() override { libdeflate_free_compressor(handle_); }

  bool ok() const { return handle_ != nullptr; }

  size_t Bound(size_t in_size) const override {
    return libdeflate_deflate_compress_bound(handle_, in_size) + kOpenEndGrowth;
  }

  size_t Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                 size_t out_size) override {
    return libdeflate_deflate_compress(handle_, in, in_size, out, out_size);
  }

  size_t DeflatePart(const uint8_t* in, size_t in_size, uint8_t* out,
                     size_t out_size) override {
    if (out_size < kOpenEndGrowth) return 0;
    const size_t size = Deflate(in, in_size, out, out_size - kOpenEndGrowth);
    return size == 0 ? 0 : OpenEnd(out, size);
  }

 private:
  libdeflate_compressor* const handle_;
};

}  // namespace

std::unique_ptr<BlockInflater> NewLibdeflateBlockInflater() {
  std::unique_ptr<LibdeflateBlockInflater> inflater(
      new (std::nothrow) LibdeflateBlockInflater);
  if (inflater == nullptr || !inflater->ok()) return nullptr;
  return inflater;
}

std::unique_ptr<BlockDeflater> NewLibdeflateBlockDeflater(int level) {
  std::unique_ptr<LibdeflateBlockDeflater> deflater(
      new (std::nothrow) LibdeflateBlockDeflater(level));
  if (deflater == nullptr || !deflater->ok()) return nullptr;
  return deflater;
}

}  // namespace tfr

#else

namespace tfr {

std::unique_ptr<BlockInflater> NewLibdeflateBlockInflater() { return nullptr; }
std::unique_ptr<BlockDeflater> NewLibdeflateBlockDeflater(int) {
  return nullptr;
}

}  // namespace tfr

#endif  // TFR_HAVE_LIBDEFLATE
