#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/index/file_index.h"
#include "wasm/exports.h"
#include "wasm/reading.h"

namespace tfr::wasm {
namespace {

ByteBuffer& SavedIndex() {
  static ByteBuffer saved;
  return saved;
}

/// Adds the fields of a `ReadStart`: last the address of its checkpoint, or 0.
Report& AddStart(Report& report, const ReadStart& start) {
  auto* const from =
      start.from ? new std::shared_ptr<const Checkpoint>(start.from) : nullptr;
  return report.AddPlace(start.record)
      .AddPlace(start.offset)
      .Add(start.checked ? 1 : 0)
      .AddPlace(start.position())
      .AddAddress(from);
}

}  // namespace

/// Makes an empty index.
TFR_EXPORT(tfr_index_new)
FileIndex* tfr_index_new(double checkpoint_bytes, double most_memory,
                         uint32_t compressed_only, double offset_bytes) {
  return Guarded([&] {
    IndexLimits limits;
    limits.most_offset_memory = static_cast<size_t>(offset_bytes);
    limits.checkpoint_bytes = static_cast<uint64_t>(checkpoint_bytes);
    limits.most_checkpoint_memory = static_cast<size_t>(most_memory);
    limits.compressed_only = compressed_only != 0;
    return new FileIndex(limits);
  });
}

/// Reports an `IndexState`.
TFR_EXPORT(tfr_index_state)
const double* tfr_index_state(const FileIndex* index) {
  return Guarded([&] {
    return Report::New()
        .AddPlace(index->index()->records())
        .AddPlace(index->index()->content_bytes())
        .AddPlace(index->index()->held_bytes())
        .Add(static_cast<double>(index->summary().compression))
        .Add(index->summary().cut ? 1 : 0)
        .data();
  });
}

TFR_EXPORT(tfr_index_complete)
void tfr_index_complete(FileIndex* index, uint32_t compression, double stored,
                        double damaged, uint32_t cut) {
  IndexSummary summary;
  summary.compression = static_cast<Compression>(compression);
  summary.stored = static_cast<uint64_t>(stored);
  summary.damaged = static_cast<uint64_t>(damaged);
  summary.cut = cut != 0;
  index->Complete(summary);
}

TFR_EXPORT(tfr_index_wrote)
void tfr_index_wrote(FileIndex* index, const uint8_t* framed, size_t size,
                     uint32_t compression, double stored) {
  Guarded([&] {
    index->Wrote(framed, size, static_cast<Compression>(compression),
                 static_cast<uint64_t>(stored));
    return 0;
  });
}

/// Reads a saved index into an empty one. Reports the summary of a
/// `LoadedIndex`.
TFR_EXPORT(tfr_index_load)
const double* tfr_index_load(FileIndex* index, const uint8_t* bytes,
                             size_t size) {
  return Guarded([&] {
    IndexLoader loader(index->index().get(), size);
    loader.Take(bytes, size);
    const IndexStatus status = index->FinishLoading(&loader);
    const IndexSummary& summary = index->summary();
    return Report::New()
        .Add(static_cast<double>(status))
        .AddPlace(index->index()->records())
        .AddPlace(summary.damaged)
        .Add(summary.cut ? 1 : 0)
        .Add(static_cast<double>(summary.compression))
        .Add(static_cast<double>(summary.verified))
        .AddPlace(summary.file.size)
        .Add(summary.file.head_crc)
        .Add(summary.file.tail_crc)
        .AddBits(static_cast<uint64_t>(summary.file.time))
        .data();
  });
}

/// Reports the address and the size of the saved index without the section of
/// its keys, which `tfr_index_saved` frees; 0 alone if there is nothing to save
/// yet.
TFR_EXPORT(tfr_index_save)
const double* tfr_index_save(const FileIndex* index, double size,
                             uint32_t head_crc, uint32_t tail_crc,
                             const int64_t* time) {
  return Guarded([&] {
    ByteBuffer& saved = SavedIndex();
    const IndexedFile file = {static_cast<uint64_t>(size), head_crc, tail_crc,
                              *time};
    if (!index->Save(file, &saved, false)) {
      return Report::New().AddAddress(nullptr).data();
    }
    return Report::New().AddAddress(saved.data()).AddPlace(saved.size()).data();
  });
}

/// The same for a part of the section of its keys; 0 alone after the last one.
TFR_EXPORT(tfr_keys_save)
const double* tfr_keys_save(const FileIndex* index, size_t part, uint32_t sum) {
  return Guarded([&] {
    ByteBuffer& saved = SavedIndex();
    if (!index->index()->keys()->SavePart(part, sum, &saved)) {
      return Report::New().AddAddress(nullptr).data();
    }
    return Report::New().AddAddress(saved.data()).AddPlace(saved.size()).data();
  });
}

TFR_EXPORT(tfr_index_saved)
void tfr_index_saved() { SavedIndex().Free(); }

/// Reports a `ReadStart`; -1 alone if only the beginning of the file will do.
TFR_EXPORT(tfr_index_start)
const double* tfr_index_start(const FileIndex* index, double record) {
  return Guarded([&] {
    ReadStart start;
    if (!index->index()->FindStart(static_cast<uint64_t>(record), &start)) {
      return Report::New().Add(-1).data();
    }
    return AddStart(Report::New(), start).data();
  });
}

/// Reports the `ReadStart` and the bytes of an `IndexJump`; -1 alone if `first`
/// is not known.
TFR_EXPORT(tfr_index_jump)
const double* tfr_index_jump(const FileIndex* index, double first,
                             double last) {
  return Guarded([&] {
    RecordIndex::Jump jump;
    if (!index->index()->Find(static_cast<uint64_t>(first),
                              static_cast<uint64_t>(last), &jump)) {
      return Report::New().Add(-1).data();
    }
    return AddStart(Report::New(), jump.start())
        .AddPlace(jump.end - jump.place.offset)
        .data();
  });
}

/// Reports offset and end of each record, in turn; -1 alone if they are not
/// known.
TFR_EXPORT(tfr_index_extents)
const double* tfr_index_extents(const FileIndex* index, double first,
                                double count) {
  return Guarded([&] {
    std::vector<uint64_t> records(static_cast<size_t>(count));
    std::iota(records.begin(), records.end(), static_cast<uint64_t>(first));
    std::vector<RecordIndex::Extent> extents(records.size());
    if (!index->index()->FindAll(records.data(), records.size(),
                                 extents.data())) {
      return Report::New().Add(-1).data();
    }
    Report& report = Report::New();
    for (const RecordIndex::Extent& extent : extents) {
      report.AddPlace(extent.offset).AddPlace(extent.end);
    }
    return report.data();
  });
}

/// The handle of a checkpoint was collected.
TFR_EXPORT(tfr_checkpoint_free)
void tfr_checkpoint_free(std::shared_ptr<const Checkpoint>* checkpoint) {
  delete checkpoint;
}

/// The handle was collected.
TFR_EXPORT(tfr_index_free)
void tfr_index_free(FileIndex* index) { delete index; }

}  // namespace tfr::wasm
