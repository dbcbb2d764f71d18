/** The fewest digits of float32 values. */
import { shortestFloat32 } from '../../../lib/tensor';
import { randomInt } from 'node:crypto';

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

const MAX_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

/** The number of fewest digits that rounds to `value`, by trying all. Those of the largest float32 would exceed it. */
function fewest(value: number): number {
  if (value === MAX_FLOAT32) return value;
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return Number(value.toPrecision(9));
}

test('as many digits as it takes, at every exponent', () => {
  const powers = Array.from({ length: 85 }, (_, i) => Math.fround(Number(`1e${i - 46}`)));
  const mantissas = [0, 1, 2, 0x7fffff, 0x400000, ...Array.from({ length: 40 }, () => randomInt(0x800000))];
  const values = [...powers, 16777215, 16777216, 16777218, 1e10, 123456792, 0.1, 1 / 3];
  for (let exponent = 0; exponent < 255; exponent++) {
    for (const mantissa of mantissas) {
      bits[0] = (exponent << 23) | mantissa;
      values.push(float[0]!);
    }
  }
  for (const value of values.map(Math.fround)) {
    if (shortestFloat32(value) !== fewest(value))
      expect([value, shortestFloat32(value)]).toEqual([value, fewest(value)]);
    if (shortestFloat32(-value) !== -fewest(value)) expect(shortestFloat32(-value)).toBe(-fewest(value));
  }
});

test('what has no digits', () => {
  expect([NaN, Infinity, -Infinity, 0, -0].map(shortestFloat32)).toEqual([NaN, Infinity, -Infinity, 0, -0]);
});
