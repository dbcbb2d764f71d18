/** Rows of columns that native code pads. */
import * as fc from 'fast-check';

import { BatchMemory } from '../../../../lib/example/columns';
import { longestOf, padNumbers } from '../../../../lib/example/columns/row-loops';
import { native } from '../../../../lib/native';
import { MemoryPool } from '../../../../lib/io';

const newMemory = (): BatchMemory => new BatchMemory(new MemoryPool(), '<batch>');

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
type NumbersClass = new (values: ArrayBufferLike) => Numbers;

/** Any bits, NaN payloads too. */
const column = fc
  .tuple(
    fc.constantFrom(Float32Array, Float64Array, BigInt64Array),
    fc.array(fc.nat({ max: 20 }), { maxLength: 200 }),
    fc.nat(3),
  )
  .chain(([of, lengths, more]) => {
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const bytes = total * of.BYTES_PER_ELEMENT;
    return fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((content) => ({
      values: new (of as NumbersClass)(content.slice().buffer),
      lengths,
      width: Math.max(0, ...lengths) + more,
    }));
  });

const splitsOf = (lengths: readonly number[]): Int32Array => {
  const splits = new Int32Array(lengths.length + 1);
  lengths.forEach((length, row) => (splits[row + 1] = splits[row]! + length));
  return splits;
};
const bits = (values: Numbers): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

test('every row has its values, then the padding', () => {
  fc.assert(
    fc.property(column, fc.boolean(), fc.integer({ min: -3, max: 3 }), ({ values, lengths, width }, transient, pad) => {
      const padding = values instanceof BigInt64Array ? BigInt(pad) : pad;
      const splits = splitsOf(lengths);
      const memory = transient ? newMemory() : undefined;
      const padded = padNumbers(values, { splits, unit: 1, rows: lengths.length, width }, padding, memory);
      expect(padded).toHaveLength(lengths.length * width);
      lengths.forEach((length, row) => {
        const found = padded.subarray(row * width, (row + 1) * width);
        const own = values.subarray(splits[row], splits[row + 1]);
        expect(bits(found.subarray(0, length))).toEqual(bits(own));
        for (let i = length; i < width; i++) expect(found[i]).toBe(padding === 0 ? 0 : padding);
      });
      expect(longestOf(splits)).toBe(Math.max(0, ...lengths));
    }),
  );
});

test('a padding of -0 stays one', () => {
  const rows = { splits: Int32Array.of(0, 1, 1), unit: 1, rows: 2, width: 1 };
  for (const memory of [undefined, newMemory()]) {
    expect(Array.from(padNumbers(Float32Array.of(1), rows, -0, memory) as Float32Array)).toEqual([1, -0]);
  }
});

test('rows that do not fit, and arrays of other types, throw', () => {
  const pad =
    (...args: unknown[]) =>
    (): void =>
      (native().padRows as (...args: unknown[]) => void)(...args);
  const values = Float32Array.of(1, 2, 3);
  const to = new Float32Array(4);
  for (const splits of [
    [0, 1, 4],
    [0, 3, 3],
    [-1, 1, 2],
    [0, 2, 1],
  ]) {
    expect(pad(values, Int32Array.from(splits), 1, to, undefined)).toThrow(/not rows/);
  }
  expect(pad(values, Int32Array.of(0, 1, 2), 2, to, undefined)).toThrow(/not rows/);
  expect(pad(values, Int32Array.of(0, 1, 2, 3), 1, to, undefined)).toThrow(/not rows/);
  expect(pad(values, Int32Array.of(0, 1, 2), 1, new Float64Array(4), undefined)).toThrow(/not rows/);
  expect(pad(values, Int32Array.of(0, 1, 2), 1, to, Float32Array.of(1, 2))).toThrow(/not rows/);
  expect(pad(new Uint8Array(3), Int32Array.of(0, 1, 2), 1, new Uint8Array(4), undefined)).toThrow(/not rows/);
  expect(pad(values, new Int32Array(0), 1, to, undefined)).toThrow(/not rows/);
  expect(to).toEqual(new Float32Array(4));
});
