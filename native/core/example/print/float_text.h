#ifndef TFR_CORE_EXAMPLE_PRINT_FLOAT_TEXT_H_
#define TFR_CORE_EXAMPLE_PRINT_FLOAT_TEXT_H_

#include <cstddef>
#include <cstdint>

namespace tfr {

/// Maximum size of a float's text.
inline constexpr size_t kLongestFloatText = 24;

/// Writes the JSON of the float32 with these bits, byte for byte as
/// `float32Json` of lib/example/print/json.ts: the fewest digits that restore
/// it, in the form of JavaScript's numbers, always with a point or an exponent.
/// NaN and the infinities are the strings "NaN", "Infinity" and "-Infinity".
/// Needs no floating-point `std::to_chars`, which some C++ libraries lack.
/// Returns the end of the text; there must be room for `kLongestFloatText`.
uint8_t* PutFloat32(uint8_t* to, uint32_t bits);

}  // namespace tfr

#endif  // TFR_CORE_EXAMPLE_PRINT_FLOAT_TEXT_H_
