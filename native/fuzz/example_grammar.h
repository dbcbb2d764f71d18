#ifndef TFR_FUZZ_EXAMPLE_GRAMMAR_H_
#define TFR_FUZZ_EXAMPLE_GRAMMAR_H_

#include <string>

#include "fuzz_input.h"
#include "test/example/example_bytes.h"

/// Generates records whose structure the fuzzer chooses, with mostly valid
/// lengths, to reach code that mutated bytes do not.
namespace tfr::fuzz {

/// Keys in the fuzzer's plans, and others.
inline std::string KeyOf(uint8_t choice) {
  switch (choice % 8) {
    case 0:
      return "";
    case 1:
      return "longer than eight bytes";
    case 2:
      return "k" + std::to_string(choice / 8);
    default:
      return std::string(1, static_cast<char>('a' + choice / 8 % 8));
  }
}

enum class Level : uint8_t { kExample, kMap, kEntry, kFeature, kList };

class ExampleGrammar {
 public:
  explicit ExampleGrammar(Input* input) : input_(*input) {}

  /// One message; ends with the input at the latest.
  std::string Message(Level level, int depth = 0) {
    std::string bytes;
    for (;;) {
      const uint8_t choice = input_.Byte();
      if (choice % 8 == 0 || bytes.size() > 2000) return bytes;
      if (choice == 0xff) {
        bytes += static_cast<char>(input_.Byte());
      } else if (choice >= 0xf0) {
        bytes += Unknown(choice);
      } else {
        bytes += Member(level, choice, depth);
      }
    }
  }

 private:
  std::string Member(Level level, uint8_t choice, int depth) {
    switch (level) {
      case Level::kExample:
        return Damaged(choice % 4 == 1 ? 2 : 1, Message(Level::kMap));
      case Level::kMap:
        return Damaged(1, Message(Level::kEntry));
      case Level::kEntry:
        if (choice % 4 == 1) return test::Field(1, KeyOf(input_.Byte()));
        // A Feature begins like a FeatureList.
        return Damaged(2, Message(Level::kFeature));
      case Level::kFeature:
        if (choice % 8 == 7 && depth == 0) {
          return Damaged(1, Message(Level::kFeature, 1));
        }
        return Damaged(1 + choice % 3, Message(Level::kList));
      default:
        return Values(choice);
    }
  }

  std::string Values(uint8_t choice) {
    std::string packed;
    for (size_t i = 0; i < choice / 16u; ++i) {
      switch (choice % 8) {
        case 1:
          packed += test::Varint(input_.Byte());
          break;
        case 2:
          packed += test::Varint(uint64_t{input_.Byte()} << input_.Byte() % 64);
          break;
        default:
          packed += std::string(4, static_cast<char>(input_.Byte()));
      }
    }
    if (choice % 8 == 4) {
      return test::Tag(1, 0) + test::Varint(uint64_t{choice} << choice % 64);
    }
    if (choice % 8 == 5) return test::Tag(1, 5) + "flts";
    return Damaged(1, packed);
  }

  std::string Unknown(uint8_t choice) {
    switch (choice % 8) {
      case 1:
        return test::Tag(7, 0) + test::Varint(choice);
      case 2:
        return test::Tag(1, 1) + "12345678";
      case 3:
        return test::Tag(9, 3) + test::Field(1, "any") + test::Tag(9, 4);
      case 4:
        return test::Tag(2, 5) + "1234";
      default:
        return test::Field(4, "any");
    }
  }

  /// A field whose length is rarely wrong.
  std::string Damaged(uint64_t number, const std::string& bytes) {
    const uint8_t choice = input_.Byte();
    size_t size = bytes.size();
    if (choice == 0xff) ++size;
    if (choice == 0xfe && size > 0) --size;
    return test::Tag(number, 2) + test::Varint(size) + bytes;
  }

  Input& input_;
};

}  // namespace tfr::fuzz

#endif  // TFR_FUZZ_EXAMPLE_GRAMMAR_H_
