#ifndef TFR_CORE_EXAMPLE_JSON_ROW_NAMES_H_
#define TFR_CORE_EXAMPLE_JSON_ROW_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/example/wire/wire.h"

namespace tfr {

/// The map of a record that holds a feature. The context of a SequenceExample
/// counts as the features of an Example.
enum class RowSection : uint8_t { kFeatures = 0, kLists = 1 };

/// The features that rows are read for.
struct RowChoice {
  enum class Mode : uint8_t { kAll = 0, kOnly = 1, kExcept = 2 };
  Mode mode = Mode::kAll;
  std::vector<std::string> names;
  /// True if rows that may be SequenceExamples are refused.
  bool examples_only = false;
};

/// A feature that some rows name.
struct RowName {
  std::string text;
  RowSection section = RowSection::kFeatures;
  /// True if its values are skipped.
  bool skipped = false;
  /// The kinds of its literals so far, as bits.
  uint8_t literals = 0;
  /// True if a whole row has named it.
  bool used = false;
  /// Number of the last row that named it, counted from 1.
  size_t last_row = 0;
};

/// The names in rows, numbered. Rows mostly have the same names in the same
/// order, so each is compared with the one that is due before it is searched.
class RowNames {
 public:
  explicit RowNames(RowChoice choice);

  /// Drops all names.
  void Clear();
  /// Returns the choice, and leaves these names without one.
  RowChoice TakeChoice() { return std::move(choice_); }
  bool examples_only() const { return choice_.examples_only; }
  void BeginRow() { due_ = 0; }

  /// Returns the number of `text`, which is new if it was not known.
  uint32_t Find(RowSection section, Span text);

  size_t size() const { return names_.size(); }
  RowName& operator[](uint32_t index) { return names_[index]; }
  const RowName& operator[](uint32_t index) const { return names_[index]; }
  /// Memory of the choice and of the names, here and in JavaScript.
  size_t held_bytes() const;

 private:
  uint32_t Search(RowSection section, std::string_view text);

  RowChoice choice_;
  /// Keeps the addresses of its elements.
  std::deque<RowName> names_;
  std::map<std::string_view, uint32_t> numbers_[2];
  /// The names of the last row, in order, and the index of the next one.
  std::vector<uint32_t> last_;
  size_t due_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_ROW_NAMES_H_
