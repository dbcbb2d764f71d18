#include "core/index/index_loader.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "core/base/endian.h"
#include "core/crc32c/crc32c.h"
#include "core/crc32c/mask.h"
#include "core/index/index_bytes.h"
#include "core/index/record_index.h"

namespace tfr {

IndexLoader::IndexLoader(RecordIndex* index, uint64_t size)
    : index_(index), keys_(index->keys()), left_(size) {}

void IndexLoader::Take(const uint8_t* data, size_t size) {
  if (size > left_) status_ = IndexStatus::kDamaged;
  while (size > 0 && status_ == IndexStatus::kRight) {
    if (part_ == Part::kEnd) {
      status_ = IndexStatus::kDamaged;
      return;
    }
    const auto some = static_cast<size_t>(std::min<uint64_t>(size, needed_));
    left_ -= some;
    needed_ -= some;
    if (part_ == Part::kPayload) {
      TakePayload(data, some);
    } else {
      std::memcpy(bytes_ + filled_, data, some);
      filled_ += some;
      if (needed_ == 0) TakePart();
    }
    data += some;
    size -= some;
  }
}

void IndexLoader::TakePart() {
  if (part_ == Part::kHeader) return TakeHeader();
  if (part_ == Part::kHead) return TakeHead();
  if (LoadLE32(bytes_) != crc32c::Mask(sum_) || (known() && section().found)) {
    status_ = IndexStatus::kDamaged;
  } else if (known()) {
    section().found = true;
  } else if (first_of_tag_ < 'a' || first_of_tag_ > 'z') {
    // A section whose tag begins with a small letter may be ignored.
    status_ = IndexStatus::kNewer;
  }
  --more_;
  ExpectSection();
}

void IndexLoader::TakeHeader() {
  constexpr size_t kChecked = kHeaderSize - 4;
  if (!HasMagic()) {
    status_ = IndexStatus::kForeign;
  } else if (LoadLE32(bytes_ + kChecked) !=
             IndexChecksum(bytes_, bytes_ + kChecked)) {
    status_ = IndexStatus::kDamaged;
  } else if (LoadLE32(bytes_ + kIndexMagicSize) != kIndexVersion) {
    status_ = IndexStatus::kNewer;
  }
  more_ = LoadLE32(bytes_ + kIndexMagicSize + 4);
  ExpectSection();
}

void IndexLoader::TakeHead() {
  const uint64_t size = LoadLE64(bytes_ + kIndexTagSize);
  sum_ = crc32c::Extend(0, bytes_, filled_);
  first_of_tag_ = bytes_[0];
  const auto* const tag =
      std::find_if(std::begin(kIndexSections), std::end(kIndexSections),
                   [&](const char* each) {
                     return std::memcmp(bytes_, each, kIndexTagSize) == 0;
                   });
  section_ = static_cast<size_t>(tag - std::begin(kIndexSections));
  if (size > left_) {
    status_ = IndexStatus::kDamaged;
    return;
  }
  // As many bytes follow, so no forged size takes more memory than they do.
  if (keeps() && !section().payload.Reserve(static_cast<size_t>(size))) {
    throw std::bad_alloc();
  }
  Expect(size > 0 ? Part::kPayload : Part::kChecksum, size > 0 ? size : 4);
}

void IndexLoader::TakePayload(const uint8_t* data, size_t size) {
  sum_ = crc32c::Extend(sum_, data, size);
  if (keeps()) {
    ByteBuffer& payload = section().payload;
    std::memcpy(payload.data() + payload.size(), data, size);
    payload.Resize(payload.size() + size);
  } else if (section_ == kKeySection && !section().found) {
    keys_.Take(data, size);
  }
  if (needed_ == 0) Expect(Part::kChecksum, 4);
}

void IndexLoader::Expect(Part part, uint64_t size) {
  part_ = part;
  needed_ = size;
  filled_ = 0;
}

void IndexLoader::ExpectSection() {
  if (more_ > 0) return Expect(Part::kHead, kIndexTagSize + 8);
  Expect(Part::kEnd, UINT64_MAX);
}

bool IndexLoader::HasMagic() const {
  return std::memcmp(bytes_, kIndexMagic, kIndexMagicSize) == 0;
}

IndexStatus IndexLoader::Finish(IndexSummary* summary) {
  if (status_ != IndexStatus::kRight) return status_;
  if (part_ == Part::kHeader && (filled_ < kIndexMagicSize || !HasMagic())) {
    return IndexStatus::kForeign;
  }
  if (part_ != Part::kEnd) return IndexStatus::kDamaged;
  return index_->LoadSections(sections_.data(), &keys_, summary)
             ? IndexStatus::kRight
             : IndexStatus::kDamaged;
}

}  // namespace tfr
