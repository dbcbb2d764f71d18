#ifndef TFR_TEST_EXAMPLE_EXACT_BYTES_H_
#define TFR_TEST_EXAMPLE_EXACT_BYTES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/example/wire/wire.h"

namespace tfr::test {

/// Bytes in an allocation of exactly their size, so that a sanitizer detects
/// reads past the end.
class Exact {
 public:
  explicit Exact(const std::string& bytes)
      : bytes_(bytes.begin(), bytes.end()) {}
  Span span() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_EXACT_BYTES_H_
