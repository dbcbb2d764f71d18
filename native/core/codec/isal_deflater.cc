#include <new>

#include "core/codec/implementations.h"
#include "core/codec/isal_library.h"

#if defined(TFR_HAVE_ISAL)

namespace tfr {
namespace {

/// ISA-L counts in 32 bits: longer input is deflated in pieces, each of whole
/// bytes and without reference to the one before.
constexpr size_t kPiece = size_t{1} << 30;

class IsalDeflater final : public BlockDeflater {
 public:
  explicit IsalDeflater(const IsalLibrary* library) : library_(library) {}

  // Stored blocks, the worst that ISA-L writes, cost 5 bytes per 65,535; the
  // rest covers the block that ends a piece.
  size_t Bound(size_t in_size) const override {
    return in_size + in_size / 4096 + 512 * (in_size / kPiece + 1);
  }

  size_t Deflate(const uint8_t* in, size_t in_size, uint8_t* out,
                 size_t out_size) override {
    size_t written = 0;
    while (in_size > kPiece) {
      const size_t size =
          DeflatePart(in, kPiece, out + written, out_size - written);
      if (size == 0) return 0;
      written += size;
      in += kPiece;
      in_size -= kPiece;
    }
    const size_t size =
        Run(in, in_size, out + written, out_size - written, true);
    return size == 0 ? 0 : written + size;
  }

  size_t DeflatePart(const uint8_t* in, size_t in_size, uint8_t* out,
                     size_t out_size) override {
    return Run(in, in_size, out, out_size, false);
  }

 private:
  size_t Run(const uint8_t* in, size_t in_size, uint8_t* out, size_t out_size,
             bool last) {
    library_->isal_deflate_stateless_init(&stream_);
    stream_.level = 1;
    stream_.level_buf = level_buffer_;
    stream_.level_buf_size = sizeof(level_buffer_);
    stream_.flush = last ? NO_FLUSH : FULL_FLUSH;
    stream_.end_of_stream = last ? 1 : 0;
    stream_.next_in = const_cast<uint8_t*>(in);
    stream_.avail_in = static_cast<uint32_t>(in_size);
    stream_.next_out = out;
    stream_.avail_out =
        static_cast<uint32_t>(out_size < 2 * kPiece ? out_size : 2 * kPiece);
    if (library_->isal_deflate_stateless(&stream_) != COMP_OK) return 0;
    return static_cast<size_t>(stream_.next_out - out);
  }

  const IsalLibrary* const library_;
  // Zeros: ISA-L's own initialisation leaves `hist_bits` and more as it is.
  isal_zstream stream_ = {};
  uint8_t level_buffer_[ISAL_DEF_LVL1_DEFAULT];
};

}  // namespace

std::unique_ptr<BlockDeflater> NewIsalDeflater() {
  const IsalLibrary* library = LoadIsal();
  if (library == nullptr) return nullptr;
  return std::unique_ptr<BlockDeflater>(new (std::nothrow)
                                            IsalDeflater(library));
}

}  // namespace tfr

#else

namespace tfr {

std::unique_ptr<BlockDeflater> NewIsalDeflater() { return nullptr; }

}  // namespace tfr

#endif  // TFR_HAVE_ISAL
