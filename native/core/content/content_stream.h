#ifndef TFR_CORE_CONTENT_CONTENT_STREAM_H_
#define TFR_CORE_CONTENT_CONTENT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/buffers.h"
#include "core/base/cancel.h"
#include "core/compression/container_inflater.h"
#include "core/content/checkpoint.h"
#include "core/content/members_ahead.h"
#include "core/io/byte_source.h"

namespace tfr {

/// How to detect compression from the content.
enum class ContentRule : uint8_t {
  /// For TFRecords. A valid length checksum in the first 12 bytes means plain
  /// (checked first: a plain file whose first record has 559,903 bytes starts
  /// like gzip). Otherwise the magic numbers of gzip and zlib decide. All other
  /// content is plain, and the framer judges it. Compressed content is never
  /// read as plain.
  kRecords,
  /// For text and raw data. The magic number of gzip decides. Some text starts
  /// like zlib ("x^" does), so content is zlib only if it also inflates.
  /// Otherwise two bytes suffice to detect plain content. With the option
  /// kNone, content of any kind is plain.
  kBytes,
};

/// The uncompressed bytes of a file.
///
/// If the source is seekable, the gzip members of our own files are inflated in
/// parallel. This affects only speed.
class ContentStream {
 public:
  ContentStream(std::unique_ptr<ByteSource> source, Compression option,
                const AheadLimits& limits = {},
                ContentRule rule = ContentRule::kRecords);
  ~ContentStream();

  /// Before the first `Read`: makes it begin at `offset` of the content, at or
  /// after `from`. The source must begin where `from` is.
  void StartAt(std::shared_ptr<const Checkpoint> from, uint64_t offset);
  /// Before the first `Read`: `sink` receives checkpoints of compressed
  /// content, of all that is read.
  void NoteCheckpoints(CheckpointSink* sink) { checkpoints_ = sink; }

  /// Like `ByteSource::Read`, for uncompressed bytes. kBytes may come with no
  /// bytes, where much compressed data inflates to nothing. A fault comes after
  /// all valid bytes before it, and is sticky. Faults: those of the source and
  /// of `ContainerInflater`, and kCompression if the content contradicts
  /// `option`; `detail` names the content.
  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault* fault);

  /// Uncompressed bytes of compressed members that were verified to their ends;
  /// `kUnknown` (no limit) for a plain file.
  uint64_t Proven() const;

  enum class Proof : uint8_t { kRight, kWrong, kDry, kCancelled };

  /// Reads ahead until the compressed members that hold the first `until` bytes
  /// are verified to their ends. `Read` returns the bytes inflated meanwhile.
  /// kWrong: the members are faulty, or inflate to more than `kMostHeld` bytes
  /// after those already read; `*fault` says which.
  Proof Prove(uint64_t until, const CancelToken& cancel, Fault* fault);
  static constexpr size_t kMostHeld = size_t{64} << 20;

  /// Skips the rest, one step per call, and adds to `*passed` the uncompressed
  /// bytes, or, after a compression fault, the compressed bytes. kBytes: there
  /// may be more. May overwrite `scratch`.
  ReadState PassRest(uint8_t* scratch, size_t size, uint64_t* passed);

  /// Like `ByteSource` if the content is plain; else false, 0 and `kUnknown`.
  bool StepBack(uint64_t count);
  uint64_t StepOver(uint64_t count);
  uint64_t Remaining();

  /// Like `ByteSource`. This is the source's position; after a `StepBack(0)`,
  /// also that of the next `Read`.
  uint64_t Position() const { return source_->Position(); }
  Fault ReadAt(uint64_t position, uint8_t* dst, size_t size,
               size_t* got) const {
    return source_->ReadAt(position, dst, size, got);
  }

  bool compressed() const { return inflater_ != nullptr; }
  /// The detected compression; kNone before the first `Read`.
  Compression compression() const { return compression_; }
  /// Raw bytes consumed.
  uint64_t consumed() const;
  uint64_t total_bytes() const { return source_->TotalBytes(); }
  void Close();

 private:
  ReadState ReadHead(size_t size, Fault* fault);
  ReadState Recognise(Fault* fault);
  ReadState RecogniseBytes(Fault* fault);
  ReadState Choose(Compression kind, Fault* fault);
  ReadState Resume(Fault* fault);
  ReadState ReadOn(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  void NoteCheckpoint();
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
  const ContentRule rule_;
  bool recognised_ = false;
  bool source_ended_ = false;
  /// Raw bytes that were read but not used: first the head, then input of the
  /// inflater.
  ByteBuffer raw_;
  size_t raw_used_ = 0;
  uint64_t plain_used_ = 0;
  /// Set until reading begins there; and the content to skip then.
  std::shared_ptr<const Checkpoint> from_;
  uint64_t skip_ = 0;
  CheckpointSink* checkpoints_ = nullptr;
  CheckpointMaker checkpoint_maker_;
  Compression compression_ = Compression::kNone;
  std::unique_ptr<ContainerInflater> inflater_;
  /// Set for a seekable gzip file, whose members may be inflated in parallel.
  std::unique_ptr<MembersAhead> ahead_;
  /// The current member from `ahead_`, if its content is not empty, and the
  /// number of bytes read from it.
  MembersAhead::Member member_;
  size_t member_used_ = 0;
  /// Bytes that `Prove` inflated, and how many of them were read.
  ByteBuffer held_;
  size_t held_used_ = 0;
  /// True if `PassRest` counts raw bytes, and the number skipped so far.
  bool passing_raw_ = false;
  uint64_t passed_raw_ = 0;
  Fault fault_;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_CONTENT_STREAM_H_
