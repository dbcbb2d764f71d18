#ifndef TFR_CORE_EXAMPLE_JSON_JSON_ROWS_H_
#define TFR_CORE_EXAMPLE_JSON_JSON_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/json/json_cursor.h"
#include "core/example/json/literal.h"
#include "core/example/json/row_events.h"
#include "core/example/json/row_names.h"
#include "core/example/wire/wire.h"

namespace tfr {

/// Buffers of rows and of their records that took more are released before the
/// next rows: a few times what the lines of a usual portion need.
constexpr size_t kMostKeptRowBytes = size_t{16} << 20U;

/// A feature of a row, or a step of a feature list.
struct RowEntry {
  enum class Form : uint8_t {
    /// `null`: a feature without a kind.
    kNull,
    kValues,
    /// A feature list. Its steps are the `count` entries after it.
    kSteps,
  };
  uint32_t name = 0;
  /// Index of the first value.
  uint32_t first = 0;
  /// Number of values, or of steps.
  uint32_t count = 0;
  Form form = Form::kNull;
};

/// Plain rows of JSON Lines: the values of each, before it is known which kinds
/// the features have in all rows. Rows that this parser does not take are
/// valid, or not, by the rules of lib/convert/jsonl/parse-line.ts; all others
/// have the values that it would find.
class JsonRows {
 public:
  enum class State : uint8_t { kBlank = 0, kTaken, kRefused };

  struct Row {
    /// Indices of its entries; those of a SequenceExample's lists begin at
    /// `lists`, which is `end` for others.
    uint32_t begin = 0;
    uint32_t lists = 0;
    uint32_t end = 0;
    State state = State::kBlank;
    bool is_sequence = false;
    /// True if `true` or `false` is among its values.
    bool has_booleans = false;
  };

  explicit JsonRows(RowChoice choice = {}) : names_(std::move(choice)) {}

  /// Drops all rows. Keeps the memory, unless giant lines needed it.
  void Clear();
  /// Drops all rows, and releases the memory.
  void Free() { *this = JsonRows(names_.TakeChoice()); }
  /// Adds the row in `line`, which is without its line end.
  void Add(Span line);

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<RowEntry>& entries() const { return entries_; }
  const RowNames& names() const { return names_; }
  /// In the order in which the rows, their features and their values have them.
  /// Rows that were refused have none.
  const std::vector<RowEvent>& events() const { return events_; }
  Literal literal(size_t value) const { return literals_[value]; }
  int64_t integer(size_t value) const {
    return static_cast<int64_t>(values_[value]);
  }
  float real(size_t value) const;
  Span bytes(size_t value) const {
    return {bytes_.data() + (values_[value] >> 32U),
            static_cast<uint32_t>(values_[value])};
  }
  /// Memory that the rows take, and what JavaScript holds for them.
  size_t held_bytes() const;

 private:
  /// Longer lines are refused: JavaScript has no strings for much longer ones.
  static constexpr size_t kMaxLine = size_t{1} << 28U;

  size_t buffer_bytes() const;
  bool AddRow(Span line, Row* row);
  bool AddSequence(JsonCursor* cursor, Row* row);
  bool AddMembers(JsonCursor* cursor, RowSection section);
  bool AddMembersAfter(Span name, JsonCursor* cursor, RowSection section);
  bool AddMember(Span text, JsonCursor* cursor, RowSection section);
  bool AddValues(JsonCursor* cursor, uint32_t name);
  bool AddSteps(JsonCursor* cursor, uint32_t name);
  bool AddValue(JsonCursor* cursor, uint32_t name);
  bool AddText(JsonCursor* cursor, uint32_t name);
  bool AddBase64(JsonCursor* cursor, uint32_t name);
  void Push(uint32_t name, Literal literal, uint64_t value);
  void Undo(const Row& row, size_t values, size_t bytes, size_t events);

  RowNames names_;
  std::vector<Row> rows_;
  std::vector<RowEntry> entries_;
  std::vector<Literal> literals_;
  /// An integer, the bits of a float, or the offset and the size of bytes.
  std::vector<uint64_t> values_;
  std::vector<uint8_t> bytes_;
  std::vector<RowEvent> events_;
  /// True if the current row has true or false as a value.
  bool has_booleans_ = false;
  /// Strings with escapes.
  std::vector<uint8_t> name_spare_;
  std::vector<uint8_t> text_spare_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_JSON_JSON_ROWS_H_
