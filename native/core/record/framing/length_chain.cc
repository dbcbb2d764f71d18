#include "core/record/framing/length_chain.h"

namespace tfr {

bool CountFittingRecords(uint64_t max_record_bytes, const ReadContent& read,
                         bool ended, ContentStream* content, Window* window,
                         uint32_t* fitting) {
  LengthChain chain(max_record_bytes);
  uint64_t end = kUnknown;
  for (bool follows = true; follows;) {
    const uint64_t need = chain.next() + kHeaderSize;
    uint8_t far[kHeaderSize];
    size_t got = 0;
    if (need <= window->end) {
      follows = chain.Follow(window->slab + chain.next());
    } else if (ended) {
      end = window->end;
      break;
    } else if (need <= window->size) {
      const ReadState state =
          read(window->end, window->slab + window->end,
               static_cast<size_t>(need - window->end), &got);
      window->end += got;
      if (state == ReadState::kDry) return false;
      ended = state != ReadState::kBytes;
    } else if (!content->compressed() && content->Position() != kUnknown) {
      end = content->total_bytes();
      Fault ignored;
      const ReadState state =
          content->ReadAt(chain.next(), far, kHeaderSize, &got, &ignored);
      if (state == ReadState::kDry) {
        content->Want(chain.next(), kHeaderSize);
        return false;
      }
      if (state != ReadState::kBytes) break;
      follows = chain.Follow(far);
    } else {
      break;
    }
  }
  *fitting = chain.Fitting(end);
  return true;
}

}  // namespace tfr
