#ifndef TFR_TEST_RECORD_PLAIN_FRAMING_H_
#define TFR_TEST_RECORD_PLAIN_FRAMING_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/record/framing/fixed_framer.h"

/// Simple implementations of the framers: one pass over the whole content, byte
/// by byte.
namespace tfr::test {

struct PlainRecords {
  std::vector<std::string> records;
  std::vector<uint64_t> offsets;
  /// Code of the fault that ends them; kNone if they end cleanly.
  FaultCode code = FaultCode::kNone;
  std::string part;
  uint64_t offset = 0;
};

/// Lines, or, with `csv`, records of fields separated by `delimiter`.
inline PlainRecords PlainLines(const std::string& content, bool csv,
                               char delimiter, uint64_t most) {
  PlainRecords plain;
  size_t start = content.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
  const auto add = [&](size_t end) {
    if (end - start > most) {
      plain.code = FaultCode::kRecordTooLarge;
      plain.part = "line";
      plain.offset = start;
      return false;
    }
    plain.records.push_back(content.substr(start, end - start));
    plain.offsets.push_back(start);
    return true;
  };
  enum { kStart, kPlain, kQuoted, kQuote } inside = kStart;
  for (size_t at = start; at < content.size(); ++at) {
    const char byte = content[at];
    if (csv && inside == kQuoted) {
      if (byte == '"') inside = kQuote;
    } else if (byte == '\n') {
      const bool cr = at > start && content[at - 1] == '\r';
      if (!add(cr ? at - 1 : at)) return plain;
      start = at + 1;
      inside = kStart;
    } else if (byte == delimiter) {
      inside = kStart;
    } else if (byte == '"') {
      if (inside != kPlain) inside = kQuoted;
    } else if (byte != '\r' || inside != kStart) {
      inside = kPlain;
    }
  }
  if (start < content.size()) add(content.size());
  return plain;
}

inline PlainRecords PlainFixed(const std::string& content,
                               const FixedLayout& layout) {
  PlainRecords plain;
  const uint64_t size = content.size();
  const uint64_t ends = layout.header_bytes + layout.footer_bytes;
  if (size < ends) {
    plain.code = FaultCode::kTruncated;
    plain.part = layout.footer_bytes == 0   ? "header"
                 : layout.header_bytes == 0 ? "footer"
                                            : "header and footer";
    return plain;
  }
  const uint64_t end = size - std::min(size, layout.footer_bytes);
  uint64_t at = layout.header_bytes;
  uint64_t covered = at;
  for (; at + layout.record_bytes <= end; at += layout.hop_bytes) {
    plain.records.push_back(content.substr(at, layout.record_bytes));
    plain.offsets.push_back(at);
    covered = at + layout.record_bytes;
  }
  if (at < end && covered < end) {
    plain.code = FaultCode::kTruncated;
    plain.part = "record";
    plain.offset = at;
  }
  return plain;
}

}  // namespace tfr::test

#endif  // TFR_TEST_RECORD_PLAIN_FRAMING_H_
