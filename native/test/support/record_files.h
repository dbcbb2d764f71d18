#ifndef TFR_TEST_SUPPORT_RECORD_FILES_H_
#define TFR_TEST_SUPPORT_RECORD_FILES_H_

#include <string>
#include <utility>
#include <vector>

#include "core/base/endian.h"
#include "core/compression/checksum.h"
#include "core/crc32c/record_format.h"
#include "core/deflate/registry.h"
#include "core/io/fed_source.h"
#include "core/record/framing/tfrecord_framer.h"
#include "core/record/slab_stream.h"

namespace tfr::test {

inline const uint8_t* Data(const std::string& text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

inline std::string Number32(uint32_t value) {
  std::string bytes(4, '\0');
  StoreLE32(reinterpret_cast<uint8_t*>(bytes.data()), value);
  return bytes;
}

/// A header with this length and a valid checksum.
inline std::string Header(uint64_t length) {
  std::string bytes(8, '\0');
  StoreLE64(reinterpret_cast<uint8_t*>(bytes.data()), length);
  return bytes + Number32(crc32c::Mask(crc32c::Value8(Data(bytes))));
}

inline std::string Framed(const std::string& data) {
  return Header(data.size()) + data +
         Number32(crc32c::Mask(crc32c::Extend(0, Data(data), data.size())));
}

inline std::string Framed(const std::vector<std::string>& records) {
  std::string file;
  for (const std::string& record : records) file += Framed(record);
  return file;
}

/// One gzip member with the smallest header.
inline std::string Gzip(const std::string& plain) {
  auto deflater = NewBlockDeflater(6);
  std::string out(deflater->Bound(plain.size()), '\0');
  out.resize(deflater->Deflate(Data(plain), plain.size(),
                               reinterpret_cast<uint8_t*>(out.data()),
                               out.size()));
  return std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10) + out +
         Number32(Crc32(0, Data(plain), plain.size())) +
         Number32(static_cast<uint32_t>(plain.size()));
}

/// Short, empty, and longer than the smallest slabs.
inline const std::vector<std::string> kFive = {"zero", "", "two",
                                               std::string(5000, 'x'), "four"};

/// All results of reading a file.
struct Reading {
  std::vector<std::string> records;
  /// Stream offset of each record's data.
  std::vector<uint64_t> offsets;
  std::vector<Fault> faults;
  /// Number of each record in the stream.
  std::vector<uint64_t> numbers;
  /// The halts after which reading continued.
  std::vector<Fault> skipped;
  FillOutcome outcome = FillOutcome::kMore;
  Fault halt;
  /// Size of the largest slab that was requested.
  uint64_t grown_to = 0;
  /// The file's compressed bytes, as reported by the last fill.
  uint64_t compressed_bytes = 0;
};

/// Reads `source` through slabs of `slab_size`; `skip` continues after
/// records that are too large, and after damage where reading can go on. `more`
/// feeds input, or returns false. `framer`: by default, that of TFRecords.
template <typename More>
Reading ReadSource(std::unique_ptr<ByteSource> source, size_t slab_size,
                   const ReadOptions& options, bool skip, More more,
                   std::unique_ptr<Framer> framer = nullptr) {
  if (!framer) framer = NewTfrecordFramer(options);
  SlabStream stream(std::move(source), std::move(framer), options);
  const CancelToken cancel;
  Reading reading;
  uint64_t next_record = 0;
  uint64_t skipped_record = kUnknown;
  std::vector<uint8_t> slab(slab_size);
  for (;;) {
    SlabFill fill;
    stream.FillSlab(slab.data(), slab.size(), cancel, &fill);
    stream.Complete(slab.data(), cancel, &fill);
    const size_t before = reading.numbers.size();
    for (const Frame& frame : fill.frames) {
      reading.records.emplace_back(
          reinterpret_cast<const char*>(slab.data()) + frame.offset,
          frame.length);
      reading.numbers.push_back(fill.first_record + reading.numbers.size() -
                                before);
      reading.offsets.push_back(fill.base + frame.offset);
    }
    if (!fill.frames.empty() && fill.first_record < next_record) {
      reading.halt.part = "records numbered twice";
      return reading;
    }
    next_record = fill.first_record + fill.frames.size();
    reading.faults.insert(reading.faults.end(), fill.faults.begin(),
                          fill.faults.end());
    reading.outcome = fill.outcome;
    reading.compressed_bytes = fill.compressed_bytes;
    slab.resize(slab_size);
    switch (fill.outcome) {
      case FillOutcome::kMore:
        break;
      case FillOutcome::kInput:
        if (!more()) return reading;
        break;
      case FillOutcome::kGrow:
        reading.grown_to = std::max(reading.grown_to, fill.grow_to);
        slab.resize(fill.grow_to);
        break;
      case FillOutcome::kHalt:
        reading.halt = fill.halt;
        if (skip && fill.halt.resumes) {
          reading.skipped.push_back(fill.halt);
          reading.halt = Fault();
          stream.Skip();
          break;
        }
        if (skip && fill.halt.code == FaultCode::kRecordTooLarge &&
            fill.halt.record != skipped_record) {
          skipped_record = fill.halt.record;
          stream.Skip();
          break;
        }
        return reading;
      case FillOutcome::kEnd:
      case FillOutcome::kCancelled:
        return reading;
    }
  }
}

/// Reads `file`, fed in pieces of `piece` bytes.
inline Reading Read(const std::string& file, size_t piece = 1 << 20,
                    size_t slab_size = 4096, const ReadOptions& options = {},
                    bool skip = false,
                    std::unique_ptr<Framer> framer = nullptr) {
  auto source = std::make_unique<FedSource>();
  FedSource* const fed = source.get();
  size_t fed_to = 0;
  const auto more = [&] {
    const size_t n = std::min(piece, file.size() - fed_to);
    const bool last = fed_to + n == file.size();
    if (!fed->Feed(Data(file) + fed_to, n, last)) return false;
    fed_to += n;
    return true;
  };
  return ReadSource(std::move(source), slab_size, options, skip, more,
                    std::move(framer));
}

}  // namespace tfr::test

#endif  // TFR_TEST_SUPPORT_RECORD_FILES_H_
