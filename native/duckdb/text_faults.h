#ifndef TFR_DUCKDB_TEXT_FAULTS_H_
#define TFR_DUCKDB_TEXT_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/example/parse/batch_parser.h"

namespace tfr::duckdb {

/// A row with a text that is not UTF-8.
struct TextFault {
  size_t row;
  /// The first of the row's columns with such a text.
  uint32_t column;
  /// Size of the first such text there.
  size_t bytes;
};

/// Returns the rows of `parser` with a text that is not UTF-8, ascending.
/// `texts`: the columns to check, ascending. Throws std::bad_alloc.
std::vector<TextFault> FindTextFaults(const BatchParser& parser,
                                      const std::vector<uint32_t>& texts);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_TEXT_FAULTS_H_
