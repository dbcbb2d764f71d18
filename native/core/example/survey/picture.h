#ifndef TFR_CORE_EXAMPLE_SURVEY_PICTURE_H_
#define TFR_CORE_EXAMPLE_SURVEY_PICTURE_H_

#include <cstddef>
#include <cstdint>

#include "core/example/wire/wire.h"

namespace tfr {

/// How a picture is encoded. TypeScript has the same names in the same order.
enum class Picture : uint8_t { kNone, kJpeg, kPng, kGif, kWebp, kBmp, kTiff };

inline constexpr size_t kPictures = 7;

/// Returns the format whose signature starts `value`.
Picture PictureOf(Span value);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_SURVEY_PICTURE_H_
