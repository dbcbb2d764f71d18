#include "core/example/parse/batch_parser.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/example/parse/column_decoder.h"
#include "core/example/parse/column_slice.h"
#include "core/example/parse/diagnose.h"

namespace tfr {

namespace {

/// Records located before they are decoded: few enough that their spans stay in
/// the second-level cache.
constexpr size_t kMaxGroup = 1024;
constexpr size_t kMaxGroupSpans = 16384;

size_t GroupOf(size_t columns) {
  if (columns == 0) return kMaxGroup;
  return std::clamp<size_t>(kMaxGroupSpans / columns, 16, kMaxGroup);
}

ParseFaultCode FaultCodeOf(Locator::Outcome outcome) {
  switch (outcome) {
    case Locator::Outcome::kFound:
      return ParseFaultCode::kNone;
    case Locator::Outcome::kMalformed:
      return ParseFaultCode::kMalformed;
    case Locator::Outcome::kForeign:
      return ParseFaultCode::kForeign;
    case Locator::Outcome::kNoMemory:
      break;
  }
  return ParseFaultCode::kOutOfMemory;
}

/// Index of the first value of row `row`.
size_t ValuesBefore(const ColumnPlan& plan, const ColumnData& data,
                    size_t row) {
  return SliceColumn(plan, data, {0, row}).values.end;
}

}  // namespace

BatchParser::BatchParser(std::shared_ptr<const Plan> plan, size_t refer_from,
                         size_t keep)
    : plan_(std::move(plan)),
      refer_from_(refer_from),
      keep_(keep),
      locator_(*plan_),
      columns_(plan_->columns.size()),
      max_group_(GroupOf(plan_->columns.size())),
      group_(max_group_) {}

bool BatchParser::Clear() {
  rows_ = 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].Clear(plan_->columns[i], keep_)) return false;
  }
  return true;
}

bool BatchParser::refers_to_slabs() const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [](const auto& column) { return column.bytes.refers(); });
}

size_t BatchParser::HeldBytes() const {
  size_t bytes = 0;
  for (const ColumnData& column : columns_) bytes += column.HeldBytes();
  return bytes;
}

void BatchParser::Truncate(size_t rows) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    TruncateColumn(plan_->columns[i], rows, &columns_[i]);
  }
  rows_ = std::min(rows_, rows);
}

size_t BatchParser::Append(const uint8_t* slab, size_t slab_size,
                           const Frame* frames, size_t count,
                           ParseFault* fault) {
  locator_.Restart();
  if (refer_from_ != kNeverRefer) {
    for (ColumnData& column : columns_) {
      column.bytes.ReferTo({slab, slab_size}, refer_from_);
    }
  }
  const size_t before = rows_;
  try {
    for (size_t done = 0; done < count; done = rows_ - before) {
      const size_t wanted = std::min(group_, count - done);
      if (AppendGroup({slab, slab_size}, frames + done, wanted, fault) <
          wanted) {
        group_ = 1;
        break;
      }
      group_ = std::min(group_ * 2, max_group_);
    }
  } catch (const std::bad_alloc&) {
    Truncate(rows_);
    *fault = {};
    fault->code = ParseFaultCode::kOutOfMemory;
  }
  return rows_ - before;
}

size_t BatchParser::AppendGroup(Span slab, const Frame* frames, size_t count,
                                ParseFault* fault) {
  const size_t located = LocateAll(slab.data, frames, count, fault);
  size_t fit = DecodeAll(count, located, slab.end(), fault);
  if (fit < count) Truncate(rows_ + fit);
  if (plan_->int64_as_number) fit = ConvertAll(fit, fault);
  rows_ += fit;
  if (fit == count || fault->code == ParseFaultCode::kTooLarge ||
      fault->code == ParseFaultCode::kOutOfMemory) {
    return fit;
  }
  const Frame& frame = frames[fit];
  *fault = Diagnose(*plan_, {slab.data + frame.offset, frame.length});
  // Even if the diagnosis finds nothing, the record gives no row.
  if (!*fault) fault->code = ParseFaultCode::kMalformed;
  return fit;
}

size_t BatchParser::LocateAll(const uint8_t* slab, const Frame* frames,
                              size_t count, ParseFault* fault) {
  spans_.Truncate(0);
  Span* const spans = spans_.Room(std::max<size_t>(count * columns_.size(), 1));
  if (spans == nullptr) {
    fault->code = ParseFaultCode::kOutOfMemory;
    return 0;
  }
  for (size_t row = 0; row < count; ++row) {
    const Span record{slab + frames[row].offset, frames[row].length};
    fault->code = FaultCodeOf(locator_.Locate(record, spans + row, count));
    if (*fault) return row;
  }
  return count;
}

/// Returns the number of rows that fit in every column. If that is less than
/// `count`, some columns hold more rows.
size_t BatchParser::DecodeAll(size_t stride, size_t count, const uint8_t* limit,
                              ParseFault* fault) {
  size_t fit = count;
  ColumnFault found;
  for (size_t i = 0; fit > 0 && i < columns_.size(); ++i) {
    const size_t rows = DecodeColumn(plan_->columns[i], plan_->sequence,
                                     spans_.data() + i * stride, fit, limit,
                                     &columns_[i], &found);
    if (rows == fit) continue;
    fit = rows;
    *fault = {};
    fault->code = found.code;
    fault->column = static_cast<uint32_t>(i);
    found = {};
  }
  return fit;
}

/// Like `DecodeAll`, but converts the int64 values of the rows after `rows_`.
size_t BatchParser::ConvertAll(size_t count, ParseFault* fault) {
  size_t fit = count;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const ColumnPlan& plan = plan_->columns[i];
    if (plan.kind != Kind::kInt64) continue;
    size_t at;
    const size_t from = ValuesBefore(plan, columns_[i], rows_);
    if (ConvertToNumbers(&columns_[i], from, &at)) continue;
    size_t row = 0;
    while (ValuesBefore(plan, columns_[i], rows_ + row + 1) <= at) ++row;
    fit = row;
    *fault = {};
    fault->code = ParseFaultCode::kInexact;
    Truncate(rows_ + fit);
  }
  return fit;
}

}  // namespace tfr
