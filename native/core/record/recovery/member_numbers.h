#ifndef TFR_CORE_RECORD_RECOVERY_MEMBER_NUMBERS_H_
#define TFR_CORE_RECORD_RECOVERY_MEMBER_NUMBERS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"
#include "core/content/recovery/member_search.h"
#include "core/record/framing/framer.h"

namespace tfr {

/// The gzip members of ours among the bytes that are being framed: which one
/// begins next, and with which record. After damage, a record begins where a
/// member does, and the header of the damaged member says how many records it
/// had.
class MemberNumbers {
 public:
  /// Notes that bytes of `member` were read. The first of them is at `at` of
  /// the content; the next record to be framed is `next`.
  void Read(const MemberStart& member, uint64_t at, const StreamPlace& next);
  /// Notes that all records before `offset` were framed.
  void Framed(uint64_t offset);

  /// The first member of ours that begins within the unframed bytes; its offset
  /// is `kUnknown` if there is none.
  const MemberStart& next() const { return next_; }
  /// Returns how many of the `size` unframed bytes at `offset` lie before
  /// `next()`: all of them, if it does not begin there.
  size_t Before(uint64_t offset, size_t size) const;

  /// Number of the first record of `next()`; 0 if it is not known.
  uint64_t FirstOfNext() const;
  /// Number of the first record after the member `before`; 0 if it is not
  /// known. `next`: the next record to be framed.
  uint64_t FirstAfter(const MemberStart& before, const StreamPlace& next) const;

  /// Goes on with `member`, which begins with record number `record`.
  void Begin(const MemberStart& member, uint64_t record);

 private:
  /// The member in which the next unframed record lies, and the number of its
  /// first record. `kUnknown` where that is not known.
  MemberStart current_;
  uint64_t first_record_ = kUnknown;
  MemberStart next_;
};

}  // namespace tfr

#endif  // TFR_CORE_RECORD_RECOVERY_MEMBER_NUMBERS_H_
