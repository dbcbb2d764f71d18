#ifndef TFR_CORE_EXAMPLE_PARSE_SHORT_STEPS_H_
#define TFR_CORE_EXAMPLE_PARSE_SHORT_STEPS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/endian.h"
#include "core/example/parse/column_data.h"
#include "core/example/parse/feature_values.h"
#include "core/example/parse/plan.h"
#include "core/example/wire/varints.h"
#include "core/example/wire/wire.h"

/// Steps of feature lists as writers make them: a Feature with one packed
/// chunk, or one value of bytes, when all lengths take one byte: `0a step kind
/// list 0a content`, and the content. What stands before it is compared as one
/// word.
namespace tfr {

/// The next steps of a list.
class ShortSteps {
 public:
  /// Memory may be read up to `limit`. `tag`: of the kind.
  ShortSteps(uint32_t tag, WireReader* list, const uint8_t* limit)
      : head_(LengthTag(1) | tag << 16 | uint64_t{LengthTag(1)} << 32),
        list_(list),
        position_(list->position()),
        limit_(limit) {}
  ShortSteps(const ShortSteps&) = delete;
  ~ShortSteps() { list_->MoveTo(position_); }

  /// The content of the step that comes next; false for one of another form.
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

  /// Passes over the step with that content.
  void Pass(Span content) { position_ = content.end(); }

 private:
  /// Tags and lengths within the step, and with its own.
  static constexpr size_t kInner = 4;
  static constexpr size_t kHeadSize = kInner + 2;

  const uint64_t head_;
  WireReader* const list_;
  const uint8_t* position_;
  const uint8_t* const limit_;
};

/// Takes steps of one int64 each, and stops at the first that is none, or when
/// memory runs out: how many it took, at most `most`.
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

/// The same of any kind, with as many values a step as `count` says.
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
