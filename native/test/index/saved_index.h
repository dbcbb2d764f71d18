#ifndef TFR_TEST_INDEX_SAVED_INDEX_H_
#define TFR_TEST_INDEX_SAVED_INDEX_H_

#include <cstring>
#include <string>
#include <vector>

#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"
#include "core/index/record_index.h"
#include "test/index/jumps.h"
#include "test/support/check.h"

namespace tfr::test {

inline IndexSummary SummaryOf(const Scanned& scanned, size_t file_size) {
  const ScanState& state = scanned.state();
  IndexSummary summary;
  summary.file = {file_size, 0x12345678, 0x9abcdef0, 1234567890123456789};
  summary.compression = state.compression;
  summary.verified = Verify::kAll;
  summary.cut = static_cast<bool>(state.halt);
  summary.stored = state.compressed_bytes;
  summary.damaged = state.damaged;
  return summary;
}

inline std::string Saved(const Scanned& scanned, size_t file_size) {
  ByteBuffer saved;
  REQUIRE(scanned.index().Save(SummaryOf(scanned, file_size), &saved));
  return std::string(reinterpret_cast<const char*>(saved.data()), saved.size());
}

inline IndexStatus Load(const std::string& saved, RecordIndex* index,
                        IndexSummary* summary) {
  // A copy of the exact size: sanitizers see reads past it.
  const std::vector<char> bytes(saved.begin(), saved.end());
  return index->Load(reinterpret_cast<const uint8_t*>(bytes.data()),
                     bytes.size(), summary);
}

inline IndexStatus StatusOf(const std::string& saved) {
  RecordIndex index;
  IndexSummary summary;
  return Load(saved, &index, &summary);
}

inline void StoreCrc(std::string* bytes, size_t from, size_t to) {
  auto* const data = reinterpret_cast<uint8_t*>(bytes->data());
  StoreLE32(data + to, crc32c::Mask(crc32c::Extend(0, data + from, to - from)));
}

inline constexpr size_t kHead = 20;
inline constexpr size_t kSectionHead = 12;

/// Where each section begins; then the end.
inline std::vector<size_t> SectionsOf(const std::string& saved) {
  std::vector<size_t> starts;
  size_t at = kHead;
  while (at < saved.size()) {
    starts.push_back(at);
    at += kSectionHead + LoadLE64(Data(saved) + at + 4) + 4;
  }
  CHECK_EQ(at, saved.size());
  starts.push_back(at);
  return starts;
}

/// Writes the checksums anew, as somebody would who changes an index on
/// purpose.
inline void StoreCrcs(std::string* saved) {
  StoreCrc(saved, 0, kHead - 4);
  const std::vector<size_t> starts = SectionsOf(*saved);
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    StoreCrc(saved, starts[i], starts[i + 1] - 4);
  }
}

inline std::string Section(const std::string& tag, const std::string& payload) {
  std::string section = tag + std::string(8, '\0') + payload + "....";
  StoreLE64(reinterpret_cast<uint8_t*>(section.data()) + 4, payload.size());
  StoreCrc(&section, 0, section.size() - 4);
  return section;
}

inline void SetCount(std::string* saved, uint32_t sections) {
  StoreLE32(reinterpret_cast<uint8_t*>(saved->data()) + 12, sections);
  StoreCrc(saved, 0, kHead - 4);
}

/// The same content as three kinds of files.
inline std::vector<std::string> Files(const std::vector<std::string>& records) {
  const std::string content = Framed(records);
  return {content, Gzip(content), Zlib(content),
          InMembers(content, 30000, true)};
}

}  // namespace tfr::test

#endif  // TFR_TEST_INDEX_SAVED_INDEX_H_
