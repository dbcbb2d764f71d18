#ifndef TFR_CORE_INDEX_RECORD_GATHER_H_
#define TFR_CORE_INDEX_RECORD_GATHER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/buffers.h"
#include "core/base/fault.h"
#include "core/index/record_index.h"
#include "core/record/reader_spec.h"
#include "core/record/slab_fill.h"

namespace tfr {

/// Reads records of a regular file by their numbers, in any order, into one
/// slab: their data, one after another, in the requested order.
///
/// Neighbours in the file are read together. The work has parts, each in
/// another region of the file; threads may do several at the same time. Throws
/// std::bad_alloc, but not in `ReadPart`.
class RecordGather {
 public:
  /// Returns false if `index` lacks the offset of one of the `records`, if one
  /// is longer than `max_record_bytes`, or if their data does not fit a slab of
  /// 4 GiB.
  bool Plan(const RecordIndex& index, const uint64_t* records, size_t count,
            uint64_t max_record_bytes = UINT32_MAX);

  /// Bytes of the data of all records: the size of the slab.
  size_t bytes() const { return bytes_; }
  /// Offset and length of the data of each record in the slab.
  const TypedBuffer<Frame>& frames() const { return frames_; }

  size_t parts() const { return parts_.size(); }
  /// Reads part number `part` of the file at `path`, which is UTF-8. `spec` is
  /// that of the index, and its `start` is not used.
  void ReadPart(size_t part, const std::string& path, const ReaderSpec& spec,
                uint8_t* slab);

  /// After all parts: the fault of a record that could not be read. The slab is
  /// then incomplete.
  Fault fault() const;

 private:
  /// A record that is wanted, once or several times.
  struct Wanted {
    uint64_t record;
    RecordIndex::Extent extent;
    /// Its frames: numbers from `first` to before `end` in `order_`.
    size_t first;
    size_t end;
  };
  /// Wanted records that one thread reads.
  struct Part {
    size_t first;
    size_t end;
    /// The fault of its first faulty record, in the order of the request.
    Fault fault;
    size_t faulty = SIZE_MAX;
  };
  class PlainPart;

  void Split();
  void ReadPlain(Part* part, const std::string& path, Verify verify,
                 uint8_t* slab);
  void ReadCompressed(Part* part, const std::string& path,
                      const ReaderSpec& spec, uint8_t* slab);
  static uint64_t LengthOf(const Wanted& wanted);
  /// Returns the first place of the data.
  uint8_t* TargetOf(const Wanted& wanted, uint8_t* slab) const;
  /// Copies the data of a record from its first place to the others.
  void Repeat(const Wanted& wanted, uint8_t* slab) const;
  void Note(const Wanted& wanted, Fault fault, Part* part) const;

  size_t bytes_ = 0;
  TypedBuffer<Frame> frames_;
  /// The numbers of the frames, in the order of their records.
  std::vector<size_t> order_;
  std::vector<Wanted> wanted_;
  std::vector<Part> parts_;
};

}  // namespace tfr

#endif  // TFR_CORE_INDEX_RECORD_GATHER_H_
