#ifndef TFR_CORE_EXAMPLE_PARSE_BATCH_PARSER_H_
#define TFR_CORE_EXAMPLE_PARSE_BATCH_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/example/parse/column_data.h"
#include "core/example/parse/locator.h"
#include "core/example/parse/parse_fault.h"
#include "core/example/parse/plan/plan.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Parses records into columns, by protobuf's rules and those of `Plan`. Two
/// passes: it locates all features of a group of records, then decodes them
/// column by column. It keeps its memory for the next batch, up to `keep` bytes
/// per array.
///
/// Used by one thread at a time. Fuzzed against
/// native/test/example/plain_parser.h.
class BatchParser {
 public:
  /// Bytes values of at least `refer_from` bytes are not copied: their slabs
  /// must outlive the columns.
  explicit BatchParser(std::shared_ptr<const Plan> plan,
                       size_t refer_from = kNeverRefer,
                       size_t keep = size_t{4} << 20);

  /// Empties the columns; call it before the first records. Returns false when
  /// memory runs out.
  [[nodiscard]] bool Clear();

  /// Appends the records at `frames` in the `slab_size` bytes of `slab`, up to
  /// the first that does not fit; `*fault` then describes it. Returns the
  /// number of records appended.
  size_t Append(const uint8_t* slab, size_t slab_size, const Frame* frames,
                size_t count, ParseFault* fault);

  size_t rows() const { return rows_; }
  /// True if columns refer to slabs, which then must stay unchanged.
  bool refers_to_slabs() const;
  const Plan& plan() const { return *plan_; }
  const ColumnData& column(size_t index) const { return columns_[index]; }
  /// Size of the columns' memory, used or not.
  size_t HeldBytes() const;

  /// Drops all but the first `rows` rows.
  void Truncate(size_t rows);

 private:
  size_t AppendGroup(Span slab, const Frame* frames, size_t count,
                     ParseFault* fault);
  size_t LocateAll(const uint8_t* slab, const Frame* frames, size_t count,
                   ParseFault* fault);
  size_t DecodeAll(size_t stride, size_t count, const uint8_t* limit,
                   ParseFault* fault);
  size_t ConvertAll(size_t count, ParseFault* fault);

  const std::shared_ptr<const Plan> plan_;
  const size_t refer_from_;
  const size_t keep_;
  Locator locator_;
  std::vector<ColumnData> columns_;
  size_t rows_ = 0;
  TypedBuffer<Span> spans_;
  const size_t max_group_;
  /// Records in the next group. Small after a fault, so that a caller that
  /// skips faulty records does not locate the same records again and again.
  size_t group_;
};

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PARSE_BATCH_PARSER_H_
