/** Rounding to binary floats from exact values: to the nearest, ties to even. */

/** A binary floating-point format. */
export interface BinaryFormat {
  /** Bits of the significand. */
  readonly precision: number;
  /** The smallest positive value is 2 to this power. */
  readonly smallestExponent: number;
  /** The largest finite value. */
  readonly largest: number;
}

export const FLOAT64: BinaryFormat = { precision: 53, smallestExponent: -1074, largest: Number.MAX_VALUE };
export const FLOAT32: BinaryFormat = {
  precision: 24,
  smallestExponent: -149,
  largest: (2 - 2 ** -23) * 2 ** 127,
};

/** No format has exponents beyond. */
const MAX_EXPONENT = 2000;

/**
 * `significand` (and a little more, if `sticky`) times 2 to the power `exponent`, in `format`. `significand` is positive,
 * and much longer than the precision where `sticky` is true.
 */
export function roundBinary(significand: bigint, exponent: number, sticky: boolean, format: BinaryFormat): number {
  const bits = significand.toString(2).length;
  if (bits + exponent > MAX_EXPONENT) return Infinity;
  const unit = Math.max(bits + exponent - format.precision, format.smallestExponent);
  const shift = unit - exponent;
  if (shift <= 0) return inFormat(Number(significand) * 2 ** exponent, format);
  // Less than half of the unit.
  if (shift > bits) return 0;
  const width = BigInt(shift);
  let quotient = significand >> width;
  const rest = significand - (quotient << width);
  const half = 1n << (width - 1n);
  const odd = (quotient & 1n) === 1n;
  if (rest > half || (rest === half && (sticky || odd))) quotient += 1n;
  return inFormat(Number(quotient) * 2 ** unit, format);
}

function inFormat(value: number, { largest }: BinaryFormat): number {
  return value > largest ? Infinity : value;
}

/** The float32 next to the decimal number `text`, which JavaScript can read. */
export function roundToFloat32(text: string): number {
  const value = Number(text);
  const rounded = Math.fround(value);
  const size = Math.abs(value);
  // Rounding twice goes wrong only where the double lies right between two float32s and the decimal does not.
  if (rounded === value || !isMidpoint(size)) return rounded;
  const order = compareDecimal(text, size);
  if (order === 0) return rounded;
  const right = Math.fround(nextDouble(size, order));
  return value < 0 ? -right : right;
}

const SMALLEST_NORMAL = 2 ** -126;
const BEYOND_FLOAT32 = 2 ** 128;
/** Every midpoint of float32s is an integer of this unit. */
const HALF_SMALLEST = 2 ** -150;

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

function bitsOf(value: number): bigint {
  double[0] = value;
  return bits[0]!;
}

function isMidpoint(size: number): boolean {
  if (size < SMALLEST_NORMAL) return (size / HALF_SMALLEST) % 2 === 1;
  return size < BEYOND_FLOAT32 && (bitsOf(size) & 0x1fff_ffffn) === 0x1000_0000n;
}

/** The double above `size` for an `order` of 1, below it for -1. */
function nextDouble(size: number, order: 1 | -1): number {
  bits[0] = bitsOf(size) + BigInt(order);
  return double[0]!;
}

/** A midpoint has at most 113 significant digits: of what is behind these it only counts whether it is 0. */
const KEPT_DIGITS = 128;

/** How the size of the decimal number `text` compares to the midpoint `size`. */
function compareDecimal(text: string, size: number): -1 | 0 | 1 {
  const [, whole = '', fraction = '', exponent = '0'] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const significant = (whole + fraction).replace(/^0+/, '');
  const dropped = significant.slice(KEPT_DIGITS);
  const scale = Number(exponent) - fraction.length + dropped.length;
  let left = BigInt(significant.slice(0, KEPT_DIGITS)) << 150n;
  let right = BigInt(size / HALF_SMALLEST);
  if (scale >= 0) left *= 10n ** BigInt(scale);
  else right *= 10n ** BigInt(-scale);
  if (left !== right) return left < right ? -1 : 1;
  return /[^0]/.test(dropped) ? 1 : 0;
}
