const SMALLEST_NORMAL_FLOAT32 = 2 ** -126;
/** The powers of ten that doubles hold exactly. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The number of fewest digits that rounds to the float32 `value`. */
export function shortestFloat32(value: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  return value < 0 ? -shortestPositive(-value) : shortestPositive(value);
}

function shortestPositive(value: number): number {
  // Decimals of up to 6 digits survive the way through a normal float32, so the sixth finds shorter ones too;
  // subnormal numbers have fewer digits. 9 are enough for every float32.
  const fewest = value < SMALLEST_NORMAL_FLOAT32 ? 1 : 6;
  const exponent = decimalExponent(value);
  for (let digits = fewest; digits < 9; digits++) {
    const candidate = rounded(value, digits, digits - 1 - exponent);
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

/** `value` rounded to `digits` significant digits, of which `decimals` are behind the point. */
function rounded(value: number, digits: number, decimals: number): number {
  // Divisor and rounded product are exact, so the quotient is the double next to the decimal: what Number(text) gives,
  // at a tenth of its cost.
  const power = EXACT_POWERS[decimals];
  return power === undefined ? Number(value.toPrecision(digits)) : Math.round(value * power) / power;
}

/** The largest e with 10^e <= value. */
function decimalExponent(value: number): number {
  const guess = Math.floor(Math.log10(value));
  if (value < powerOfTen(guess)) return guess - 1;
  return value >= powerOfTen(guess + 1) ? guess + 1 : guess;
}

function powerOfTen(exponent: number): number {
  return exponent < 0 ? 1 / (EXACT_POWERS[-exponent] ?? 10 ** -exponent) : (EXACT_POWERS[exponent] ?? 10 ** exponent);
}
