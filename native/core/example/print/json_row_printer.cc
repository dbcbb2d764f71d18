#include "core/example/print/json_row_printer.h"

#include <cstring>

#include "core/base/text.h"
#include "core/example/print/float_text.h"
#include "core/example/print/print_limits.h"

namespace tfr {

bool JsonRowPrinter::Shows(size_t count, size_t most) {
  return !whole_ || count <= most || Refuse();
}

bool JsonRowPrinter::PutRow(size_t row) {
  std::string_view separator = "{";
  for (const RowMember& member : members_) {
    if (!Put(separator) || !Put(member.json) || !PutMember(member, row)) {
      return false;
    }
    separator = ",";
  }
  return Put(members_.empty() ? "{}" : "}");
}

bool JsonRowPrinter::PutMember(const RowMember& member, size_t row) {
  const ColumnPlan& plan = parser().plan().columns[member.column];
  const ColumnData& data = parser().column(member.column);
  size_t item;
  if (!ItemOf(plan, data, row, &item)) return Put("null");
  if (plan.count == kAnyCount) {
    return PutList(member, static_cast<size_t>(data.splits[item]),
                   static_cast<size_t>(data.splits[item + 1]));
  }
  size_t at = item * static_cast<size_t>(plan.count);
  return PutNested(member, 0, &at);
}

/// Appends the values from `*at` on in the shape after its first `depth`
/// dimensions.
bool JsonRowPrinter::PutNested(const RowMember& member, size_t depth,
                               size_t* at) {
  if (depth == member.shape.size()) return PutValue(member, (*at)++);
  const size_t count = member.shape[depth];
  if (depth + 1 == member.shape.size()) {
    const size_t begin = *at;
    *at += count;
    return PutList(member, begin, *at);
  }
  if (!Shows(count, kMostSteps) || !Put("[")) return false;
  for (size_t i = 0; i < count; ++i) {
    if ((i > 0 && !Put(",")) || !PutNested(member, depth + 1, at)) return false;
  }
  return Put("]");
}

bool JsonRowPrinter::PutList(const RowMember& member, size_t begin,
                             size_t end) {
  if (!Shows(end - begin, kMostValues) || !Put("[")) return false;
  for (size_t at = begin; at < end; ++at) {
    if ((at > begin && !Put(",")) || !PutValue(member, at)) return false;
  }
  return Put("]");
}

bool JsonRowPrinter::PutValue(const RowMember& member, size_t at) {
  const ColumnData& data = parser().column(member.column);
  switch (parser().plan().columns[member.column].kind) {
    case Kind::kInt64:
      if (!Need(kLongestInteger)) return false;
      room()->at = PutInteger(room()->at, data.ints[at]);
      return true;
    case Kind::kFloat: {
      if (!Need(kLongestFloatText)) return false;
      uint32_t bits;
      std::memcpy(&bits, &data.floats[at], sizeof(bits));
      room()->at = PutFloat32(room()->at, bits);
      return true;
    }
    default:
      return PutBytes(member, BytesAt(data, at));
  }
}

bool JsonRowPrinter::PutBytes(const RowMember& member, Span value) {
  if (!Shows(value.size, kMostTextBytes)) return false;
  switch (PutText(value, TextRule::kValue, room())) {
    case TextOutcome::kPut:
      return true;
    case TextOutcome::kFull:
      return Full();
    case TextOutcome::kNotText:
      break;
  }
  if (member.text && TextKindOf(value.data, value.size) == TextKind::kBinary) {
    return Refuse();
  }
  if (!Shows(value.size, kMostBinaryBytes) || !Put("{\"base64\":")) {
    return false;
  }
  return PutBase64(value, room()) ? Put("}") : Full();
}

}  // namespace tfr
