#ifndef TFR_WASM_REPORT_H_
#define TFR_WASM_REPORT_H_

#include <cstdint>
#include <vector>

#include "core/base/fault.h"
#include "core/example/parse/parse_fault.h"

namespace tfr::wasm {

/// Numbers that JavaScript reads after a call. Values of 64 bits are stored as
/// they are; all others as doubles. `kUnknown` becomes -1.
class Report {
 public:
  /// Empties the only report, and returns it.
  static Report& New();

  Report& Add(double number);
  Report& AddPlace(uint64_t place);
  Report& AddBits(uint64_t bits);
  Report& AddAddress(const void* memory);
  /// The address of a literal: JavaScript decodes each one once.
  Report& AddText(const char* literal);
  /// The fields of a Fault, in the order in which `Report.fault` of
  /// lib/native/wasm/report.ts reads them; 0 alone for no fault.
  Report& AddFault(const Fault& fault);
  Report& AddParseFault(const ParseFault& fault, size_t row);

  const double* data() const { return numbers_.data(); }

 private:
  std::vector<double> numbers_;
};

}  // namespace tfr::wasm

#endif  // TFR_WASM_REPORT_H_
