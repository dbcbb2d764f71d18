#ifndef TFR_DUCKDB_EXTENSION_QUERY_ERROR_H_
#define TFR_DUCKDB_EXTENSION_QUERY_ERROR_H_

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace tfr::duckdb {

/// An error that makes a query fail: one line that begins with a code of
/// docs/errors.md.
class QueryError : public std::exception {
 public:
  QueryError(const std::string& code, const std::string& text)
      : text_(code + ": " + text) {}
  explicit QueryError(std::string line) : text_(std::move(line)) {}

  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// `name` as JSON writes it, in one line.
std::string Quoted(const std::string& name);

/// "1 value", "2 values".
std::string Counted(uint64_t count, const char* noun);

}  // namespace tfr::duckdb

#endif  // TFR_DUCKDB_EXTENSION_QUERY_ERROR_H_
