#include <cstdint>

#include "core/example/decode/decoded_block.h"
#include "core/example/decode/example_decoder.h"
#include "core/example/type/record_type.h"
#include "wasm/exports.h"

namespace tfr::wasm {
namespace {

/// `DecodeOutcome` of lib/native/binding-examples.ts.
constexpr double kMalformed = -1;
constexpr double kNoMemory = -3;

}  // namespace

TFR_EXPORT(tfr_decoder_new)
ExampleDecoder* tfr_decoder_new(bool sequence) {
  return Guarded([&] { return new ExampleDecoder(sequence); });
}

/// Returns the `RecordType` of the bytes.
TFR_EXPORT(tfr_record_type)
uint32_t tfr_record_type(const uint8_t* record, size_t size) {
  return static_cast<uint32_t>(RecordTypeOf({record, size}));
}

TFR_EXPORT(tfr_decoder_free)
void tfr_decoder_free(ExampleDecoder* decoder) { delete decoder; }

/// Returns the size of the block of what was decoded, or why there is none.
TFR_EXPORT(tfr_decoder_decode)
double tfr_decoder_decode(ExampleDecoder* decoder, const uint8_t* record,
                          size_t size) {
  using Outcome = ExampleDecoder::Outcome;
  if (size > ExampleDecoder::kMaxRecordBytes) return kMalformed;
  const Outcome outcome =
      Guarded([&] { return decoder->Decode({record, size}); });
  if (outcome == Outcome::kDecoded) {
    return static_cast<double>(DecodedBlockSize(decoder->decoded()));
  }
  decoder->Clear();
  return outcome == Outcome::kMalformed ? kMalformed : kNoMemory;
}

/// Writes the block, and forgets what was decoded.
TFR_EXPORT(tfr_decoder_write)
void tfr_decoder_write(ExampleDecoder* decoder, uint8_t* block) {
  WriteDecodedBlock(decoder->decoded(), block);
  decoder->Clear();
}

}  // namespace tfr::wasm
