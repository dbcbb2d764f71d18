#ifndef TFR_CORE_RECORD_READ_OPTIONS_H_
#define TFR_CORE_RECORD_READ_OPTIONS_H_

#include <cstdint>

#include "core/compression/compression.h"
#include "core/content/ahead/members_ahead.h"
#include "core/content/checkpoint.h"
#include "core/content/content_stream.h"
#include "core/record/index_sink.h"
#include "core/record/read_start.h"

namespace tfr {

/// Checksums to verify. `kUnread`: none, `kLengthUnread`: those of lengths, and
/// the data of large records may stay unread, for callers that only count,
/// measure or locate records. `kCounted`: as `kUnread`, and a fill goes over
/// many records but delivers only the last ones, for callers that only count.
enum class Verify : uint8_t {
  kAll,
  kLength,
  kNone,
  kUnread,
  kLengthUnread,
  kCounted
};

inline bool VerifiesLengths(Verify verify) {
  return verify == Verify::kAll || verify == Verify::kLength ||
         verify == Verify::kLengthUnread;
}
inline bool MayLeaveUnread(Verify verify) {
  return verify == Verify::kUnread || verify == Verify::kLengthUnread ||
         verify == Verify::kCounted;
}

struct ReadOptions {
  Compression compression = Compression::kAuto;
  Verify verify = Verify::kAll;
  uint64_t max_record_bytes = 0x7fffffff;
  AheadLimits ahead;
  ContentRule content = ContentRule::kRecords;
  ReadStart start;
  /// Receives places and checkpoints, up to the first damage after which
  /// reading goes on with another member.
  std::shared_ptr<IndexSink> index;
  /// See `ContentStream::KnowCheckpoints`.
  std::shared_ptr<const CheckpointSource> checkpoints;
  uint64_t least_segment = SegmentsAhead::kLeastContent;
  /// Reading may continue after damage. Then, after a record with wrong data in
  /// a compressed stream, no record is delivered until the members that hold
  /// the faulty one are verified. (Otherwise inflating may have gone wrong, and
  /// a record that looks valid may belong elsewhere.) And after damage in a
  /// file of our gzip members, reading may continue with the next one: see
  /// `SlabStream::Skip`.
  bool continues = false;
  /// With `continues`: reading ends at damage of compressed data all the same.
  bool one_stream = false;
  /// With `continues` and `counts_lost`, in TFRecords: all checksums are
  /// verified, each fault halts, and reading goes on at the next record that is
  /// found (`Salvage`).
  bool salvages = false;
  /// A halt reports the number of lost bytes, for which the rest is read.
  bool counts_lost = false;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_READ_OPTIONS_H_
