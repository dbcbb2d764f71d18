#ifndef TFR_TEST_INDEX_JUMPS_H_
#define TFR_TEST_INDEX_JUMPS_H_

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/compression/checksum.h"
#include "core/index/record_index.h"
#include "core/record/reader_spec.h"
#include "test/support/positioned_source.h"

namespace tfr::test {

/// The results of a scan.
struct ScanState {
  uint64_t records = 0;
  /// Records with wrong data among them.
  uint64_t damaged = 0;
  uint64_t compressed_bytes = 0;
  Compression compression = Compression::kNone;
  /// The reason why the scan ended before the end of the stream, if it did.
  Fault halt;
};

/// An index of bytes, as a reader fills it that steps over damaged data and
/// records that are too long.
class Scanned {
 public:
  /// Reads to the end.
  explicit Scanned(std::string file, const ReaderSpec& spec = {},
                   const IndexLimits& limits = {})
      : file_(std::move(file)),
        spec_(spec),
        index_(std::make_shared<RecordIndex>(limits)) {
    ReaderSpec scan = spec;
    scan.continues = scan.counts_lost = true;
    scan.index = index_;
    index_->Verified(spec.verify);
    const auto reader =
        NewSlabReader(std::make_unique<PositionedSource>(file_), scan, nullptr);
    std::vector<uint8_t> slab(size_t{256} << 10);
    for (bool more = true; more;) {
      SlabFill fill;
      if (!reader->FillNow(slab.data(), slab.size(), &fill)) return;
      more = Note(fill, &slab);
      if (more && fill.outcome == FillOutcome::kHalt) reader->Skip();
    }
  }

  const ScanState& state() const { return state_; }
  const RecordIndex& index() const { return *index_; }
  const std::vector<Fault>& faults() const { return faults_; }

  struct Jumped {
    std::vector<std::string> records;
    std::vector<Fault> faults;
    RecordIndex::Jump jump;
    /// The reason why there are no more, if there are none.
    Fault halt;
    FillOutcome outcome = FillOutcome::kMore;
  };

  /// Reads the records from `first` to before `last` by jumping; too long ones
  /// are empty. `file` and `index` may differ from those of the scan.
  Jumped Read(uint64_t first, uint64_t last, size_t slab_size,
              const std::string& file, const RecordIndex& index) const {
    Jumped jumped;
    if (!index.Find(first, last, &jumped.jump)) return jumped;
    auto source = std::make_unique<PositionedSource>(file);
    ReaderSpec spec = spec_;
    spec.ahead.most_content = 0;
    spec.start = jumped.jump.start();
    source->StepOver(spec.start.position());
    const auto reader = NewSlabReader(std::move(source), spec, nullptr);
    std::vector<uint8_t> slab(slab_size);
    for (;;) {
      SlabFill fill;
      if (!reader->FillNow(slab.data(), slab.size(), &fill)) return jumped;
      uint64_t record = fill.first_record;
      for (const Frame& frame : fill.frames) {
        if (record >= first && record < last) {
          const auto* const data =
              reinterpret_cast<const char*>(slab.data()) + frame.offset;
          jumped.records.emplace_back(data, frame.length);
        }
        ++record;
      }
      jumped.faults.insert(jumped.faults.end(), fill.faults.begin(),
                           fill.faults.end());
      if (record >= last) return jumped;
      if (fill.outcome == FillOutcome::kGrow) {
        slab.resize(static_cast<size_t>(fill.grow_to));
      } else if (fill.outcome == FillOutcome::kHalt &&
                 fill.halt.code == FaultCode::kRecordTooLarge) {
        if (record >= first) jumped.records.emplace_back();
        if (record + 1 >= last) return jumped;
        reader->Skip();
      } else if (fill.outcome != FillOutcome::kMore) {
        jumped.outcome = fill.outcome;
        jumped.halt = fill.halt;
        return jumped;
      }
    }
  }
  Jumped Read(uint64_t first, uint64_t last, size_t slab_size,
              const std::string& file) const {
    return Read(first, last, slab_size, file, index());
  }
  Jumped Read(uint64_t first, uint64_t last, size_t slab_size = 4096) const {
    return Read(first, last, slab_size, file_);
  }
  Jumped Read(uint64_t first, uint64_t last, const RecordIndex& index) const {
    return Read(first, last, 4096, file_, index);
  }

 private:
  /// Returns false after the last slab.
  bool Note(const SlabFill& fill, std::vector<uint8_t>* slab) {
    state_.records = index_->records();
    state_.damaged += fill.faults.size();
    state_.compressed_bytes = fill.compressed_bytes;
    state_.compression = fill.compression;
    faults_.insert(faults_.end(), fill.faults.begin(), fill.faults.end());
    if (fill.outcome == FillOutcome::kGrow) {
      slab->resize(static_cast<size_t>(fill.grow_to));
      return true;
    }
    if (fill.outcome == FillOutcome::kHalt) {
      const bool is_long = fill.halt.code == FaultCode::kRecordTooLarge;
      if (is_long) faults_.push_back(fill.halt);
      if (!is_long) state_.halt = fill.halt;
      return is_long;
    }
    return fill.outcome == FillOutcome::kMore;
  }

  const std::string file_;
  const ReaderSpec spec_;
  const std::shared_ptr<RecordIndex> index_;
  ScanState state_;
  std::vector<Fault> faults_;
};

/// Close together, for short files.
inline IndexLimits CloseLimits() {
  IndexLimits limits;
  limits.place_bytes = 4096;
  limits.place_records = 16;
  limits.checkpoint_bytes = 16 << 10;
  return limits;
}

/// With places only, and with the offsets of all records.
inline std::vector<IndexLimits> AllLimits() {
  std::vector<IndexLimits> limits{CloseLimits(), CloseLimits()};
  limits[1].most_offset_memory = size_t{1} << 20;
  return limits;
}

inline std::string Letters(size_t size, std::mt19937* random) {
  std::string text(size, 'a');
  for (char& c : text) c = static_cast<char>('a' + (*random)() % 20);
  return text;
}

inline std::vector<std::string> Records(size_t count, size_t longest) {
  std::mt19937 random(1);
  std::vector<std::string> records(count);
  for (std::string& record : records) {
    record = Letters(random() % longest, &random);
  }
  return records;
}

inline std::string InMembers(const std::string& content, size_t size,
                             bool ours) {
  std::string file;
  for (size_t at = 0; at < content.size(); at += size) {
    const std::string part = content.substr(at, size);
    file += ours ? OurMember(part, 1, file.size()) : Gzip(part);
  }
  return file;
}

inline std::string Zlib(const std::string& content) {
  const std::string gzip = Gzip(content);
  const uint32_t adler = Adler32(1, Data(content), content.size());
  std::string file = "\x78\x9c" + gzip.substr(10, gzip.size() - 18);
  for (int shift = 24; shift >= 0; shift -= 8) {
    file += static_cast<char>(adler >> shift);
  }
  return file;
}

/// With ISA-L, if it is there, and with zlib alone.
template <typename Run>
void WithEveryCodec(Run run) {
  run();
  ChooseCodecs({false, false});
  run();
  ChooseCodecs({});
}

}  // namespace tfr::test

#endif  // TFR_TEST_INDEX_JUMPS_H_
