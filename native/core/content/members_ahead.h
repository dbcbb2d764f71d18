#ifndef TFR_CORE_CONTENT_MEMBERS_AHEAD_H_
#define TFR_CORE_CONTENT_MEMBERS_AHEAD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/io/byte_source.h"

namespace tfr {

/// What one member may hold to be inflated ahead.
struct AheadLimits {
  /// Handing less to another thread costs more than it saves.
  size_t least_content = size_t{64} << 10;
  /// Our members have about 1 MiB, but a longer record has a member of its own.
  /// 0: no member is inflated ahead, and no memory is held for it.
  size_t most_content = size_t{4} << 20;
};

/// Inflates the gzip members that we write (codec/gzip_member.h) side by side:
/// the one that is asked for, and some behind it on the shared pool. What their
/// headers say is believed only as far as it costs little and until it is found
/// false: a member is handed out when it is right in every part. Every other
/// one is left to its caller, who inflates and judges it in order.
///
/// One thread at a time. The tasks touch nothing but the bytes that were read
/// for them, so nobody has to wait for those that are left over.
class MembersAhead {
 public:
  /// `source` is one whose `Position` and `Remaining` are known.
  MembersAhead(ByteSource* source, const AheadLimits& limits);
  ~MembersAhead();

  struct Member {
    const uint8_t* content = nullptr;
    size_t content_size = 0;
    /// In the source.
    size_t size = 0;
  };

  /// The whole member that starts at `position` of the source, behind the one
  /// before if there was one; false when it is to be inflated in order. It
  /// stays until `Release`.
  bool Next(uint64_t position, Member* member);
  void Release();

 private:
  struct Task;
  struct Queue;

  bool Claim();
  void GiveUp();
  bool Read(uint64_t position, Task* task);
  bool Finish(Task* task);

  ByteSource* const source_;
  const AheadLimits limits_;
  const std::shared_ptr<Queue> queue_;
  /// Members that were read, side by side in the source.
  std::deque<std::shared_ptr<Task>> tasks_;
  std::vector<std::shared_ptr<Task>> spare_;
  /// The source's first byte behind them.
  uint64_t end_ = 0;
  /// Members that start before this place are inflated in order.
  uint64_t in_order_until_ = 0;
  /// Members to be read, the first included: that one only at first, so that
  /// who wants the first records does not pay for others.
  size_t reach_ = 1;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_MEMBERS_AHEAD_H_
