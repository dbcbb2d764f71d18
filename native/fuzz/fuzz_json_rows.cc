// Lines of JSON, and what becomes of them: each row that is taken is a valid
// record, and the same whether its line is alone or among others.

#include <string>
#include <vector>

#include "core/example/decode/example_decoder.h"
#include "core/example/json/json_rows.h"
#include "core/example/json/row_encoder.h"
#include "fuzz_input.h"

namespace {

using tfr::JsonRows;
using tfr::Span;
using State = JsonRows::State;

/// Kinds that suit the literals of each name. `skip_last`: the last name is
/// left out.
std::vector<uint8_t> KindsOf(const tfr::RowNames& names, bool skip_last) {
  std::vector<uint8_t> kinds;
  for (size_t i = 0; i < names.size(); ++i) {
    const unsigned literals = names[static_cast<uint32_t>(i)].literals;
    const auto has = [literals](tfr::Literal literal) {
      return (literals >> static_cast<unsigned>(literal) & 1) != 0;
    };
    using tfr::Literal;
    kinds.push_back(has(Literal::kBytes) || has(Literal::kDigits) ? 1
                    : has(Literal::kFloat) || has(Literal::kWord) ? 2
                    : has(Literal::kInt64)                        ? 3
                                                                  : 0);
  }
  if (skip_last && !kinds.empty()) kinds.back() = tfr::RowEncoder::kSkipped;
  return kinds;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tfr::fuzz::Input input(data, size);
  const uint8_t settings = input.Byte();
  tfr::RowChoice choice;
  choice.mode = static_cast<tfr::RowChoice::Mode>(settings % 3);
  choice.names = {"a", "context"};
  const tfr::fuzz::Bytes text = input.Rest();
  std::vector<Span> lines;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != '\n') continue;
    lines.push_back({text.data() + begin, i - begin});
    begin = i + 1;
  }
  JsonRows rows(choice);
  for (const Span line : lines) rows.Add(line);
  const std::vector<uint8_t> kinds = KindsOf(rows.names(), settings % 2 == 0);
  tfr::RowEncoder encoder;
  FUZZ_CHECK(encoder.Encode(rows, kinds));
  size_t frame = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    JsonRows alone(choice);
    alone.Add(lines[i]);
    FUZZ_CHECK(alone.rows()[0].state == rows.rows()[i].state);
    if (encoder.states()[i] != State::kTaken) continue;
    const auto [offset, length] = encoder.frames()[frame++];
    const Span record{encoder.data().data() + offset, length};
    tfr::ExampleDecoder decoder(rows.rows()[i].is_sequence);
    FUZZ_CHECK(decoder.Decode(record) ==
               tfr::ExampleDecoder::Outcome::kDecoded);
  }
  FUZZ_CHECK(frame == encoder.frames().size());
  return 0;
}
