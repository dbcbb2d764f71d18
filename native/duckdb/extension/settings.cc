#include "duckdb/extension/settings.h"

#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "duckdb/extension/query_error.h"

namespace tfr::duckdb {
namespace {

/// `DUCKDB_TYPE_BOOLEAN`.
constexpr Type kBoolean = 1;

/// Returns the index of `text` in `choices`.
size_t ChoiceOf(const std::string& name, const std::string& text,
                std::initializer_list<std::string_view> choices) {
  std::string all;
  size_t index = 0;
  for (const std::string_view choice : choices) {
    if (text == choice) return index;
    all += (index == 0 ? "" : ", ") + std::string(choice);
    ++index;
  }
  throw QueryError("ERR_INVALID_ARG_VALUE", name + ": expected one of " + all +
                                                ", found " + Quoted(text));
}

/// DuckDB has checked that `text` is a BIGINT.
uint64_t BytesIn(const std::string& name, const std::string& text) {
  constexpr size_t kMaxDigits = 10;
  constexpr uint64_t kMaxBytes = 0x7fffffff;
  uint64_t bytes = 0;
  bool valid = !text.empty() && text.size() <= kMaxDigits;
  for (const char digit : text) {
    valid = valid && digit >= '0' && digit <= '9';
    bytes = 10 * bytes + static_cast<uint64_t>(digit - '0');
  }
  if (valid && bytes <= kMaxBytes) return bytes;
  throw QueryError(
      "ERR_INVALID_ARG_VALUE",
      name + ": expected a number from 0 to 2147483647, found " + Quoted(text));
}

}  // namespace

std::vector<Parameter> FileParameters() {
  return {
      {"spec", kVarchar},
      {"compression", kVarchar},
      {"verify", kVarchar},
      {"max_record_bytes", kBigint},
      {"on_error", kVarchar},
      {"filename", kBoolean},
      {"file_row_number", kBoolean},
      {"record_offset", kBoolean},
  };
}

Settings SettingsOf(
    const std::vector<std::pair<std::string, std::string>>& named) {
  Settings settings;
  for (const auto& [name, text] : named) {
    if (name == "spec") {
      settings.spec = text;
    } else if (name == "compression") {
      constexpr Compression kChoices[] = {
          Compression::kAuto, Compression::kNone, Compression::kGzip,
          Compression::kZlib};
      settings.compression =
          kChoices[ChoiceOf(name, text, {"auto", "none", "gzip", "zlib"})];
    } else if (name == "verify") {
      constexpr Verify kChoices[] = {Verify::kAll, Verify::kLength,
                                     Verify::kNone};
      settings.verify =
          kChoices[ChoiceOf(name, text, {"all", "length", "none"})];
    } else if (name == "max_record_bytes") {
      settings.max_record_bytes = BytesIn(name, text);
    } else if (name == "on_error") {
      constexpr OnError kChoices[] = {OnError::kThrow, OnError::kSkip,
                                      OnError::kStop};
      settings.on_error =
          kChoices[ChoiceOf(name, text, {"throw", "skip", "stop"})];
    } else if (name == "filename") {
      settings.filename = text == "true";
    } else if (name == "file_row_number") {
      settings.file_row_number = text == "true";
    } else if (name == "record_offset") {
      settings.record_offset = text == "true";
    }
  }
  return settings;
}

ReaderSpec SpecOf(const Settings& settings, bool skips) {
  ReaderSpec spec;
  spec.compression = settings.compression;
  spec.verify = settings.verify;
  spec.max_record_bytes = settings.max_record_bytes;
  spec.continues = skips;
  spec.counts_lost = skips;
  return spec;
}

}  // namespace tfr::duckdb
