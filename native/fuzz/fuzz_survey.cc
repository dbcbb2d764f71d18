// Surveys of generated and mutated records: compared with a plain survey, and
// with the merged surveys of both halves.

#include <cstdio>
#include <string>
#include <vector>

#include "example_grammar.h"
#include "fuzz_input.h"
#include "test/example/survey_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using tfr::fuzz::ExampleGrammar;
  using tfr::fuzz::Level;
  if (size > 4096) return 0;
  tfr::fuzz::Input input(data, size);
  std::vector<std::string> records;
  if (input.Byte() % 2 == 0) {
    for (int i = 0; i < 8; ++i) {
      records.push_back(ExampleGrammar(&input).Message(Level::kExample));
    }
  } else {
    const tfr::fuzz::Bytes rest = input.Rest();
    const std::string bytes(rest.begin(), rest.end());
    records = {bytes, bytes.substr(bytes.size() / 2)};
  }
  const std::string difference = tfr::test::CompareSurveys(records);
  if (!difference.empty()) std::fprintf(stderr, "%s\n", difference.c_str());
  FUZZ_CHECK(difference.empty());
  return 0;
}
