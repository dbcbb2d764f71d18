#ifndef TFR_CORE_CONTENT_PLAIN_CONTENT_H_
#define TFR_CORE_CONTENT_PLAIN_CONTENT_H_

#include <cstddef>
#include <cstdint>

#include "core/base/fault.h"
#include "core/content/raw_input.h"
#include "core/io/byte_source.h"

namespace tfr {

/// Uncompressed content: the bytes of a source, of which `raw` has read the
/// first ones to recognise them.
class PlainContent {
 public:
  /// Both must live as long as this object.
  PlainContent(ByteSource* source, RawInput* raw)
      : source_(source), raw_(raw) {}

  /// Each as in `ByteSource`.
  ReadState Read(uint8_t* dst, size_t size, size_t* got, Fault* fault);
  bool StepBack(uint64_t count);
  uint64_t StepOver(uint64_t count);
  uint64_t Remaining();

  /// Number of bytes read and stepped over.
  uint64_t used() const { return used_; }

 private:
  ByteSource* const source_;
  RawInput* const raw_;
  uint64_t used_ = 0;
};

}  // namespace tfr

#endif  // TFR_CORE_CONTENT_PLAIN_CONTENT_H_
