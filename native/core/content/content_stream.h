#ifndef TFR_CORE_CONTENT_CONTENT_STREAM_H_
#define TFR_CORE_CONTENT_CONTENT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/buffers.h"
#include "core/base/cancel.h"
#include "core/compression/container_inflater.h"
#include "core/content/members_ahead.h"
#include "core/io/byte_source.h"

namespace tfr {

/// The uncompressed bytes of a file. Recognises compression by content: a right
/// length checksum in the first 12 bytes is a plain TFRecord (one whose first
/// record has 559,903 bytes starts like gzip, so this comes first); else gzip,
/// else zlib by their magic; else plain, for the frame parser to judge.
///
/// The gzip members of our own files are inflated side by side where the source
/// can be read at any position. That changes nothing but the time it takes.
class ContentStream {
 public:
  ContentStream(std::unique_ptr<ByteSource> source, Compression option,
                const AheadLimits& limits = {});
  ~ContentStream();

  /// As `ByteSource::Read`, of uncompressed bytes, but kBytes may come with
  /// none where much compressed data held none. A fault comes after all good
  /// bytes before it, and stays. Faults: those of the source and of
  /// `ContainerInflater`, and kCompression when the content is not what
  /// `option` says, with `detail` naming what it is.
  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault* fault);

  /// Uncompressed bytes in compressed members that were found right to their
  /// ends; for a plain file, all of them.
  uint64_t Proven() const;

  enum class Proof : uint8_t { kRight, kWrong, kDry, kCancelled };

  /// Reads ahead until the compressed members that hold the first `until` bytes
  /// are known to be right to their ends. The bytes inflated meanwhile are held
  /// for `Read`. kWrong: the members are wrong, or hold more than `kMostHeld`
  /// bytes after those already read; `*fault` says which.
  Proof Prove(uint64_t until, const CancelToken& cancel, Fault* fault);
  static constexpr size_t kMostHeld = size_t{64} << 20;

  /// Passes over the rest, a step at a time, and adds to `*passed` the
  /// uncompressed bytes, or, after a fault of the compression, the stored
  /// bytes. kBytes: there may be more. `scratch` may be overwritten.
  ReadState PassRest(uint8_t* scratch, size_t size, uint64_t* passed);

  /// As `ByteSource`, where the content is plain; else false, 0, `kUnknown`.
  bool StepBack(uint64_t count);
  uint64_t StepOver(uint64_t count);
  uint64_t Remaining();

  /// As `ByteSource`. The position is that of the source: behind a
  /// `StepBack(0)` also that of the next `Read`.
  uint64_t Position() const { return source_->Position(); }
  Fault ReadAt(uint64_t position, uint8_t* dst, size_t size,
               size_t* got) const {
    return source_->ReadAt(position, dst, size, got);
  }

  bool compressed() const { return inflater_ != nullptr; }
  /// As found; kNone before the first `Read`.
  Compression compression() const { return compression_; }
  /// Raw bytes used so far.
  uint64_t consumed() const;
  uint64_t total_bytes() const { return source_->TotalBytes(); }
  void Close();

 private:
  ReadState ReadHead(size_t size, Fault* fault);
  ReadState Recognise(Fault* fault);
  ReadState Choose(Compression kind, Fault* fault);
  ReadState Mismatch(const char* found, Fault* fault);
  ReadState ReadPlain(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  ReadState ReadNext(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  size_t TakeHeld(uint8_t* dst, size_t size);
  ReadState PassRaw(uint8_t* scratch, size_t size, uint64_t* passed);
  ReadState ReadInflated(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  bool ReadMember(uint8_t* dst, size_t size, size_t* got);

  const std::unique_ptr<ByteSource> source_;
  const Compression option_;
  const AheadLimits limits_;
  bool recognised_ = false;
  bool source_ended_ = false;
  /// Raw bytes read and not yet used: the head at first, then what waits to be
  /// inflated.
  ByteBuffer raw_;
  size_t raw_used_ = 0;
  uint64_t plain_used_ = 0;
  Compression compression_ = Compression::kNone;
  std::unique_ptr<ContainerInflater> inflater_;
  /// Where members may be inflated beside each other: a gzip file that can be
  /// read at any position.
  std::unique_ptr<MembersAhead> ahead_;
  /// The member of it that is being used, if it has content, and how much was.
  MembersAhead::Member member_;
  size_t member_used_ = 0;
  /// Bytes that `Prove` inflated, and how many of them were read.
  ByteBuffer held_;
  size_t held_used_ = 0;
  /// True if `PassRest` counts stored bytes, and the number it has passed.
  bool passing_raw_ = false;
  uint64_t passed_raw_ = 0;
  Fault fault_;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_CONTENT_STREAM_H_
