#ifndef TFR_CORE_EXAMPLE_PARSE_SHORT_STEPS_H_
#define TFR_CORE_EXAMPLE_PARSE_SHORT_STEPS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/example/parse/column_data.h"
#include "core/example/parse/feature_values.h"
#include "core/example/parse/plan/plan.h"
#include "core/example/wire/varints.h"
#include "core/example/wire/wire.h"

/// Steps of feature lists in the form that writers produce: a Feature with one
/// packed chunk, or one value of bytes, where all lengths take one byte: `0a
/// step kind list 0a content`, then the content. The header is compared as one
/// word.
namespace tfr {

/// Reads the next steps of a list.
class ShortSteps {
 public:
  /// `tag` is that of the kind. May read memory up to `limit`.
  ShortSteps(uint32_t tag, WireReader* list, const uint8_t* limit)
      : head_(LengthTag(1) | tag << 16 | uint64_t{LengthTag(1)} << 32),
        list_(list),
        position_(list->position()),
        limit_(limit) {}
  ShortSteps(const ShortSteps&) = delete;
  ~ShortSteps() { list_->MoveTo(position_); }

  /// Finds the content of the next step. Returns false if it has another form.
  bool Next(Span* content) const {
    constexpr uint64_t kHead = 0xffffffffffff;
    if (!MayRead(position_, sizeof(uint64_t), limit_)) return false;
    const uint64_t word = LoadLE64(position_);
    const uint64_t step = word >> 8 & 0xff;
    const uint64_t wanted =
        head_ + (step << 8) + ((step - 2) << 24) + ((step - kInner) << 40);
    if (((word ^ wanted) & kHead) != 0 || step < kInner || step >= 0x80 ||
        step + 2 > static_cast<size_t>(list_->end() - position_)) {
      return false;
    }
    *content = {position_ + kHeadSize, static_cast<size_t>(step - kInner)};
    return true;
  }

  /// Skips the step with that content.
  void Pass(Span content) { position_ = content.end(); }

 private:
  /// Size of the tags and lengths within the step; `kHeadSize` adds its own.
  static constexpr size_t kInner = 4;
  static constexpr size_t kHeadSize = kInner + 2;

  const uint64_t head_;
  WireReader* const list_;
  const uint8_t* position_;
  const uint8_t* const limit_;
};

/// Takes steps of one int64 each. Returns how many it took, at most `most`: it
/// stops at the first of another form, or when memory runs out.
inline size_t TakeShortInts(WireReader* list, size_t most, const uint8_t* limit,
                            ColumnData* column) {
  constexpr size_t kRun = 64;
  ShortSteps steps(IntValues::kTag, list, limit);
  most = std::min(most, kMaxColumnSize - column->ints.size());
  for (size_t taken = 0;;) {
    int64_t* const room = column->ints.Room(kRun);
    const size_t wanted = room == nullptr ? 0 : std::min(kRun, most - taken);
    size_t count = 0;
    for (; count < wanted; ++count) {
      Span content;
      uint64_t value;
      if (!steps.Next(&content) || content.size == 0 ||
          ReadVarint(content.data, content.end(), limit, &value) !=
              content.end()) {
        break;
      }
      room[count] = static_cast<int64_t>(value);
      steps.Pass(content);
    }
    column->ints.Add(count);
    taken += count;
    if (count < kRun) return taken;
  }
}

/// The same for any kind, with `count` values per step.
template <class Values>
size_t TakeShortSteps(int64_t count, WireReader* list, size_t most,
                      const uint8_t* limit, ColumnData* column) {
  if (Values::kKind == Kind::kInt64 && count == 1) {
    return TakeShortInts(list, most, limit, column);
  }
  ShortSteps steps(Values::kTag, list, limit);
  Values values(column);
  for (size_t taken = 0;; ++taken) {
    Span content;
    const size_t before = values.Size();
    if (taken == most || !steps.Next(&content) ||
        values.Packed(content, limit) != Taken::kValues) {
      return taken;
    }
    const size_t size = values.Size();
    if (count == kAnyCount ? !column->splits.Push(static_cast<int32_t>(size))
                           : size - before != static_cast<size_t>(count)) {
      values.Truncate(before);
      return taken;
    }
    steps.Pass(content);
  }
}

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_SHORT_STEPS_H_
