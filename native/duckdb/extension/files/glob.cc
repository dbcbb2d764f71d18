#include "duckdb/extension/files/glob.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"

namespace tfr::duckdb {
namespace {

constexpr char kWildcards[] = "*?[";

/// The characters of UTF-8 text. Bytes that are malformed count as characters
/// above all of Unicode.
std::vector<uint32_t> CharactersOf(const std::string& text) {
  constexpr uint32_t kMalformed = 0x110000;
  std::vector<uint32_t> characters;
  const auto* const data = reinterpret_cast<const uint8_t*>(text.data());
  for (size_t i = 0; i < text.size();) {
    const uint8_t lead = data[i];
    const size_t size =
        lead < 0x80 ? 1 : LongCharacterSize(data + i, text.size() - i);
    if (size <= 1) {
      characters.push_back(size == 0 ? kMalformed + lead : lead);
      ++i;
      continue;
    }
    uint32_t character = lead & (0x7fU >> size);
    for (size_t j = 1; j < size; ++j) {
      character = character << 6U | (data[i + j] & 0x3fU);
    }
    characters.push_back(character);
    i += size;
  }
  return characters;
}

/// On Windows, a backslash separates folders, too.
std::string Slashed(std::string path) {
#if defined(_WIN32)
  std::replace(path.begin(), path.end(), '\\', '/');
#endif
  return path;
}

}  // namespace

bool IsPattern(const std::string& path) {
#if defined(_WIN32)
  // Windows takes such a path as it is.
  if (path.rfind("\\\\?\\", 0) == 0) return false;
#endif
  return path.find_first_of(kWildcards) != std::string::npos;
}

bool GlobSegment::Test::Accepts(uint32_t character) const {
  if (kind == kAny) return true;
  const bool found =
      std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
        return character >= range.first && character <= range.last;
      });
  return found != negated;
}

GlobSegment::GlobSegment(const std::string& text) {
  const std::vector<uint32_t> characters = CharactersOf(text);
  for (size_t at = 0; at < characters.size(); ++at) {
    const uint32_t character = characters[at];
    Test test;
    size_t last = at + 1;
    if (character == '*') {
      test.kind = Test::kStar;
      if (!tests_.empty() && tests_.back().kind == Test::kStar) continue;
    } else if (character == '?') {
      test.kind = Test::kAny;
    } else if (character == '[' && ParseBracket(characters, &last, &test)) {
      at = last;
    } else {
      const bool escapes = character == '\\' && at + 1 < characters.size();
      const uint32_t literal = escapes ? characters[++at] : character;
      test = Test();
      test.kind = Test::kOneOf;
      test.ranges = {{literal, literal}};
    }
    tests_.push_back(std::move(test));
  }
}

bool GlobSegment::Matches(const std::string& name) const {
  constexpr size_t kNone = ~size_t{0};
  const std::vector<uint32_t> characters = CharactersOf(name);
  size_t next = 0;
  // The test after the last star, and where the text of that star ends. Only
  // the last star is ever tried again.
  size_t after_star = kNone;
  size_t star_end = 0;
  for (size_t at = 0; at < characters.size();) {
    if (next < tests_.size() && tests_[next].kind == Test::kStar) {
      after_star = ++next;
      star_end = at;
    } else if (next < tests_.size() && tests_[next].Accepts(characters[at])) {
      ++next;
      ++at;
    } else if (after_star == kNone) {
      return false;
    } else {
      next = after_star;
      at = ++star_end;
    }
  }
  return next == tests_.size() ||
         (next + 1 == tests_.size() && tests_[next].kind == Test::kStar);
}

/// Parses the bracket whose first character is at `*at`, and sets `*at` to its
/// end. Returns false if it has none.
bool GlobSegment::ParseBracket(const std::vector<uint32_t>& characters,
                               size_t* at, Test* test) {
  test->kind = Test::kOneOf;
  const size_t size = characters.size();
  const auto code = [&](size_t i) { return i < size ? characters[i] : 0; };
  test->negated = code(*at) == '!' || code(*at) == '^';
  const size_t start = *at + (test->negated ? 1 : 0);
  for (size_t i = start; i < size; ++i) {
    // As the first character, a closing bracket is literal.
    if (characters[i] == ']' && i > start) {
      *at = i;
      return true;
    }
    if (characters[i] == '[' && code(i + 1) == ':') {
      std::string name;
      size_t end = i + 2;
      for (; code(end) >= 'a' && code(end) <= 'z'; ++end) {
        name += static_cast<char>(code(end));
      }
      // No class has a longer name than six letters.
      if (!name.empty() && name.size() <= 8 && code(end) == ':' &&
          code(end + 1) == ']') {
        AddClass(name, test);
        i = end + 1;
        continue;
      }
    }
    if (characters[i] == '\\') ++i;
    const uint32_t low = code(i);
    const bool is_range =
        code(i + 1) == '-' && i + 2 < size && characters[i + 2] != ']';
    if (is_range) i += characters[i + 2] == '\\' ? 3 : 2;
    test->ranges.push_back({low, is_range ? code(i) : low});
  }
  return false;
}

/// Adds a class of POSIX, for ASCII; unknown ones have no members.
void GlobSegment::AddClass(const std::string& name, Test* test) {
  struct Class {
    const char* name;
    std::vector<Range> ranges;
  };
  const Class classes[] = {
      {"alnum", {{'A', 'Z'}, {'a', 'z'}, {'0', '9'}}},
      {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"blank", {{' ', ' '}, {'\t', '\t'}}},
      {"cntrl", {{0, 0x1f}, {0x7f, 0x7f}}},
      {"digit", {{'0', '9'}}},
      {"graph", {{'!', '~'}}},
      {"lower", {{'a', 'z'}}},
      {"print", {{' ', '~'}}},
      {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"space", {{' ', ' '}, {'\t', '\r'}}},
      {"upper", {{'A', 'Z'}}},
      {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  };
  for (const Class& each : classes) {
    if (name != each.name) continue;
    test->ranges.insert(test->ranges.end(), each.ranges.begin(),
                        each.ranges.end());
  }
}

Glob::Glob(const std::string& given) {
  const std::string path = Slashed(given);
  const size_t wildcard = path.find_first_of(kWildcards);
  const size_t slash = path.rfind('/', wildcard);
  const size_t first = slash == std::string::npos ? 0 : slash + 1;
  prefix_ = path.substr(0, first);
  for (size_t at = first;;) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string text = path.substr(at, end - at);
    // `a//b` and `a/./b` are `a/b`; at the end, a slash matches no file.
    const bool last = end == path.size();
    if (last || (!text.empty() && text != ".") || at == first) {
      const bool dots = text[0] == '.' || text.compare(0, 2, "\\.") == 0;
      segments_.push_back(
          {text == "**", dots, text.empty(), GlobSegment(text)});
    }
    if (last) break;
    at = end + 1;
  }
  // A `**` at the end matches files in the folder and at any depth below it.
  if (segments_.back().any_folders) {
    segments_.push_back({false, false, false, GlobSegment("*")});
  }
}

Glob::Positions Glob::Reach(const Positions& positions) const {
  Positions all;
  for (size_t position : positions) {
    all.push_back(position);
    // `**` may stand for no folder.
    while (position < segments_.size() && segments_[position].any_folders) {
      all.push_back(++position);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Glob::Positions Glob::After(const Positions& positions,
                            const std::string& name) const {
  const bool hidden = name[0] == '.';
  Positions next;
  for (const size_t position : positions) {
    if (position == segments_.size()) continue;
    const Segment& segment = segments_[position];
    if (hidden && !segment.shows_dots) continue;
    if (segment.any_folders) {
      next.push_back(position);
    } else if (!segment.never && segment.test.Matches(name)) {
      next.push_back(position + 1);
    }
  }
  return Reach(next);
}

bool Glob::IsEnd(const Positions& positions) const {
  return std::find(positions.begin(), positions.end(), segments_.size()) !=
         positions.end();
}

bool Glob::Continues(const Positions& positions) const {
  return std::any_of(positions.begin(), positions.end(), [&](size_t position) {
    return position < segments_.size();
  });
}

}  // namespace tfr::duckdb
