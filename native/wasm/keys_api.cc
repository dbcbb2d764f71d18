#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/example/parse/feature_keys.h"
#include "core/index/file_index.h"
#include "wasm/exports.h"
#include "wasm/report.h"

namespace tfr::wasm {
namespace {

using Outcome = FeatureKeys::Outcome;

}  // namespace

/// Adds the keys of `count` records; the first has the number `first`. Reports
/// the outcome, and the index of the record at which it stopped.
TFR_EXPORT(tfr_keys_add)
const double* tfr_keys_add(FileIndex* index, const char* name, size_t name_size,
                           const uint8_t* slab, const Frame* frames,
                           size_t count, double first) {
  return Guarded([&] {
    RecordKeys* const keys = index->index()->keys();
    std::string feature(name, name_size);
    FeatureKeys taken(feature);
    keys->SetFeature(std::move(feature));
    const auto number = static_cast<uint64_t>(first);
    size_t row;
    const Outcome outcome =
        taken.TakeEach(slab, frames, count, &row, [&](size_t i, Span key) {
          return keys->Add(number + i, key.data, key.size);
        });
    if (outcome == Outcome::kNoMemory) throw std::bad_alloc();
    return Report::New().Add(static_cast<double>(outcome)).AddPlace(row).data();
  });
}

/// Reports the address and the size of the feature's name, and the number of
/// keys. The size is 0 if there are none.
TFR_EXPORT(tfr_keys_of)
const double* tfr_keys_of(FileIndex* index) {
  return Guarded([&] {
    RecordKeys* const keys = index->index()->keys();
    return Report::New()
        .AddAddress(keys->feature().data())
        .AddPlace(keys->feature().size())
        .AddPlace(keys->size())
        .data();
  });
}

/// Reports how many records may have the key, then their numbers.
TFR_EXPORT(tfr_keys_find)
const double* tfr_keys_find(FileIndex* index, const uint8_t* key, size_t size) {
  return Guarded([&] {
    const std::vector<uint64_t> records =
        index->index()->keys()->Find(key, size);
    Report& report = Report::New();
    report.AddPlace(records.size());
    for (const uint64_t record : records) report.AddPlace(record);
    return report.data();
  });
}

/// Returns true if one of the values of the feature in `record` is `key`.
TFR_EXPORT(tfr_keys_hold)
bool tfr_keys_hold(const char* name, size_t name_size, const uint8_t* record,
                   size_t record_size, const uint8_t* key, size_t key_size) {
  return Guarded([&] {
    FeatureKeys keys(std::string(name, name_size));
    if (keys.Take({record, record_size}) == Outcome::kNoMemory) {
      throw std::bad_alloc();
    }
    return keys.Has({key, key_size});
  });
}

}  // namespace tfr::wasm
