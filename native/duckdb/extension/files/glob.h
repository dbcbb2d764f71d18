#ifndef TFR_DUCKDB_EXTENSION_FILES_GLOB_H_
#define TFR_DUCKDB_EXTENSION_FILES_GLOB_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tfr::duckdb {

/// True if `path` has a wildcard.
bool IsPattern(const std::string& path);

/// One segment of a pattern: `*`, `?`, `[ab]`, `[a-z]`, `[!ab]`,
/// `[[:digit:]]`, and a backslash before a literal character. Characters are
/// those of UTF-8. A bracket that is not closed is literal. Matching takes at
/// most (size of the name) × (size of the segment) steps.
class GlobSegment {
 public:
  explicit GlobSegment(const std::string& text);

  bool Matches(const std::string& name) const;

 private:
  struct Range {
    uint32_t first;
    uint32_t last;
  };
  struct Test {
    enum Kind : uint8_t { kStar, kAny, kOneOf } kind = kAny;
    bool negated = false;
    std::vector<Range> ranges;

    bool Accepts(uint32_t character) const;
  };

  static bool ParseBracket(const std::vector<uint32_t>& characters, size_t* at,
                           Test* test);
  static void AddClass(const std::string& name, Test* test);

  std::vector<Test> tests_;
};

/// A pattern, split at its slashes: as `parseGlob` of lib/io/files/glob.ts. The
/// progress of a match is a set of positions, because `**` stands for any
/// number of folders.
class Glob {
 public:
  using Positions = std::vector<size_t>;

  /// `path` has a wildcard.
  explicit Glob(const std::string& path);

  /// The folders before the first wildcard, with the last slash.
  const std::string& prefix() const { return prefix_; }
  Positions start() const { return Reach({0}); }
  /// Returns the positions after an entry called `name`; empty if nothing at or
  /// below it can match. Only a segment that begins with a dot matches a name
  /// that does.
  Positions After(const Positions& positions, const std::string& name) const;
  /// True if a file whose path has led to `positions` matches.
  bool IsEnd(const Positions& positions) const;
  /// True if something in a folder whose path has led to `positions` may match.
  bool Continues(const Positions& positions) const;

 private:
  struct Segment {
    bool any_folders;
    bool shows_dots;
    /// Accepts no name.
    bool never;
    GlobSegment test;
  };

  Positions Reach(const Positions& positions) const;

  std::string prefix_;
  std::vector<Segment> segments_;
};

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_FILES_GLOB_H_
