#include "duckdb/extension/files/shards.h"

#include <algorithm>
#include <cstddef>

namespace tfr::duckdb {
namespace {

/// Number of digits of a shard's number and of the count.
constexpr size_t kDigits = 5;
constexpr uint32_t kMaxShards = 99999;

constexpr const char* kCompressed[] = {".gz", ".zlib", ".zz"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Returns a number that is not allowed, for one of many digits.
uint32_t NumberOf(const std::string& digits) {
  uint32_t number = 0;
  for (const char digit : digits) {
    if (number > kMaxShards) break;
    number = 10 * number + static_cast<uint32_t>(digit - '0');
  }
  return number;
}

/// `base@N`, or `base@N.gz`, whose `end` is `.gz`.
struct CountedName {
  std::string base;
  std::string digits;
  std::string end;
};

/// True for texts such as `.tfrecord.gz`, and for none.
bool AreSuffixes(const std::string& text) {
  bool begins = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (i == 0 ? c != '.' : begins ? !letter : false) return false;
    if (c != '.' && !letter && !IsDigit(c) && c != '_') return false;
    begins = c == '.';
  }
  return !begins;
}

std::optional<CountedName> CountedNameOf(const std::string& name) {
  // The last `@` for which the rest fits.
  for (size_t at = name.rfind('@'); at != std::string::npos && at > 0;
       at = name.rfind('@', at - 1)) {
    size_t end = at + 1;
    while (end < name.size() && IsDigit(name[end])) ++end;
    const std::string rest = name.substr(end);
    if (end == at + 1 || name[at - 1] == '/' || !AreSuffixes(rest)) continue;
    return CountedName{name.substr(0, at), name.substr(at + 1, end - at - 1),
                       rest};
  }
  return std::nullopt;
}

/// The index at which the file name's suffixes begin: its first dot after the
/// first character.
size_t SuffixesAt(const std::string& path) {
#if defined(_WIN32)
  const size_t slash = path.find_last_of("/\\");
#else
  const size_t slash = path.rfind('/');
#endif
  const size_t first = slash == std::string::npos ? 0 : slash + 1;
  return std::min(path.find('.', first + 1), path.size());
}

/// Ours, then that of TensorFlow's tools, then those of compressed files.
std::vector<ShardSet::Form> FormsOf(const CountedName& name) {
  const auto& [base, digits, end] = name;
  const size_t at = SuffixesAt(base);
  std::vector<ShardSet::Form> forms;
  const auto add = [&](const std::string& start, const std::string& rest) {
    const bool known =
        std::any_of(forms.begin(), forms.end(), [&](const auto& form) {
          return form.base == start && form.end == rest;
        });
    if (!known) forms.push_back({start, rest});
  };
  // The numbers stand where the @ does.
  if (!end.empty()) add(base, end);
  const std::string stem = base.substr(0, at);
  const std::string suffixes = base.substr(at) + end;
  add(stem, suffixes);
  add(base + end, "");
  const std::string whole = base + end;
  for (const char* extension : kCompressed) {
    if (!EndsWith(whole, extension)) continue;
    add(whole.substr(0, whole.size() - std::string(extension).size()),
        extension);
    return forms;
  }
  for (const char* extension : kCompressed) {
    add(whole, extension);
    add(stem, suffixes + extension);
  }
  return forms;
}

std::optional<ShardSet> SetOf(std::vector<ShardSet::Form> forms,
                              const std::string& count, size_t digits) {
  const uint32_t number = NumberOf(count);
  if (number < 1 || number > kMaxShards) return std::nullopt;
  return ShardSet{std::move(forms), number, digits};
}

}  // namespace

std::vector<std::string> ShardSet::Paths(const Form& form) const {
  const auto padded = [&](uint32_t number) {
    const std::string text = std::to_string(number);
    return std::string(digits - std::min(digits, text.size()), '0') + text;
  };
  std::vector<std::string> paths;
  paths.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    paths.push_back(form.base + "-" + padded(i) + "-of-" + padded(count) +
                    form.end);
  }
  return paths;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool IsCounted(const std::string& name) {
  return CountedNameOf(name).has_value();
}

std::optional<ShardSet> ShardSetOf(const std::string& name) {
  if (const auto counted = CountedNameOf(name)) {
    return SetOf(FormsOf(*counted), counted->digits, kDigits);
  }
  size_t digits = 0;
  while (digits < name.size() && IsDigit(name[name.size() - 1 - digits])) {
    ++digits;
  }
  const std::string middle = std::string(digits, '?') + "-of-";
  const std::string start = name.substr(0, name.size() - digits);
  if (digits == 0 || !EndsWith(start, "-" + middle)) return std::nullopt;
  const std::string base = start.substr(0, start.size() - middle.size() - 1);
  if (base.find_first_of("*?[]") != std::string::npos) return std::nullopt;
  return SetOf({{base, ""}}, name.substr(start.size()), digits);
}

}  // namespace tfr::duckdb
