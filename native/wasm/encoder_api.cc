#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/buffers.h"
#include "core/example/encode/batch_encoder.h"
#include "wasm/exports.h"
#include "wasm/report.h"

namespace tfr::wasm {
namespace {

/// Columns to encode, and the result.
struct Encoder {
  std::vector<EncoderColumn> columns;
  std::unique_ptr<BatchEncoder> batch;
  TypedBuffer<Frame> frames;
  ByteBuffer slab;
};

}  // namespace

TFR_EXPORT(tfr_encoder_new)
Encoder* tfr_encoder_new() {
  return Guarded([] { return new Encoder; });
}

TFR_EXPORT(tfr_encoder_free)
void tfr_encoder_free(Encoder* encoder) { delete encoder; }

/// Adds an `EncoderColumn` of lib/native/binding-examples.ts. All memory but
/// that of the key must stay until the encoder is freed. `size`: the number of
/// values. `data_size`: for bytes, the size of all of them.
TFR_EXPORT(tfr_encoder_add)
void tfr_encoder_add(Encoder* encoder, const char* key, size_t key_size,
                     uint32_t kind, const void* values, size_t size,
                     const int32_t* offsets, size_t data_size,
                     const int32_t* starts, const int32_t* ends, size_t count) {
  Guarded([&] {
    EncoderColumn column;
    column.key.assign(key, key_size);
    column.kind = static_cast<Kind>(kind);
    column.values = values;
    column.size = size;
    column.offsets = offsets;
    column.data_size = data_size;
    column.starts = starts;
    column.ends = ends;
    column.count = count;
    encoder->columns.push_back(std::move(column));
  });
}

/// Reports the size of the encoded rows and their frames, or -1 and the fault.
TFR_EXPORT(tfr_encoder_measure)
const double* tfr_encoder_measure(Encoder* encoder, size_t rows) {
  return Guarded([&] {
    Report& report = Report::New();
    Frame* const frames = encoder->frames.Room(rows > 0 ? rows : 1);
    NeedMemory(frames != nullptr);
    encoder->batch =
        std::make_unique<BatchEncoder>(std::move(encoder->columns), rows);
    EncodeFault fault;
    if (!encoder->batch->Measure(frames, &fault)) {
      return report.Add(-1)
          .Add(static_cast<double>(fault.code))
          .Add(static_cast<double>(fault.row))
          .Add(static_cast<double>(fault.column))
          .data();
    }
    return report.Add(static_cast<double>(encoder->batch->bytes()))
        .AddAddress(frames)
        .data();
  });
}

/// Encodes the measured rows. Returns the memory that holds them.
TFR_EXPORT(tfr_encoder_write)
const uint8_t* tfr_encoder_write(Encoder* encoder) {
  return Guarded([&] {
    const auto bytes = static_cast<size_t>(encoder->batch->bytes());
    NeedMemory(encoder->slab.Reserve(bytes > 0 ? bytes : 1));
    encoder->batch->Write(encoder->frames.data(), encoder->slab.data());
    return encoder->slab.data();
  });
}

}  // namespace tfr::wasm
