#include "duckdb/extension/query_error.h"

#include <cstdint>

namespace tfr::duckdb {

std::string Quoted(const std::string& name) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : name) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (byte < 0x20) {
      quoted += "\\u00";
      quoted += kHex[byte >> 4U];
      quoted += kHex[byte & 0xfU];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Counted(uint64_t count, const char* noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

}  // namespace tfr::duckdb
