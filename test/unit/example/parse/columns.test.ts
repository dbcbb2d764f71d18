/** Parsed columns, cut and joined; laws over random records. */
import fc from 'fast-check';

import { fixedLen, fixedLenSequence, varLen } from '../../../../lib/example';
import { BatchMemory } from '../../../../lib/example/columns';
import {
  arraysOf,
  joinColumns,
  newColumns,
  sliceColumns,
  type ParsedColumns,
} from '../../../../lib/example/parse/parsed-columns';
import { planExample, planSequenceExample } from '../../../../lib/example/parse/plan';
import { MemoryPool } from '../../../../lib/io';
import { examplesPiece, recordsPiece, type HandMade } from '../../../support/examples/parsed-columns';

const plan = planSequenceExample(
  { f: fixedLen([2], 'float32'), b: fixedLen([], 'bytes'), v: varLen('int64'), w: varLen('bytes') },
  { s: fixedLenSequence([2], 'int64', { allowMissing: true }), t: varLen('bytes'), u: varLen('float32') },
);
const value = fc.integer({ min: -5, max: 5 });
const text = fc.string({ maxLength: 3 });
const steps = <T>(step: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(step, { maxLength: 3 });
const record: fc.Arbitrary<HandMade> = fc.record({
  features: fc.record({
    f: fc.tuple(value, value),
    b: fc.tuple(text),
    v: fc.array(value, { maxLength: 3 }),
    w: fc.array(text, { maxLength: 3 }),
  }),
  lists: fc.record({
    s: steps(fc.tuple(value, value)),
    t: steps(fc.array(text, { maxLength: 2 })),
    u: steps(fc.array(value, { maxLength: 2 })),
  }),
});
const records = fc.array(record, { maxLength: 8 });
const pieceOf = (made: readonly HandMade[], numbers = false): ParsedColumns => recordsPiece(plan, made, numbers);

test('a part of a piece is the piece of that part of the records', () => {
  fc.assert(
    fc.property(records, fc.nat(8), fc.nat(8), fc.boolean(), (made, a, b, numbers) => {
      const [from, to] = [Math.min(a, b, made.length), Math.min(Math.max(a, b), made.length)];
      expect(sliceColumns(pieceOf(made, numbers), from, to)).toEqual(pieceOf(made.slice(from, to), numbers));
    }),
  );
});

test('pieces joined are the piece of all records', () => {
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 4 }), fc.boolean(), (parts, numbers) => {
      expect(joinColumns(parts.map((made) => pieceOf(made, numbers)))).toEqual(pieceOf(parts.flat(), numbers));
    }),
  );
});

test('cutting and joining give what was there', () => {
  fc.assert(
    fc.property(records, fc.nat(8), (made, cut) => {
      const piece = pieceOf(made);
      const at = Math.min(cut, made.length);
      expect(joinColumns([sliceColumns(piece, 0, at), sliceColumns(piece, at, made.length)])).toEqual(piece);
    }),
  );
});

test('parts are copies: nothing keeps the whole alive', () => {
  const piece = examplesPiece(planExample({ v: varLen('bytes') }), [{ v: ['x'] }, { v: ['yz'] }]);
  const part = sliceColumns(piece, 1, 2);
  for (const array of arraysOf(part)) expect(array.buffer.byteLength).toBe(array.byteLength);
  expect(part.columns[0]?.values.buffer).not.toBe(piece.columns[0]?.values.buffer);
  expect(sliceColumns(piece, 0, 2)).toBe(piece);
  expect(joinColumns([piece])).toBe(piece);
});

test('NaN payloads stay', () => {
  const piece = examplesPiece(planExample({ v: varLen('float32') }), [{ v: [0] }, { v: [0] }]);
  const bits = (of: ParsedColumns): number[] => [...new Uint32Array(of.columns[0]!.values.buffer)];
  new Uint32Array(piece.columns[0]!.values.buffer).set([0x7fa12345, 0xffc00001]);
  expect(bits(joinColumns([piece, piece]))).toEqual([0x7fa12345, 0xffc00001, 0x7fa12345, 0xffc00001]);
  expect(bits(sliceColumns(piece, 1, 2))).toEqual([0xffc00001]);
});

test('fresh columns of the sizes that native code counts', () => {
  // Of each column: places in the positions of present rows, of steps and of splits, values, bytes.
  const sizes = Float64Array.of(
    ...[0, 0, 0, 6, 0],
    ...[0, 0, 0, 3, 9],
    ...[0, 0, 3, 4, 0],
    ...[0, 0, 3, 2, 5],
    ...[0, 3, 0, 10, 0],
    ...[0, 3, 5, 2, 7],
    ...[0, 3, 5, 1, 0],
  );
  const arrays = (numbers: boolean): string[] =>
    arraysOf(newColumns(plan, 3, sizes, { int64AsNumber: numbers, file: '<bytes>' })).map(
      (array) => `${array.constructor.name}(${array.length})`,
    );
  const expected = [
    'Float32Array(6)', // f
    ...['Int32Array(4)', 'Uint8Array(9)'], // b
    ...['Int32Array(4)', 'BigInt64Array(4)'], // v
    ...['Int32Array(4)', 'Int32Array(3)', 'Uint8Array(5)'], // w
    ...['Int32Array(4)', 'BigInt64Array(10)'], // s
    ...['Int32Array(4)', 'Int32Array(6)', 'Int32Array(3)', 'Uint8Array(7)'], // t
    ...['Int32Array(4)', 'Int32Array(6)', 'Float32Array(1)'], // u
  ];
  expect(arrays(false)).toEqual(expected);
  expect(arrays(true)).toEqual(expected.map((name) => name.replace('BigInt64Array', 'Float64Array')));
});

test('what int32 positions cannot say is too large, with the batch size to use', () => {
  const of = planExample({ v: varLen('bytes') });
  // Only lengths and the last position are looked at.
  const huge = (rows: number, bytes: number): ParsedColumns => ({
    plan: of,
    rows,
    columns: [
      {
        steps: undefined,
        splits: Int32Array.of(0, rows),
        offsets: Int32Array.of(0, bytes),
        values: { length: bytes } as unknown as Uint8Array<ArrayBuffer>,
      },
    ],
  });
  expect(() => joinColumns([huge(3, 2 ** 31 - 1), huge(3, 2 ** 31 - 1)])).toThrow(
    expect.objectContaining({
      code: 'TFR_RECORD_TOO_LARGE',
      feature: 'v',
      found: '4294967294 bytes',
      message: expect.stringMatching(
        /"v" has 4294967294 bytes in 6 records.*parse at most 3 records at a time/,
      ) as string,
    }),
  );
  expect(() => joinColumns([huge(0, 0), huge(1, 2 ** 31)])).toThrow(/in 1 record, .*leave the feature out/);
});

test('transient arrays lie in one slab, side by side', () => {
  const [rows, memory] = [7, new BatchMemory(new MemoryPool(), '<bytes>')];
  const sizes = Float64Array.from(plan.columns.flatMap((_, i) => [0, 2 * i, 3 * i + 1, 5 * i, 7 * i + 3]));
  const options = { int64AsNumber: false, file: '<bytes>' };
  const own = arraysOf(newColumns(plan, rows, sizes, options));
  const shared = arraysOf(newColumns(plan, rows, sizes, { ...options, memory }));
  expect(new Set(shared.map(({ buffer }) => buffer)).size).toBe(1);
  let end = 0;
  shared.forEach((array, i) => {
    expect(array.constructor).toBe(own[i]!.constructor);
    expect(array).toHaveLength(own[i]!.length);
    expect(array.byteOffset).toBeGreaterThanOrEqual(end);
    end = array.byteOffset + array.byteLength;
  });
  expect(end).toBeLessThanOrEqual(shared[0]!.buffer.byteLength);
});
