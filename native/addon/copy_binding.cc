#include "addon/copy_binding.h"

#include <cstring>
#include <vector>

#include "addon/handle.h"
#include "addon/properties.h"

namespace tfr::addon {
namespace {

constexpr const char* kWrong = "tfrecord: not a copy between buffers";

/// `length` bytes from one of the buffers to another, or elsewhere in it.
struct Copy {
  uint32_t from;
  uint32_t from_offset;
  uint32_t to;
  uint32_t to_offset;
  uint32_t length;
};

bool Within(const std::vector<ByteSpan>& buffers, uint32_t buffer,
            uint32_t offset, uint32_t length) {
  return buffer < buffers.size() &&
         uint64_t{offset} + length <= buffers[buffer].size;
}

void Prefetch(const std::vector<ByteSpan>& buffers, const Copy& copy) {
#if defined(__GNUC__)
  if (!Within(buffers, copy.from, copy.from_offset, copy.length)) return;
  const uint8_t* const data = buffers[copy.from].data + copy.from_offset;
  constexpr uint32_t kLine = 64;
  constexpr uint32_t kMost = 512;
  for (uint32_t i = 0; i < copy.length && i < kMost; i += kLine) {
    __builtin_prefetch(data + i);
  }
#else
  static_cast<void>(buffers);
  static_cast<void>(copy);
#endif
}

void CopyAll(const Napi::CallbackInfo& info) {
  const auto list = info[0].As<Napi::Array>();
  std::vector<ByteSpan> buffers(list.Length());
  for (uint32_t i = 0; i < buffers.size(); ++i) buffers[i] = GetBytes(list[i]);
  const ArrayMemory memory = GetArray(info[1], napi_uint32_array, kWrong);
  const auto* const copies = static_cast<const Copy*>(memory.data);
  const size_t count = info[2].As<Napi::Number>().Uint32Value();
  if (count > memory.length / 5) {
    throw Napi::RangeError::New(info.Env(), kWrong);
  }
  constexpr size_t kAhead = 8;
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) Prefetch(buffers, copies[i + kAhead]);
    const auto [from, from_offset, to, to_offset, length] = copies[i];
    if (!Within(buffers, from, from_offset, length) ||
        !Within(buffers, to, to_offset, length)) {
      throw Napi::RangeError::New(info.Env(), kWrong);
    }
    if (length == 0) continue;
    std::memmove(buffers[to].data + to_offset, buffers[from].data + from_offset,
                 length);
  }
}

}  // namespace

void ExportCopies(Napi::Env env, Napi::Object exports) {
  exports.DefineProperties({Export<CopyAll>(env, "copyAll")});
}

}  // namespace tfr::addon
