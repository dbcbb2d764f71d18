#ifndef TFR_CORE_INDEX_INDEX_LOADER_H_
#define TFR_CORE_INDEX_INDEX_LOADER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/buffers.h"
#include "core/index/index_bytes.h"
#include "core/index/index_file.h"
#include "core/index/record_keys.h"

namespace tfr {

class RecordIndex;

/// Reads a saved index in pieces of any size, so that memory never has all of
/// it: keys are most of a large one, and are moved on as they come.
///
/// Throws std::bad_alloc.
class IndexLoader {
 public:
  /// `index` must be empty. `size`: bytes of the saved index.
  IndexLoader(RecordIndex* index, uint64_t size);

  void Take(const uint8_t* data, size_t size);
  /// After all pieces. If the result is not kRight, neither the index nor
  /// `*summary` may be used.
  IndexStatus Finish(IndexSummary* summary);

 private:
  static constexpr size_t kHeaderSize = kIndexMagicSize + 12;
  static constexpr size_t kKeySection = 5;

  enum class Part : uint8_t { kHeader, kHead, kPayload, kChecksum, kEnd };

  /// Handles the bytes of a part of a fixed size, which are all there.
  void TakePart();
  void TakeHeader();
  void TakeHead();
  void TakePayload(const uint8_t* data, size_t size);
  void Expect(Part part, uint64_t size);
  /// The next section comes, or the end.
  void ExpectSection();
  bool HasMagic() const;
  bool known() const { return section_ < kIndexSectionCount; }
  /// That of the payload, which is known.
  IndexSection& section() { return sections_[section_]; }
  /// The payload is loaded once it is whole. One that is there twice is not
  /// kept, and found to be so at its end.
  bool keeps() {
    return known() && section_ != kKeySection && !section().found;
  }

  RecordIndex* const index_;
  RecordKeys::Loader keys_;
  std::array<IndexSection, kIndexSectionCount> sections_;
  IndexStatus status_ = IndexStatus::kRight;
  /// Bytes of the index after those that were taken.
  uint64_t left_;
  Part part_ = Part::kHeader;
  /// Bytes of the part that are not there yet.
  uint64_t needed_ = kHeaderSize;
  uint8_t bytes_[kHeaderSize] = {};
  size_t filled_ = 0;
  /// Number of sections that are not there yet.
  uint32_t more_ = 0;
  /// Number of the section of the payload in `kIndexSections`.
  size_t section_ = kIndexSectionCount;
  uint8_t first_of_tag_ = 0;
  uint32_t sum_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_INDEX_LOADER_H_
