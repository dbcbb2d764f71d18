#include "addon/decoder_binding.h"

#include <memory>
#include <utility>

#include "addon/handle.h"
#include "addon/properties.h"
#include "core/example/decoded_block.h"
#include "core/example/example_decoder.h"

namespace tfr::addon {
namespace {

/// `DecodeOutcome` of lib/native/binding-examples.ts; above kDone it is a size.
enum DecodeOutcome : int8_t {
  kDone = 0,
  kMalformed = -1,
  kNotOwn = -2,
  kNoMemory = -3,
};

/// What a decoding function holds.
struct Decoder {
  explicit Decoder(bool sequence) : decoder(sequence) {}

  double Decode(const Napi::Value& record) {
    using Outcome = ExampleDecoder::Outcome;
    ByteSpan bytes;
    if (!GetOwnBytes(record, &bytes)) return kNotOwn;
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
  /// Memory of JavaScript's that only this package sees. `kept` keeps it.
  ByteSpan block;
  Napi::ObjectReference kept;
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
  double outcome;
  if (count < 2) {
    outcome = decoder->Decode({env, arguments[0]});
  } else {
    ByteSpan larger;
    outcome = GetOwnBytes({env, arguments[1]}, &larger) ? decoder->Write(larger)
                                                        : double{kNotOwn};
  }
  napi_value result = nullptr;
  napi_create_double(env, outcome, &result);
  return result;
}

Napi::Value ExampleDecoderFunction(const Napi::CallbackInfo& info) {
  auto decoder = std::make_unique<Decoder>(info[0].ToBoolean());
  decoder->block = GetBytes(info[1]);
  decoder->kept = Napi::Persistent(info[1].As<Napi::Object>());
  return NewFunction(info.Env(), Decode, std::move(decoder));
}

}  // namespace

void ExportDecoder(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({
      Export<ExampleDecoderFunction>(env, "exampleDecoder"),
  });
}

}  // namespace tfr::addon
