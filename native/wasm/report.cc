#include "wasm/report.h"

#include <cstring>

namespace tfr::wasm {

Report& Report::New() {
  static auto* const report = new Report;
  report->numbers_.clear();
  return *report;
}

Report& Report::Add(double number) {
  numbers_.push_back(number);
  return *this;
}

Report& Report::AddPlace(uint64_t place) {
  return Add(place == kUnknown ? -1 : static_cast<double>(place));
}

Report& Report::AddBits(uint64_t bits) {
  double number = 0;
  std::memcpy(&number, &bits, sizeof(bits));
  return Add(number);
}

Report& Report::AddAddress(const void* memory) {
  return Add(static_cast<double>(reinterpret_cast<uintptr_t>(memory)));
}

Report& Report::AddText(const char* literal) { return AddAddress(literal); }

Report& Report::AddFault(const Fault& fault) {
  Add(static_cast<double>(fault.code));
  if (!fault) return *this;
  return AddText(fault.part)
      .AddText(fault.detail)
      .AddBits(fault.expected)
      .AddBits(fault.found)
      .AddPlace(fault.record)
      .AddPlace(fault.offset)
      .AddPlace(fault.compressed_offset)
      .AddPlace(fault.trailer_end)
      .AddPlace(fault.lost)
      .Add(fault.resumes)
      .AddPlace(fault.resume_at)
      .AddPlace(fault.region_end)
      .AddPlace(fault.resume_record)
      .AddPlace(fault.inside)
      .AddPlace(fault.doubtful)
      .Add(fault.fitting)
      .Add(fault.system_error);
}

Report& Report::AddParseFault(const ParseFault& fault, size_t row) {
  Add(static_cast<double>(fault.code));
  if (!fault) return *this;
  return Add(static_cast<double>(row))
      .Add(fault.column == kNoColumn ? -1 : fault.column)
      .AddPlace(fault.byte)
      .AddPlace(fault.step)
      .Add(fault.found == kUnknown ? 0 : 1)
      .AddBits(fault.found)
      .Add(static_cast<double>(fault.found_kind));
}

}  // namespace tfr::wasm
