#ifndef TFR_TEST_EXAMPLE_PLAIN_WIRE_H_
#define TFR_TEST_EXAMPLE_PLAIN_WIRE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Splits protobuf's wire format into fields.
namespace tfr::test {

struct PlainField {
  uint64_t number = 0;
  uint64_t type = 0;
  uint64_t value = 0;      ///< For varints.
  std::string_view bytes;  ///< For fixed and length-delimited fields.
};

class PlainWire {
 public:
  explicit PlainWire(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  std::optional<uint64_t> Varint(int most = 10) {
    uint64_t value = 0;
    for (int i = 0; i < most && !done(); ++i) {
      const auto byte = static_cast<uint8_t>(rest_[0]);
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fu} << (7 * i);
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> Take(uint64_t size) {
    if (size > rest_.size()) return std::nullopt;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  /// Reads one field, or the end of a group, at depth `depth` of messages and
  /// groups.
  std::optional<PlainField> Field(int depth, bool in_group = false) {
    const auto tag = Varint(kMostShort);
    if (!tag || *tag < 8 || *tag > 0xffffffff) return std::nullopt;
    PlainField field;
    field.number = *tag >> 3;
    field.type = *tag & 7;
    std::optional<uint64_t> size;
    switch (field.type) {
      case 0:
        size = Varint();
        if (!size) return std::nullopt;
        field.value = *size;
        return field;
      case 1:
        size = 8;
        break;
      case 2:
        size = Varint(kMostShort);
        if (size && *size > 0x7fffffff) return std::nullopt;
        break;
      case 3:
        if (depth == 100) return std::nullopt;
        for (;;) {
          const auto inner = Field(depth + 1, true);
          if (!inner) return std::nullopt;
          if (inner->type != 4) continue;
          if (inner->number != field.number) return std::nullopt;
          return field;
        }
      case 4:
        if (!in_group) return std::nullopt;
        return field;
      case 5:
        size = 4;
        break;
      default:
        return std::nullopt;
    }
    const auto bytes = size ? Take(*size) : std::nullopt;
    if (!bytes) return std::nullopt;
    field.bytes = *bytes;
    return field;
  }

 private:
  /// Maximum size of a tag or length.
  static constexpr int kMostShort = 5;

  std::string_view rest_;
};

/// The fields of a message at depth `depth`, up to the first malformed one.
struct PlainMessage {
  std::vector<PlainField> fields;
  bool whole = true;

  PlainMessage(std::string_view bytes, int depth) {
    PlainWire wire(bytes);
    while (whole && !wire.done()) {
      const auto field = wire.Field(depth);
      whole = field.has_value();
      if (field) fields.push_back(*field);
    }
  }
};

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_PLAIN_WIRE_H_
