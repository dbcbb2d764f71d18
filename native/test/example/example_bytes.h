#ifndef TFR_TEST_EXAMPLE_EXAMPLE_BYTES_H_
#define TFR_TEST_EXAMPLE_EXAMPLE_BYTES_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Builds protobuf's wire format piece by piece, valid or not.
namespace tfr::test {

inline std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) {
    bytes += static_cast<char>(value | 0x80);
  }
  return bytes + static_cast<char>(value);
}

inline std::string Tag(uint64_t number, unsigned type) {
  return Varint(number << 3 | type);
}

/// A length-delimited field.
inline std::string Field(uint64_t number, std::string_view bytes) {
  return Tag(number, 2) + Varint(bytes.size()) + std::string(bytes);
}

inline std::string FloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(bits >> (8 * i));
  return bytes;
}

/// Lists: the content of Int64List, FloatList and BytesList messages.
inline std::string PackedInts(const std::vector<int64_t>& values) {
  std::string packed;
  for (int64_t value : values) packed += Varint(static_cast<uint64_t>(value));
  return Field(1, packed);
}

inline std::string UnpackedInts(const std::vector<int64_t>& values) {
  std::string list;
  for (int64_t value : values) {
    list += Tag(1, 0) + Varint(static_cast<uint64_t>(value));
  }
  return list;
}

inline std::string PackedFloats(const std::vector<float>& values) {
  std::string packed;
  for (float value : values) packed += FloatBits(value);
  return Field(1, packed);
}

inline std::string UnpackedFloats(const std::vector<float>& values) {
  std::string list;
  for (float value : values) list += Tag(1, 5) + FloatBits(value);
  return list;
}

/// `Feature` messages.
inline std::string BytesFeature(const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += Field(1, value);
  return Field(1, list);
}

inline std::string FloatFeature(const std::vector<float>& values) {
  return Field(2, PackedFloats(values));
}

inline std::string IntFeature(const std::vector<int64_t>& values) {
  return Field(3, PackedInts(values));
}

inline std::string FeatureList(const std::vector<std::string>& features) {
  std::string list;
  for (const std::string& feature : features) list += Field(1, feature);
  return list;
}

/// One entry of `Features` or `FeatureLists`.
inline std::string Entry(std::string_view key, std::string_view value) {
  return Field(1, Field(1, key) + Field(2, value));
}

inline std::string Join(const std::vector<std::string>& pieces) {
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  return all;
}

inline std::string ExampleOf(const std::vector<std::string>& entries) {
  return Field(1, Join(entries));
}

inline std::string SequenceOf(const std::vector<std::string>& context,
                              const std::vector<std::string>& lists) {
  return Field(1, Join(context)) + Field(2, Join(lists));
}

/// Decodes hexadecimal digits; ignores blanks.
inline std::string Unhex(std::string_view hex) {
  std::string bytes;
  int high = -1;
  for (char c : hex) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      bytes += static_cast<char>(high << 4 | digit);
      high = -1;
    }
  }
  return bytes;
}

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_EXAMPLE_BYTES_H_
