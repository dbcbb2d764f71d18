// Lines of JSON of generated and mutated records: in rooms of every size the
// same line or none, by a new printer as by one that knows the names, and only
// of records that hold an Example or SequenceExample.

#include <algorithm>
#include <memory>
#include <string>

#include "core/example/print/line_printer.h"
#include "core/example/type/record_type.h"
#include "example_grammar.h"
#include "fuzz_input.h"

namespace {

using tfr::LineForm;
using tfr::LinePrinter;
using Outcome = LinePrinter::Outcome;

/// Prints to memory of its own, so that a write past its end is found.
std::string Print(LinePrinter* printer, const std::string& record, size_t size,
                  Outcome* outcome) {
  const auto memory = std::make_unique<uint8_t[]>(size);
  const auto bytes = std::make_unique<uint8_t[]>(record.size());
  std::copy(record.begin(), record.end(), bytes.get());
  tfr::TextRoom room{memory.get(), memory.get() + size};
  *outcome = printer->Print({bytes.get(), record.size()}, &room);
  return {memory.get(), room.at};
}

bool IsExample(const std::string& record) {
  const auto* const data = reinterpret_cast<const uint8_t*>(record.data());
  const tfr::RecordType type = tfr::RecordTypeOf({data, record.size()});
  return type == tfr::RecordType::kExample ||
         type == tfr::RecordType::kSequenceExample;
}

void CheckLine(const std::string& line) {
  FUZZ_CHECK(line.size() > 2 && line.front() == '{');
  FUZZ_CHECK(line.compare(line.size() - 2, 2, "}\n") == 0);
  FUZZ_CHECK(std::none_of(line.begin(), line.end() - 1, [](char c) {
    return static_cast<uint8_t>(c) < 0x20 || c == 0x7f;
  }));
}

void Check(LinePrinter* known, LineForm form, bool whole,
           const std::string& record, size_t room) {
  LinePrinter printer(form, whole);
  Outcome outcome;
  const std::string line = Print(&printer, record, 1 << 16, &outcome);
  if (outcome == Outcome::kPrinted) {
    CheckLine(line);
    FUZZ_CHECK(IsExample(record));
  } else {
    FUZZ_CHECK(line.empty());
  }
  Outcome other;
  FUZZ_CHECK(Print(known, record, 1 << 16, &other) == line);
  FUZZ_CHECK(other == outcome);
  const std::string part = Print(known, record, room, &other);
  FUZZ_CHECK(part == (other == Outcome::kPrinted ? line : ""));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using tfr::fuzz::ExampleGrammar;
  using tfr::fuzz::Level;
  if (size > 4096) return 0;
  tfr::fuzz::Input input(data, size);
  const uint8_t choice = input.Byte();
  const auto form = static_cast<LineForm>(choice % 4);
  const bool whole = (choice & 4) != 0;
  const size_t room = input.Byte();
  LinePrinter known(form, whole);
  if ((choice & 8) == 0) {
    for (int i = 0; i < 4; ++i) {
      Check(&known, form, whole,
            ExampleGrammar(&input).Message(Level::kExample), room);
    }
    return 0;
  }
  const tfr::fuzz::Bytes rest = input.Rest();
  Check(&known, form, whole, {rest.begin(), rest.end()}, room);
  return 0;
}
