#ifndef TFR_CORE_CONTENT_AHEAD_MEMBERS_AHEAD_H_
#define TFR_CORE_CONTENT_AHEAD_MEMBERS_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/content/ahead/ahead_tasks.h"
#include "core/io/byte_source.h"

namespace tfr {

/// Limits on the members that are inflated ahead.
struct AheadLimits {
  /// Below this size, handing a member to another thread costs more than it
  /// saves.
  size_t least_content = size_t{64} << 10;
  /// Our members have about 1 MiB, but a longer record is a member of its own.
  /// 0 disables inflating ahead, and its memory.
  size_t most_content = size_t{4} << 20;
};

/// Inflates the gzip members that we write (core/compression/gzip_member.h) in
/// parallel: the requested one and several after it, on the shared pool. Sizes
/// from the headers are trusted only where that is cheap, and until they prove
/// false: `Next` returns only members that were verified in full. The caller
/// inflates and checks all others in order.
///
/// Used by one thread at a time. Tasks touch only the bytes that were read for
/// them, so nothing has to wait for tasks that are left over.
class MembersAhead {
 public:
  /// The `Position` and `Remaining` of `source` must be known.
  MembersAhead(ByteSource* source, const AheadLimits& limits);
  ~MembersAhead();

  struct Member {
    const uint8_t* content = nullptr;
    size_t content_size = 0;
    /// Size in the source.
    size_t size = 0;
    /// Number of records that the header claims.
    uint32_t records = 0;
  };

  /// Returns the whole member at source position `position`, which must be the
  /// end of the previous member, if there was one. False: the caller must
  /// inflate it in order, also because the source does not have all of it now.
  /// The member stays valid until `Release`.
  bool Next(uint64_t position, Member* member);
  void Release();

 private:
  struct Task;

  bool Claim();
  void GiveUp();
  bool Read(uint64_t position, Task* task, bool* dry);

  ByteSource* const source_;
  const AheadLimits limits_;
  AheadTasks queue_;
  /// Members that were read; adjacent in the source.
  std::deque<std::shared_ptr<Task>> tasks_;
  std::vector<std::shared_ptr<Task>> spare_;
  /// End of these members in the source.
  uint64_t end_ = 0;
  /// Members that start before this position are inflated in order.
  uint64_t in_order_until_ = 0;
  /// Number of members to read, including the first. Initially 1, so that a
  /// caller who wants only the first records does not pay for more.
  size_t reach_ = 1;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_AHEAD_MEMBERS_AHEAD_H_
