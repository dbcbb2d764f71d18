#ifndef TFR_TEST_EXAMPLE_EXAMPLE_RUNS_H_
#define TFR_TEST_EXAMPLE_EXAMPLE_RUNS_H_

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/example/parse/batch_parser.h"
#include "test/example/plain_parser.h"

/// Runs the fast parser, and compares it with the plain one.
namespace tfr::test {

/// Records in an allocation of exactly their size, so that a sanitizer detects
/// reads past the end.
class Slab {
 public:
  explicit Slab(const std::vector<std::string>& records) {
    size_t size = 0;
    for (const std::string& record : records) size += record.size();
    bytes_ = std::make_unique<uint8_t[]>(size);
    for (const std::string& record : records) {
      frames_.push_back(
          {static_cast<uint32_t>(size_), static_cast<uint32_t>(record.size())});
      if (!record.empty()) {
        std::memcpy(bytes_.get() + size_, record.data(), record.size());
      }
      size_ += record.size();
    }
  }

  const uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  const std::vector<Frame>& frames() const { return frames_; }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0;
  std::vector<Frame> frames_;
};

template <class T, class U>
bool SameArray(const TypedBuffer<T>& fast, const U* plain, size_t size) {
  static_assert(sizeof(T) == sizeof(U));
  return fast.size() == size &&
         (size == 0 || std::memcmp(fast.data(), plain, size * sizeof(T)) == 0);
}

inline std::string TextOf(const ByteStore& bytes) {
  std::string text(bytes.size(), '\0');
  if (!text.empty()) bytes.CopyTo(reinterpret_cast<uint8_t*>(text.data()));
  return text;
}

/// Returns a difference in the parsed rows, or an empty string.
inline std::string Difference(const BatchParser& fast,
                              const PlainParser& plain) {
  if (fast.rows() != plain.rows()) return "rows";
  for (size_t i = 0; i < fast.plan().columns.size(); ++i) {
    const ColumnPlan& plan = fast.plan().columns[i];
    const ColumnData& a = fast.column(i);
    const PlainColumn& b = plain.column(i);
    const std::string name = "column " + std::to_string(i) + ": ";
    if (plan.optional &&
        !SameArray(a.present, b.present.data(), b.present.size())) {
      return name + "present";
    }
    if (plan.section == Section::kLists &&
        !SameArray(a.steps, b.steps.data(), b.steps.size())) {
      return name + "steps";
    }
    if (plan.count == kAnyCount &&
        !SameArray(a.splits, b.splits.data(), b.splits.size())) {
      return name + "splits";
    }
    if (plan.kind == Kind::kBytes &&
        (!SameArray(a.offsets, b.offsets.data(), b.offsets.size()) ||
         TextOf(a.bytes) != std::string(b.bytes.begin(), b.bytes.end()))) {
      return name + "bytes";
    }
    if (!SameArray(a.floats, b.floats.data(), b.floats.size())) {
      return name + "floats";
    }
    if (!SameArray(a.ints, b.ints.data(), b.ints.size())) return name + "ints";
  }
  return "";
}

/// The same for a fault in a record of `size` bytes, except for `byte`, which
/// only has to be within the record.
inline std::string Difference(const ParseFault& fast, const ParseFault& plain,
                              size_t size) {
  if (fast.code != plain.code) return "fault code";
  if (fast.column != plain.column) return "fault column";
  if (fast.step != plain.step) return "fault step";
  if (fast.found != plain.found) return "fault found";
  if (fast.found_kind != plain.found_kind) return "fault kind";
  if (fast.byte == kUnknown) return "";
  if (fast.code != ParseFaultCode::kMalformed) return "fault byte unasked for";
  return fast.byte <= size ? "" : "fault byte beyond the record";
}

/// Parses all records with both parsers, `piece` at a time, skipping faulty
/// ones. Returns the first difference, or nothing. `refer_from`: see
/// BatchParser.
inline std::string Compare(const std::shared_ptr<const Plan>& plan,
                           const std::vector<std::string>& records,
                           size_t piece, size_t refer_from = kNeverRefer) {
  const Slab slab(records);
  BatchParser fast(plan, refer_from);
  PlainParser plain(*plan);
  if (!fast.Clear()) return "out of memory";
  size_t at = 0;
  for (size_t turn = 0; at < records.size(); ++turn) {
    const size_t count = std::min(piece, records.size() - at);
    ParseFault fault;
    const size_t fit = fast.Append(slab.data(), slab.size(),
                                   slab.frames().data() + at, count, &fault);
    const std::string place = "record " + std::to_string(at + fit) + ": ";
    if (fit > count) return place + "too many";
    for (size_t i = 0; i < fit; ++i) {
      if (plain.Append(records[at + i])) {
        return "record " + std::to_string(at + i) + ": accepted";
      }
    }
    at += fit;
    std::string difference;
    if (fit < count) {
      if (!fault) return place + "no fault";
      difference =
          Difference(fault, plain.Append(records[at]), records[at].size());
      ++at;
    } else if (fault) {
      return place + "fault without a record";
    }
    // Comparing all rows in every turn would take quadratic time.
    if (difference.empty() && turn < 16) difference = Difference(fast, plain);
    if (!difference.empty()) return place + difference;
  }
  return Difference(fast, plain);
}

/// The same in one piece, one by one and in pieces between, with and without
/// referring to values.
inline std::string CompareAll(const std::shared_ptr<const Plan>& plan,
                              const std::vector<std::string>& records) {
  struct Way {
    size_t piece;
    size_t refer_from;
  };
  for (const Way way :
       {Way{records.size(), kNeverRefer}, Way{1, 1}, Way{7, 3}}) {
    const std::string difference =
        Compare(plan, records, way.piece, way.refer_from);
    if (!difference.empty()) {
      return difference + " (in pieces of " + std::to_string(way.piece) + ")";
    }
  }
  return "";
}

}  // namespace tfr::test

#endif  // TFR_TEST_EXAMPLE_EXAMPLE_RUNS_H_
