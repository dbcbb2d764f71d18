#ifndef TFR_TEST_CRC32C_CRC32C_CASES_H_
#define TFR_TEST_CRC32C_CRC32C_CASES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Known answers for CRC-32C and the mask, from independent sources.
namespace tfr::crc32c {

struct KnownCrc {
  std::string bytes;
  uint32_t crc;
};

struct KnownMask {
  std::string bytes;
  uint32_t crc;
  uint32_t masked;
};

inline std::string Ascending(int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(i);
  return bytes;
}

/// The iSCSI read command of RFC 3720, appendix B.4: 48 bytes.
inline std::string IscsiRead() {
  std::string bytes(48, '\0');
  bytes[0] = '\x01';
  bytes[1] = '\xc0';
  bytes[16] = '\x14';
  bytes[22] = '\x04';
  bytes[27] = '\x14';
  bytes[31] = '\x18';
  bytes[32] = '\x28';
  bytes[40] = '\x02';
  return bytes;
}

/// Byte i is 7 i + 3, modulo 256.
inline std::string Stride7(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<char>((7 * i + 3) & 255);
  }
  return bytes;
}

/// RFC 3720, appendix B.4, and values that TensorFlow computes.
inline std::vector<KnownCrc> KnownCrcs() {
  const std::string ascending = Ascending(32);
  std::vector<KnownCrc> known = {
      {std::string(32, '\0'), 0x8a9136aa},
      {std::string(32, '\xff'), 0x62a8ab43},
      {ascending, 0x46dd794e},
      {std::string(ascending.rbegin(), ascending.rend()), 0x113fdb5c},
      {IscsiRead(), 0xd9963a56},
      {IscsiRead().substr(0, 41), 0xdd1b19be},
      {IscsiRead().substr(1, 44), 0x4930c4b1},
      {"", 0},
  };
  const struct {
    size_t size;
    uint32_t crc;
  } strides[] = {
      {1, 0x412da0a5},     {7, 0xa5702c56},    {8, 0xd225c0e8},
      {9, 0x922c64ce},     {15, 0x9028c025},   {16, 0x6b24bde1},
      {17, 0x2185fb0c},    {63, 0x40a98357},   {64, 0x2884f9f3},
      {65, 0x62b69e19},    {255, 0x92bb6a3d},  {1023, 0xc392f6e6},
      {1024, 0x29022ef0},  {4095, 0xc3a9c1f1}, {4096, 0xed96b643},
      {65536, 0x70861406},
  };
  for (const auto& stride : strides) {
    known.push_back({Stride7(stride.size), stride.crc});
  }
  return known;
}

inline std::vector<KnownMask> KnownMasks() {
  const std::string ascending = Ascending(32);
  return {
      {"", 0x00000000, 0xa282ead8},
      {"a", 0xc1d04330, 0x28e46e78},
      {"foo", 0xcfc4ae1d, 0xfebe8a61},
      {"bar", 0x0ab71331, 0xc8e50046},
      {"abc", 0x364b3fb7, 0x21f1576e},
      {"defg", 0x0e27ff4c, 0xa11b0727},
      {"defgh", 0xb5546d6f, 0x7d625580},
      {"xxxx", 0x9c1af10f, 0x84a2230d},
      {"123456789", 0xe3069283, 0xc78ab0e5},
      {"hello world", 0xc99465aa, 0x6dd87e00},
      {std::string(8, '\0'), 0x8c28b28a, 0x07980329},
      {std::string(32, '\0'), 0x8a9136aa, 0x0fd7fffa},
      {std::string(32, '\xff'), 0x62a8ab43, 0xf909b029},
      {ascending, 0x46dd794e, 0x951f7892},
      {std::string(ascending.rbegin(), ascending.rend()), 0x113fdb5c,
       0x593b0d57},
  };
}

}  // namespace tfr::crc32c

#endif  // TFR_TEST_CRC32C_CRC32C_CASES_H_
