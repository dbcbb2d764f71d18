#ifndef TFR_CORE_EXAMPLE_PRINT_LINE_NAMES_H_
#define TFR_CORE_EXAMPLE_PRINT_LINE_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/example/wire/wire.h"

namespace tfr {

/// A name of a feature or of a feature list.
struct LineName {
  std::string bytes;
  /// The name in JSON, with a colon.
  std::string json;
  /// Number of the last map that has the name.
  uint64_t map = 0;
};

/// The entry of a map: a name, and the message that is its value.
struct LineEntry {
  const LineName* name;
  Span value;
};

/// Finds the entries of maps that writers produce, and remembers their names:
/// records repeat them, mostly in one order. May throw std::bad_alloc.
class LineNames {
 public:
  /// Maximum number of names: hostile files may have any number.
  static constexpr size_t kMostNames = 65'536;
  /// Maximum size of a name.
  static constexpr size_t kMostNameBytes = 4096;
  /// Maximum memory for the texts of all names.
  static constexpr size_t kMostBytes = size_t{16} << 20;

  /// Maps of the same kind, whose names probably are those of the map before.
  class Section {
   public:
    const std::vector<LineEntry>& entries() const { return entries_; }
    /// Sorts the entries by the bytes of their names.
    void Sort();

   private:
    friend class LineNames;
    std::vector<LineName*> expected_;
    std::vector<LineEntry> entries_;
    /// The order of the names of `ordered_`, as indices.
    std::vector<uint32_t> order_;
    std::vector<const LineName*> ordered_;
    std::vector<LineEntry> sorted_;
  };

  /// Replaces the entries of `section` by those of `map`, in its order. Returns
  /// false if the map has an unusual form: each entry must have one name, then
  /// one value, and each name must be text without control characters below
  /// U+0020 (parts of other messages can look like names with such characters)
  /// and unique. Names beyond the limits above are unusual, too.
  [[nodiscard]] bool Find(Span map, Section* section);

 private:
  LineName* NameOf(Span bytes, Section* section);
  /// Remembers the name `key`. Returns nullptr if it is unusual.
  LineName* Keep(std::string key);

  std::unordered_map<std::string, LineName> names_;
  /// Memory for the texts of `names_`.
  size_t kept_ = 0;
  uint64_t maps_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_LINE_NAMES_H_
