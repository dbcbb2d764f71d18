#include "core/example/parse/feature_walk.h"

namespace tfr {

namespace {

bool JudgePacked(Kind kind, Span packed, const uint8_t** broken) {
  if (kind == Kind::kFloat) return packed.size % sizeof(float) == 0;
  if (kind == Kind::kBytes) return true;
  WireReader reader(packed);
  uint64_t value;
  while (!reader.done()) {
    if (!reader.Varint(&value)) {
      *broken = reader.position();
      return false;
    }
  }
  return true;
}

}  // namespace

bool JudgeList(Kind kind, Span list, size_t depth, const uint8_t** broken) {
  WireReader reader(list, depth);
  while (!reader.done()) {
    uint32_t tag;
    Span packed;
    *broken = reader.position();
    if (!reader.Tag(&tag)) return false;
    const bool good =
        tag == LengthTag(1)
            ? reader.Bytes(&packed) && JudgePacked(kind, packed, broken)
            : reader.Skip(tag);
    if (!good) return false;
  }
  return true;
}

}  // namespace tfr
