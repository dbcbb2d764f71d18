#ifndef TFR_CORE_EXAMPLE_PARSE_PLAN_KEY_TABLE_H_
#define TFR_CORE_EXAMPLE_PARSE_PLAN_KEY_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/example/wire/wire.h"

namespace tfr {

/// A hash table from key to column. It holds only the plan's keys, so no file
/// can degrade it.
class KeyTable {
 public:
  struct Entry {
    std::string key;
    int32_t column;
  };
  static constexpr int32_t kNotFound = -1;

  /// The keys must be distinct.
  explicit KeyTable(const std::vector<Entry>& entries);

  bool empty() const { return entries_.empty(); }
  int32_t Find(Span key) const;

 private:
  std::vector<Entry> entries_;
  /// Open addressing: indices into `entries_`, or kNotFound.
  std::vector<int32_t> slots_;
  uint32_t mask_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_PLAN_KEY_TABLE_H_
