#ifndef TFR_CORE_BASE_ENDIAN_H_
#define TFR_CORE_BASE_ENDIAN_H_

#include <cstdint>
#include <cstring>

namespace tfr {

/// Little-endian loads and stores at any alignment. On little-endian machines
/// compilers turn each into one move.
inline uint32_t LoadLE32(const uint8_t* p) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return uint32_t{p[0]} | uint32_t{p[1]} << 8 | uint32_t{p[2]} << 16 |
         uint32_t{p[3]} << 24;
#else
  uint32_t value;
  std::memcpy(&value, p, sizeof(value));
  return value;
#endif
}

inline uint64_t LoadLE64(const uint8_t* p) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return uint64_t{LoadLE32(p)} | uint64_t{LoadLE32(p + 4)} << 32;
#else
  uint64_t value;
  std::memcpy(&value, p, sizeof(value));
  return value;
#endif
}

inline void StoreLE16(uint8_t* p, uint16_t value) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  p[0] = static_cast<uint8_t>(value);
  p[1] = static_cast<uint8_t>(value >> 8);
#else
  std::memcpy(p, &value, sizeof(value));
#endif
}

inline void StoreLE32(uint8_t* p, uint32_t value) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  p[0] = static_cast<uint8_t>(value);
  p[1] = static_cast<uint8_t>(value >> 8);
  p[2] = static_cast<uint8_t>(value >> 16);
  p[3] = static_cast<uint8_t>(value >> 24);
#else
  std::memcpy(p, &value, sizeof(value));
#endif
}

inline void StoreLE64(uint8_t* p, uint64_t value) {
  StoreLE32(p, static_cast<uint32_t>(value));
  StoreLE32(p + 4, static_cast<uint32_t>(value >> 32));
}

}  // namespace tfr

#endif  // TFR_CORE_BASE_ENDIAN_H_
