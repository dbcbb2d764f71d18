#include "core/index/record_gather.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "core/crc32c/crc32c.h"
#include "core/crc32c/record_format.h"
#include "core/io/file_source.h"

namespace tfr {
namespace {

/// Bytes between two records that are read with them: a call of the system
/// costs as much.
constexpr uint64_t kGap = 4096;
/// Memory for what is read at once. A longer record is read into the slab.
constexpr size_t kScratch = size_t{256} << 10;
/// Content that a part of a plain file spans, and its records: enough to be
/// worth a thread.
constexpr uint64_t kPartBytes = uint64_t{4} << 20;
constexpr size_t kPartRecords = 1024;

/// Records whose places are found at once: meanwhile, others wait for the
/// index.
constexpr size_t kFoundAtOnce = size_t{1} << 16;

/// Copies `length` bytes; empty slabs have no memory.
void Copy(uint8_t* to, const uint8_t* from, uint64_t length) {
  if (length > 0) std::memcpy(to, from, static_cast<size_t>(length));
}

}  // namespace

bool RecordGather::Plan(const RecordIndex& index, const uint64_t* records,
                        size_t count, uint64_t max_record_bytes) {
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
    return std::make_pair(records[a], a) < std::make_pair(records[b], b);
  });
  std::vector<uint64_t> numbers;
  wanted_.clear();
  for (size_t i = 0; i < count; ++i) {
    const uint64_t record = records[order_[i]];
    if (wanted_.empty() || wanted_.back().record != record) {
      numbers.push_back(record);
      wanted_.push_back({record, {}, i, i});
    }
    wanted_.back().end = i + 1;
  }
  std::vector<RecordIndex::Extent> extents(numbers.size());
  for (size_t at = 0; at < numbers.size(); at += kFoundAtOnce) {
    const size_t count_now = std::min(numbers.size() - at, kFoundAtOnce);
    if (!index.FindAll(numbers.data() + at, count_now, extents.data() + at)) {
      return false;
    }
  }
  if (count > 0 && frames_.Room(count) == nullptr) throw std::bad_alloc();
  frames_.Truncate(0);
  frames_.Add(count);
  for (size_t i = 0; i < wanted_.size(); ++i) {
    wanted_[i].extent = std::move(extents[i]);
    for (size_t k = wanted_[i].first; k < wanted_[i].end; ++k) {
      const uint64_t length = LengthOf(wanted_[i]);
      if (length > std::min<uint64_t>(max_record_bytes, UINT32_MAX)) {
        return false;
      }
      frames_[order_[k]].length = static_cast<uint32_t>(length);
    }
  }
  uint64_t bytes = 0;
  for (Frame& frame : frames_) {
    frame.offset = static_cast<uint32_t>(bytes);
    bytes += frame.length;
    if (bytes > UINT32_MAX) return false;
  }
  bytes_ = static_cast<size_t>(bytes);
  Split();
  return true;
}

void RecordGather::Split() {
  parts_.clear();
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const RecordIndex::Extent& extent = wanted_[i].extent;
    if (!parts_.empty()) {
      const RecordIndex::Extent& first = wanted_[parts_.back().first].extent;
      const bool near = extent.from != nullptr
                            ? extent.from == first.from
                            : extent.end - first.offset <= kPartBytes &&
                                  i - parts_.back().first < kPartRecords;
      if (near) {
        parts_.back().end = i + 1;
        continue;
      }
    }
    Part part;
    part.first = i;
    part.end = i + 1;
    parts_.push_back(part);
  }
}

void RecordGather::ReadPart(size_t part, const std::string& path,
                            const ReaderSpec& spec, uint8_t* slab) {
  Part* const read = &parts_[part];
  try {
    if (wanted_[read->first].extent.from == nullptr) {
      ReadPlain(read, path, spec.verify, slab);
    } else {
      ReadCompressed(read, path, spec, slab);
    }
  } catch (const std::bad_alloc&) {
    Note(wanted_[read->first], MemoryFault(), read);
  }
}

/// Reads records of plain content.
class RecordGather::PlainPart {
 public:
  PlainPart(const std::string& path, Verify verify)
      : source_(NewFileSource(path)), verify_(verify), scratch_(kScratch) {}
  ~PlainPart() { source_->Close(); }

  /// Opens the file.
  Fault Open() {
    size_t got;
    Fault fault;
    source_->Read(scratch_.data(), 1, &got, &fault);
    return fault;
  }

  /// Reads all bytes from `begin` to before `end`, which fit the memory.
  Fault Read(uint64_t begin, uint64_t end) {
    begin_ = begin;
    return ReadAt(begin, static_cast<size_t>(end - begin), scratch_.data());
  }
  /// Copies the data of a record that was read. Returns its fault.
  Fault Take(const RecordIndex::Extent& extent, uint64_t length,
             uint8_t* to) const {
    const uint8_t* const header = scratch_.data() + (extent.offset - begin_);
    const Fault fault = CheckLength(header, length);
    if (fault) return fault;
    const uint8_t* const data = header + kHeaderSize;
    Copy(to, data, length);
    return CheckData(to, length, data + length);
  }
  /// Reads a record of any length.
  Fault ReadRecord(const RecordIndex::Extent& extent, uint64_t length,
                   uint8_t* to) {
    uint8_t framing[kFramingSize];
    Fault fault = ReadAt(extent.offset, kHeaderSize, framing);
    if (!fault) fault = CheckLength(framing, length);
    const auto size = static_cast<size_t>(length);
    if (!fault) fault = ReadAt(extent.offset + kHeaderSize, size, to);
    if (!fault) {
      fault = ReadAt(extent.end - kFooterSize, kFooterSize, framing);
    }
    return fault ? fault : CheckData(to, length, framing);
  }

 private:
  Fault ReadAt(uint64_t position, size_t size, uint8_t* to) const {
    size_t got;
    Fault fault;
    source_->ReadAt(position, to, size, &got, &fault);
    return fault;
  }
  static Fault CheckLength(const uint8_t* header, uint64_t length) {
    if (!LengthIsRight(header)) {
      return MakeFault(FaultCode::kCorruptLength, "length",
                       crc32c::Mask(crc32c::Value8(header)),
                       LoadLE32(header + kLengthSize));
    }
    if (LoadLE64(header) == length) return {};
    Fault fault = MakeFault(FaultCode::kCorruptLength, "length", length,
                            LoadLE64(header));
    fault.detail = "the index has another length";
    return fault;
  }
  Fault CheckData(const uint8_t* data, uint64_t length,
                  const uint8_t* footer) const {
    if (verify_ != Verify::kAll) return {};
    const uint32_t crc =
        crc32c::Mask(crc32c::Extend(0, data, static_cast<size_t>(length)));
    const uint32_t stored = LoadLE32(footer);
    if (crc == stored) return {};
    return MakeFault(FaultCode::kCorruptData, "data", crc, stored);
  }

  const std::unique_ptr<ByteSource> source_;
  const Verify verify_;
  std::vector<uint8_t> scratch_;
  uint64_t begin_ = 0;
};

void RecordGather::ReadPlain(Part* part, const std::string& path, Verify verify,
                             uint8_t* slab) {
  PlainPart plain(path, verify);
  Fault fault = plain.Open();
  if (fault) return Note(wanted_[part->first], fault, part);
  for (size_t i = part->first; i < part->end;) {
    const RecordIndex::Extent& first = wanted_[i].extent;
    size_t end = i;
    uint64_t reach = first.offset;
    while (end < part->end && wanted_[end].extent.offset - reach <= kGap &&
           wanted_[end].extent.end - first.offset <= kScratch) {
      reach = wanted_[end++].extent.end;
    }
    if (end == i) {
      const Wanted& wanted = wanted_[i++];
      fault = plain.ReadRecord(first, LengthOf(wanted), TargetOf(wanted, slab));
      if (fault) Note(wanted, fault, part);
      Repeat(wanted, slab);
      continue;
    }
    fault = plain.Read(first.offset, reach);
    if (fault) return Note(wanted_[i], fault, part);
    for (; i < end; ++i) {
      const Wanted& wanted = wanted_[i];
      fault =
          plain.Take(wanted.extent, LengthOf(wanted), TargetOf(wanted, slab));
      if (fault) Note(wanted, fault, part);
      Repeat(wanted, slab);
    }
  }
}

void RecordGather::ReadCompressed(Part* part, const std::string& path,
                                  const ReaderSpec& spec, uint8_t* slab) {
  const Wanted& first = wanted_[part->first];
  ReaderSpec own = spec;
  own.continues = false;
  own.ahead.most_content = 0;
  own.index = nullptr;
  own.start = {first.record, first.extent.offset, first.extent.from, true};
  const auto reader =
      NewSlabReader(NewFileSource(path, own.start.position()), own, nullptr);
  ByteBuffer scratch;
  if (!scratch.Reserve(kScratch)) throw std::bad_alloc();
  for (size_t at = part->first; at < part->end;) {
    SlabFill fill;
    if (!reader->FillNow(scratch.data(), scratch.capacity(), &fill)) return;
    size_t fault = 0;
    for (size_t i = 0; i < fill.frames.size() && at < part->end; ++i) {
      const uint64_t record = fill.first_record + i;
      const Wanted& wanted = wanted_[at];
      if (record < wanted.record) continue;
      const Frame& frame = fill.frames[i];
      while (fault < fill.faults.size() && fill.faults[fault].record < record) {
        ++fault;
      }
      const bool damaged =
          fault < fill.faults.size() && fill.faults[fault].record == record;
      if (frame.length != LengthOf(wanted)) {
        Fault wrong = MakeFault(FaultCode::kCorruptLength, "length",
                                LengthOf(wanted), frame.length);
        wrong.detail = "the index has another length";
        return Note(wanted, wrong, part);
      }
      Copy(TargetOf(wanted, slab), scratch.data() + frame.offset, frame.length);
      if (damaged) Note(wanted, fill.faults[fault], part);
      Repeat(wanted, slab);
      ++at;
    }
    if (at == part->end || fill.outcome == FillOutcome::kMore) continue;
    if (fill.outcome == FillOutcome::kGrow) {
      if (!scratch.Reserve(static_cast<size_t>(fill.grow_to))) {
        throw std::bad_alloc();
      }
    } else if (fill.outcome == FillOutcome::kHalt &&
               fill.halt.code == FaultCode::kRecordTooLarge &&
               fill.halt.record != wanted_[at].record) {
      reader->Skip();
    } else {
      Fault halt = fill.halt;
      if (!halt) {
        halt = MakeFault(FaultCode::kTruncated, "data",
                         wanted_[at].extent.end - wanted_[at].extent.offset, 0);
      }
      return Note(wanted_[at], halt, part);
    }
  }
}

Fault RecordGather::fault() const {
  const auto first = std::min_element(
      parts_.begin(), parts_.end(),
      [](const Part& a, const Part& b) { return a.faulty < b.faulty; });
  return first == parts_.end() ? Fault() : first->fault;
}

uint64_t RecordGather::LengthOf(const Wanted& wanted) {
  const uint64_t size = wanted.extent.end - wanted.extent.offset;
  return size < kFramingSize ? 0 : size - kFramingSize;
}

uint8_t* RecordGather::TargetOf(const Wanted& wanted, uint8_t* slab) const {
  return slab + frames_[order_[wanted.first]].offset;
}

void RecordGather::Repeat(const Wanted& wanted, uint8_t* slab) const {
  for (size_t i = wanted.first + 1; i < wanted.end; ++i) {
    Copy(slab + frames_[order_[i]].offset, TargetOf(wanted, slab),
         frames_[order_[i]].length);
  }
}

void RecordGather::Note(const Wanted& wanted, Fault fault, Part* part) const {
  if (order_[wanted.first] >= part->faulty) return;
  if (fault.record == kUnknown) fault.record = wanted.record;
  if (fault.offset == kUnknown) fault.offset = wanted.extent.offset;
  part->faulty = order_[wanted.first];
  part->fault = fault;
}

}  // namespace tfr
