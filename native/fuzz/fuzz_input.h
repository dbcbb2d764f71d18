#ifndef TFR_FUZZ_FUZZ_INPUT_H_
#define TFR_FUZZ_FUZZ_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Aborts the run: the fuzzer saves the input as a crash.
#define FUZZ_CHECK(condition)                                              \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (0)

namespace tfr::fuzz {

using Bytes = std::vector<uint8_t>;

/// The first bytes of an input choose the settings; the rest is data.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  uint8_t Byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }

  /// Size of a piece: mostly small, sometimes everything.
  size_t Piece() {
    const size_t byte = Byte();
    if (byte < 200) return byte + 1;
    return byte < 240 ? (byte - 199) * 1000 : size_t{1} << 20;
  }

  Bytes Rest() const { return Bytes(data_, data_ + size_); }

 private:
  const uint8_t* data_;
  size_t size_;
};

}  // namespace tfr::fuzz

#endif  // TFR_FUZZ_FUZZ_INPUT_H_
