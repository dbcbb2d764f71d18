#include "core/crc32c/crc32c.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/crc32c/kernel.h"
#include "core/crc32c/mask.h"
#include "core/crc32c/polynomial.h"
#include "test/crc32c/crc32c_cases.h"
#include "test/support/check.h"

namespace tfr::crc32c {
namespace {

const uint8_t* Data(const std::string& bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

/// The definition, bit by bit.
uint32_t Reference(uint32_t crc, const uint8_t* data, size_t size) {
  uint32_t state = ~crc;
  for (size_t i = 0; i < size; ++i) {
    state ^= data[i];
    for (int bit = 0; bit < 8; ++bit) {
      state = (state >> 1) ^ ((state & 1) != 0 ? 0x82f63b78u : 0);
    }
  }
  return ~state;
}

std::vector<uint8_t> RandomBytes(size_t size) {
  std::mt19937_64 random(20240229);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() >> 56);
  return bytes;
}

/// The kernels that this CPU supports, and `Extend` itself as the last.
std::vector<Kernel> Runnable() {
  std::vector<Kernel> kernels;
  for (const Kernel* kernel : Kernels()) {
    if (kernel->supported()) kernels.push_back(*kernel);
  }
  kernels.push_back({"dispatched", nullptr, &Extend});
  return kernels;
}

/// Checks a kernel's result, and prints the kernel and the case if it is wrong.
void CheckCrc(const Kernel& kernel, const char* what, size_t a, size_t b,
              uint32_t found, uint32_t expected) {
  if (!CHECK_EQ(found, expected)) {
    std::fprintf(stderr, "  kernel %s, %s %zu, %zu\n", kernel.name, what, a, b);
  }
}

TEST(TheBestSupportedKernelIsUsed) {
  const char* best = nullptr;
  for (const Kernel* kernel : Kernels()) {
    std::printf("       %s%s\n", kernel->name,
                kernel->supported() ? "" : " (not on this CPU)");
    if (best == nullptr && kernel->supported()) best = kernel->name;
  }
  CHECK_EQ(std::string(KernelName()), best);
  // The first call chooses the kernel and sets `has_instruction`.
  CHECK_EQ(Extend(0, Data("a"), 1), 0xc1d04330u);
  CHECK_EQ(internal::has_instruction.load(), std::string(best) != "portable");
}

TEST(KnownAnswers) {
  for (const Kernel& kernel : Runnable()) {
    for (const KnownCrc& known : KnownCrcs()) {
      CheckCrc(kernel, "known answer of size", known.bytes.size(), 0,
               kernel.extend(0, Data(known.bytes), known.bytes.size()),
               known.crc);
    }
  }
}

TEST(EmptyInputKeepsTheCrc) {
  for (const Kernel& kernel : Runnable()) {
    for (uint32_t crc : {0u, 1u, 0xe3069283u, 0xffffffffu}) {
      CheckCrc(kernel, "no byte", 0, 0, kernel.extend(crc, nullptr, 0), crc);
    }
  }
}

TEST(PortableEqualsTheDefinition) {
  const std::vector<uint8_t> bytes = RandomBytes(400);
  for (size_t offset = 0; offset < 9; ++offset) {
    for (size_t size = 0; size + offset <= bytes.size();
         size += test::LoopStep()) {
      const uint32_t crc = static_cast<uint32_t>(size * 0x9e3779b9u);
      CheckCrc(kPortable, "offset, size", offset, size,
               kPortable.extend(crc, bytes.data() + offset, size),
               Reference(crc, bytes.data() + offset, size));
    }
  }
}

TEST(TwoAndThreeParts) {
  // Every split of 48 bytes into three parts, and so every split into two.
  const std::string pdu = IscsiRead();
  const uint8_t* data = Data(pdu);
  for (const Kernel& kernel : Runnable()) {
    for (size_t i = 0; i <= 48; ++i) {
      for (size_t j = i; j <= 48; ++j) {
        uint32_t crc = kernel.extend(0, data, i);
        crc = kernel.extend(crc, data + i, j - i);
        crc = kernel.extend(crc, data + j, 48 - j);
        CheckCrc(kernel, "parts at", i, j, crc, 0xd9963a56);
      }
    }
  }
}

TEST(EverySplitOf2048Bytes) {
  const std::vector<uint8_t> bytes = RandomBytes(2048);
  const uint32_t whole = kPortable.extend(0, bytes.data(), bytes.size());
  for (const Kernel& kernel : Runnable()) {
    for (size_t i = 0; i <= bytes.size(); ++i) {
      const uint32_t first = kernel.extend(0, bytes.data(), i);
      CheckCrc(kernel, "split at", i, 0,
               kernel.extend(first, bytes.data() + i, bytes.size() - i), whole);
    }
  }
}

TEST(EveryPartOf2048Bytes) {
  // All pairs begin <= end. Expected values follow from the prefixes: a part's
  // CRC extends that of the shorter prefix to that of the longer.
  const std::vector<uint8_t> bytes = RandomBytes(2048);
  std::vector<uint32_t> prefix = {0};
  for (size_t i = 0; i < bytes.size(); ++i) {
    prefix.push_back(Reference(prefix.back(), bytes.data() + i, 1));
  }
  for (const Kernel& kernel : Runnable()) {
    for (size_t begin = 0; begin <= bytes.size(); begin += test::LoopStep()) {
      for (size_t end = begin; end <= bytes.size(); end += test::LoopStep()) {
        CheckCrc(
            kernel, "part", begin, end,
            kernel.extend(prefix[begin], bytes.data() + begin, end - begin),
            prefix[end]);
      }
    }
  }
}

TEST(EveryAlignment) {
  const std::vector<uint8_t> bytes = RandomBytes(20000 + 128);
  // Offsets count from a 64-byte boundary.
  const size_t base =
      (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64;
  for (size_t size : {1, 8, 31, 64, 127, 200, 512, 1016, 1600, 8632, 20000}) {
    for (size_t offset = 0; offset < 64; ++offset) {
      const uint8_t* data = bytes.data() + base + offset;
      const uint32_t expected = kPortable.extend(77, data, size);
      for (const Kernel& kernel : Runnable()) {
        CheckCrc(kernel, "alignment, size", offset, size,
                 kernel.extend(77, data, size), expected);
      }
    }
  }
}

TEST(SizesUpTo70000) {
  const std::vector<uint8_t> bytes = RandomBytes(70001);
  // All sizes where kernels switch methods, then in odd steps.
  for (size_t size = 0; size <= 70001; size += size < 4600 ? 1 : 97) {
    const uint32_t crc = static_cast<uint32_t>(size * 2654435761u);
    const uint32_t expected = kPortable.extend(crc, bytes.data(), size);
    for (const Kernel& kernel : Runnable()) {
      CheckCrc(kernel, "size", size, 0, kernel.extend(crc, bytes.data(), size),
               expected);
    }
  }
}

TEST(NoByteOutsideIsRead) {
  // Exact allocations: a sanitizer or valgrind detects a read past either end.
  // Without them, surrounding bytes must not change the result.
  for (size_t size = 0; size < 700; ++size) {
    std::unique_ptr<uint8_t[]> exact(new uint8_t[size]);
    std::vector<uint8_t> padded(size + 256, 0xa5);
    for (size_t i = 0; i < size; ++i) {
      exact[i] = padded[128 + i] = static_cast<uint8_t>(i * 31 + size);
    }
    for (const Kernel& kernel : Runnable()) {
      CheckCrc(kernel, "exact size", size, 0,
               kernel.extend(0, exact.get(), size),
               kernel.extend(0, padded.data() + 128, size));
    }
  }
}

TEST(OneBitAlwaysShows) {
  std::vector<uint8_t> bytes = RandomBytes(1500);
  for (const Kernel& kernel : Runnable()) {
    const uint32_t right = kernel.extend(0, bytes.data(), bytes.size());
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] ^= static_cast<uint8_t>(1u << (i % 8));
      CHECK(kernel.extend(0, bytes.data(), bytes.size()) != right);
      bytes[i] ^= static_cast<uint8_t>(1u << (i % 8));
    }
  }
}

TEST(Value8IsTheCrcOfEightBytes) {
  // Before and after the kernel is chosen, at any alignment.
  uint8_t bytes[72];
  for (uint64_t length = 1; length != 0; length <<= 1) {
    for (size_t offset = 0; offset < 64; offset += 7) {
      StoreLE64(bytes + offset, length - 1);
      CHECK_EQ(Value8(bytes + offset), Reference(0, bytes + offset, 8));
    }
  }
  const uint8_t zeros[8] = {};
  CHECK_EQ(Value8(zeros), 0x8c28b28au);
}

TEST(ExtendIsConcatenation) {
  const std::string hello = "hello world";
  for (const Kernel& kernel : Runnable()) {
    const uint32_t first = kernel.extend(0, Data(hello), 6);
    CHECK_EQ(kernel.extend(first, Data(hello) + 6, 5), 0xc99465aau);
    CHECK(kernel.extend(0, Data("a"), 1) != kernel.extend(0, Data("foo"), 3));
  }
}

TEST(MaskKnownAnswers) {
  for (const KnownMask& known : KnownMasks()) {
    const uint32_t crc = Extend(0, Data(known.bytes), known.bytes.size());
    CHECK_EQ(crc, known.crc);
    CHECK_EQ(Mask(crc), known.masked);
    CHECK_EQ(Unmask(known.masked), known.crc);
  }
  CHECK_EQ(Mask(0xffffffffu), 0xa282ead7u);
  CHECK_EQ(Unmask(0xa282ead7u), 0xffffffffu);
}

TEST(MaskIsABijectionOfItsOwn) {
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t crc = random();
    CHECK_EQ(Unmask(Mask(crc)), crc);
    CHECK_EQ(Mask(Unmask(crc)), crc);
    CHECK_EQ(Unmask(Unmask(Mask(Mask(crc)))), crc);
  }
  const uint32_t foo = Extend(0, Data("foo"), 3);
  CHECK(Mask(foo) != foo);
  CHECK(Mask(Mask(foo)) != foo);
}

TEST(PolynomialArithmetic) {
  CHECK_EQ(XPower(0), 0x80000000u);
  CHECK_EQ(XPower(31), 1u);
  CHECK_EQ(XPower(32), kPolynomial);
  CHECK_EQ(Multiply(XPower(1000), XPower(24)), XPower(1024));
  // n zero bytes multiply the state by x^(8 n).
  const std::vector<uint8_t> zeros(333);
  const uint32_t state = 0x12345678;
  CHECK_EQ(~Reference(~state, zeros.data(), zeros.size()),
           Multiply(state, XPower(8 * zeros.size())));
}

}  // namespace
}  // namespace tfr::crc32c
