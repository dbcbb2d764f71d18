#include <memory>
#include <utility>

#include "addon/base/handle.h"
#include "addon/base/properties.h"
#include "addon/bindings.h"
#include "core/example/decode/decoded_block.h"
#include "core/example/decode/example_decoder.h"
#include "core/example/type/record_type.h"

namespace tfr::addon {
namespace {

/// `DecodeOutcome` of lib/native/binding-examples.ts; a value above kDone is a
/// size.
enum DecodeOutcome : int8_t {
  kDone = 0,
  kMalformed = -1,
  kNotOwn = -2,
  kNoMemory = -3,
};

/// Data of a decoding function.
struct Decoder {
  explicit Decoder(bool sequence) : decoder(sequence) {}

  double Decode(ByteSpan bytes, ByteSpan block) {
    using Outcome = ExampleDecoder::Outcome;
    if (bytes.size > ExampleDecoder::kMaxRecordBytes) return kMalformed;
    const Outcome outcome = decoder.Decode({bytes.data, bytes.size});
    if (outcome == Outcome::kDecoded) return Write(block);
    decoder.Clear();
    return outcome == Outcome::kMalformed ? kMalformed : kNoMemory;
  }

  double Write(ByteSpan target) {
    const size_t size = DecodedBlockSize(decoder.decoded());
    if (size > target.size) return static_cast<double>(size);
    WriteDecodedBlock(decoder.decoded(), target.data);
    decoder.Clear();
    return kDone;
  }

  ExampleDecoder decoder;
};

napi_value Decode(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value arguments[2];
  void* data = nullptr;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, &data) !=
      napi_ok) {
    return nullptr;
  }
  auto* const decoder = static_cast<Decoder*>(data);
  double outcome = kNotOwn;
  ByteSpan record;
  ByteSpan block;
  if (GetOwnBytes(env, arguments[0], &block)) {
    if (count < 2) {
      outcome = decoder->Write(block);
    } else if (GetOwnBytes(env, arguments[1], &record)) {
      outcome = decoder->Decode(record, block);
    }
  }
  napi_value result = nullptr;
  napi_create_double(env, outcome, &result);
  return result;
}

Napi::Value ExampleDecoderFunction(const Napi::CallbackInfo& info) {
  return NewFunction(info.Env(), Decode,
                     std::make_unique<Decoder>(info[0].ToBoolean()));
}

Napi::Value RecordTypeNumber(const Napi::CallbackInfo& info) {
  const ByteSpan bytes = GetBytes(info[0]);
  const RecordType type = RecordTypeOf({bytes.data, bytes.size});
  return Napi::Number::New(info.Env(), static_cast<double>(type));
}

}  // namespace

void ExportDecoder(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<ExampleDecoderFunction>(env, "exampleDecoder"),
      Export<RecordTypeNumber>(env, "recordType"),
  });
}

}  // namespace tfr::addon
