#include "duckdb/write_column.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tfr::duckdb {
namespace {

/// The items of one level. If `present` is set, only some rows have items: row
/// i has those of item `present[i]`, unless `present[i + 1]` is the same.
struct Items {
  Range range;
  const int32_t* present = nullptr;
  size_t rows = 0;
  /// Number of items of each row.
  size_t each = 1;
};

void SetInline(String* to, const uint8_t* from, uint32_t length) {
  std::memset(to, 0, sizeof *to);
  to->length = length;
  char* const bytes = reinterpret_cast<char*>(to) + sizeof to->length;
  if (length > 0) std::memcpy(bytes, from, length);
}

/// `lasting`: the bytes, in memory of the vector.
void SetLong(String* to, const char* lasting, uint32_t length) {
  to->length = length;
  std::memcpy(to->inlined, lasting, sizeof to->inlined);
  to->data = lasting;
}

class ColumnWriter {
 public:
  /// `store`: the bytes of strings, if they may lie in several places.
  ColumnWriter(const Api& api, const Column& column, const ColumnView& view,
               const ByteStore* store)
      : api_(api), column_(column), view_(view), store_(store) {
    if (view.steps != nullptr) positions_[lists_++] = view.steps;
    if (view.splits != nullptr) positions_[lists_++] = view.splits;
  }

  void Write(Vector vector, Items items) { WriteLevel(vector, items, 0, 0); }

 private:
  void WriteLevel(Vector vector, const Items& items, size_t level,
                  size_t list) {
    if (items.present != nullptr) WriteValidity(vector, items);
    if (level == column_.levels.size()) return WriteValues(vector, items);
    const Level& next = column_.levels[level];
    if (next.kind == Level::kArray) {
      Items inner = items;
      inner.range = {items.range.begin * next.size,
                     items.range.end * next.size};
      inner.each *= next.size;
      return WriteLevel(api_.array_vector_get_child(vector), inner, level + 1,
                        list);
    }
    const int32_t* const splits =
        next.kind == Level::kAnyLength ? positions_[list++] : nullptr;
    const auto start = [&](size_t item) {
      return splits == nullptr ? item * next.size
                               : static_cast<size_t>(splits[item]);
    };
    const Range inner = {start(items.range.begin), start(items.range.end)};
    auto* const entries = static_cast<ListEntry*>(api_.vector_get_data(vector));
    size_t row = 0;
    EachRun(items, [&](size_t at, Range run) {
      for (; row < at; ++row) entries[row] = {0, 0};
      for (size_t item = run.begin; item < run.end; ++item) {
        const size_t from = start(item);
        entries[row++] = {from - inner.begin, start(item + 1) - from};
      }
    });
    for (; row < items.rows; ++row) entries[row] = {0, 0};
    if (api_.list_vector_reserve(vector, inner.size()) != kSuccess ||
        api_.list_vector_set_size(vector, inner.size()) != kSuccess) {
      throw std::bad_alloc();
    }
    // The child is asked for after its memory was reserved, which may move it.
    WriteLevel(api_.list_vector_get_child(vector), {inner}, level + 1, list);
  }

  /// Calls `run(row, items)` for the items of successive rows; `row` is the
  /// index, among all items of the rows, of the first.
  template <class Run>
  static void EachRun(const Items& items, Run run) {
    if (items.present == nullptr) return run(0, items.range);
    const int32_t* const present = items.present;
    for (size_t row = 0; row < items.rows;) {
      size_t end = row;
      while (end < items.rows && present[end + 1] > present[end]) ++end;
      if (end > row) {
        const auto first = static_cast<size_t>(present[row]);
        run(row * items.each,
            Range{first * items.each, (first + end - row) * items.each});
      }
      row = end + 1;
    }
  }

  /// If an array is null, its items are null, too.
  void WriteValidity(Vector vector, const Items& items) {
    api_.vector_ensure_validity_writable(vector);
    uint64_t* const bits = api_.vector_get_validity(vector);
    for (size_t row = 0, at = 0; row < items.rows; ++row) {
      const bool there = items.present[row + 1] > items.present[row];
      for (size_t i = 0; i < items.each; ++i, ++at) {
        const uint64_t bit = uint64_t{1} << (at % 64);
        if (there) {
          bits[at / 64] |= bit;
        } else {
          bits[at / 64] &= ~bit;
        }
      }
    }
  }

  void WriteValues(Vector vector, const Items& items) {
    if (items.range.size() == 0 && items.present == nullptr) return;
    switch (column_.type) {
      case kBigint:
        return WriteNumbers<int64_t>(vector, items);
      case kFloat:
        return WriteNumbers<float>(vector, items);
      case kDouble:
        return WriteNumbers<double>(vector, items);
      default:
        return WriteStrings(vector, items);
    }
  }

  template <class T>
  void WriteNumbers(Vector vector, const Items& items) {
    const T* const from = static_cast<const T*>(view_.values);
    auto* const to = static_cast<T*>(api_.vector_get_data(vector));
    EachRun(items, [&](size_t at, Range run) {
      std::memcpy(to + at, from + run.begin, run.size() * sizeof(T));
    });
  }

  void WriteStrings(Vector vector, const Items& items) {
    auto* const to = static_cast<String*>(api_.vector_get_data(vector));
    if (items.present != nullptr) {
      std::memset(to, 0, items.rows * items.each * sizeof(String));
    }
    if (store_ != nullptr && store_->refers()) {
      EachRun(items, [&](size_t at, Range run) {
        store_->Each(view_.offsets, run.begin, run.end,
                     [&](size_t i, Span value) {
                       WriteString(vector, to, at + (i - run.begin), value);
                       return true;
                     });
      });
      return;
    }
    const int32_t* const offsets = view_.offsets;
    const auto* const bytes = static_cast<const uint8_t*>(view_.values);
    const char* const lasting = Lasting(vector, to, items.range);
    const int32_t base = offsets[items.range.begin];
    EachRun(items, [&](size_t at, Range run) {
      for (size_t i = run.begin; i < run.end; ++i, ++at) {
        const auto length = static_cast<uint32_t>(offsets[i + 1] - offsets[i]);
        if (length <= kInlineBytes) {
          SetInline(to + at, bytes + offsets[i], length);
        } else {
          SetLong(to + at, lasting + (offsets[i] - base), length);
        }
      }
    });
  }

  /// Copies the bytes of all values into memory of the vector, as one long
  /// string. Returns null if all values are short.
  const char* Lasting(Vector vector, String* to, Range values) {
    const int32_t* const offsets = view_.offsets;
    bool some = false;
    for (size_t i = values.begin; i < values.end && !some; ++i) {
      some = offsets[i + 1] - offsets[i] > static_cast<int32_t>(kInlineBytes);
    }
    if (!some) return nullptr;
    const String before = *to;
    const auto* const from =
        static_cast<const char*>(view_.values) + offsets[values.begin];
    api_.vector_assign_string_element_len(
        vector, 0, from,
        static_cast<uint64_t>(offsets[values.end] - offsets[values.begin]));
    const char* const lasting = to->data;
    *to = before;
    return lasting;
  }

  void WriteString(Vector vector, String* to, size_t at, Span value) {
    if (value.size <= kInlineBytes) {
      SetInline(to + at, value.data, static_cast<uint32_t>(value.size));
    } else {
      api_.vector_assign_string_element_len(
          vector, at, reinterpret_cast<const char*>(value.data), value.size);
    }
  }

  const Api& api_;
  const Column& column_;
  const ColumnView& view_;
  const ByteStore* const store_;
  /// Positions of the lists of any length, from the outermost.
  const int32_t* positions_[2] = {};
  size_t lists_ = 0;
};

}  // namespace

void WriteColumn(const Api& api, const Column& column, const ColumnView& view,
                 Range rows, Vector vector) {
  if (view.validity != nullptr) {
    api.vector_ensure_validity_writable(vector);
    std::memcpy(api.vector_get_validity(vector), view.validity + rows.begin / 8,
                (rows.size() + 63) / 64 * sizeof(uint64_t));
  }
  ColumnWriter(api, column, view, nullptr).Write(vector, Items{rows});
}

void WriteColumn(const Api& api, const Column& column, const ColumnPlan& plan,
                 const ColumnData& data, Range rows, Vector vector) {
  Items items{rows};
  if (plan.optional) {
    const int32_t* const present = data.present.data() + rows.begin;
    items.range = {static_cast<size_t>(present[0]),
                   static_cast<size_t>(present[rows.size()])};
    if (items.range.size() < rows.size()) {
      items.present = present;
      items.rows = rows.size();
    }
  }
  ColumnView view;
  if (plan.section == Section::kLists) view.steps = data.steps.data();
  if (plan.count == kAnyCount) view.splits = data.splits.data();
  view.offsets = data.offsets.data();
  view.values = column.type == kBigint ? data.ints.data()
                : column.type == kFloat
                    ? static_cast<const void*>(data.floats.data())
                : data.bytes.refers() ? nullptr
                                      : data.bytes.data();
  ColumnWriter(api, column, view, &data.bytes).Write(vector, items);
}

void WriteText(const Api& api, const std::string& text, size_t count,
               Vector vector) {
  if (count == 0) return;
  api.vector_assign_string_element_len(vector, 0, text.data(), text.size());
  auto* const to = static_cast<String*>(api.vector_get_data(vector));
  std::fill(to + 1, to + count, to[0]);
}

}  // namespace tfr::duckdb
