/** The rows of a batch are those that each record alone would give. */
import { inspect } from 'node:util';

import fc from 'fast-check';

import { fixedLen, fixedLenSequence, ragged, sparse, varLen, type Batch, type Spec } from '../../../../lib/example';
import { composeBatch, composeElement } from '../../../../lib/example/parse/compose';
import { planExample } from '../../../../lib/example/parse/plan';
import { rowsOf } from '../../../../lib/example/parse/rows';
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor } from '../../../../lib/tensor';
import { examplesPiece, type Values } from '../../../support/examples/parsed-columns';

type Records = Readonly<Record<string, Values>>[];
function parsed<S extends Spec>(spec: S, records: Records, numbers = false): Batch<S> {
  return composeBatch(examplesPiece(planExample(spec), records, numbers)) as unknown as Batch<S>;
}

const everything = {
  id: fixedLen([], 'int64'),
  box: fixedLen([2, 1], 'float32'),
  name: fixedLen([], 'bytes'),
  tags: varLen('bytes'),
  scores: varLen('float32'),
  steps: fixedLenSequence([], 'int64', { allowMissing: true, default: -1 }),
  pairs: fixedLenSequence([2], 'bytes', { allowMissing: true }),
  grid: sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'int64', size: [5, 5] }),
  words: ragged({ dtype: 'bytes' }),
  cut: ragged({
    dtype: 'int64',
    valueKey: 'n',
    partitions: [
      { by: 'rowLengths', key: 'outer' },
      { by: 'rowLengths', key: 'inner' },
    ],
    rowSplitsDtype: 'int64',
  }),
  twos: ragged({ dtype: 'int64', valueKey: 'm', partitions: [{ by: 'uniformRowLength', length: 2 }] }),
};

const value = fc.integer({ min: -9, max: 9 });
const text = fc.string({ maxLength: 3 });
const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 4 });
const pairsOf = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => some(fc.tuple(of, of)).map((all) => all.flat());
const record = fc
  .record({
    plain: fc.record({
      id: fc.tuple(value),
      box: fc.tuple(value, value),
      name: fc.tuple(text),
      tags: some(text),
      scores: some(value),
    }),
    lists: fc.record({ steps: some(value), pairs: pairsOf(text), words: some(text), m: pairsOf(value) }),
    entries: some(fc.tuple(fc.nat(4), fc.nat(4), value)),
    rows: some(some(some(value))),
  })
  .map(({ plain, lists, entries, rows }): Records[number] => ({
    ...plain,
    ...lists,
    row: entries.map(([row]) => row),
    col: entries.map(([, col]) => col),
    amt: entries.map(([, , amt]) => amt),
    n: rows.flat(2),
    outer: rows.map(({ length }) => length),
    inner: rows.flat().map(({ length }) => length),
  }));

test('are the elements of the records', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), fc.boolean(), (records, numbers) => {
      const rows = [...rowsOf(parsed(everything, records, numbers), everything)];
      expect(rows).toHaveLength(records.length);
      for (const [i, row] of rows.entries()) {
        const element = composeElement(examplesPiece(planExample(everything), [records[i]!], numbers));
        for (const name of Object.keys(everything)) {
          expect(shown(row[name as keyof typeof everything])).toEqual(shown(element[name]));
        }
      }
    }),
  );
});

/** What can be compared; parts of arrays of bytes have offsets of their own. */
function shown(of: unknown): unknown {
  if (of instanceof BytesArray) return of.toJSON();
  if (of instanceof DenseTensor) return [of.shape, of.dtype, of.data.constructor.name, of.toJSON()];
  if (of instanceof SparseTensor) return [of.denseShape, of.indices, of.dtype, of.toJSON()];
  if (of instanceof RaggedTensor) return [of.rowSplits, of.values.shape, of.dtype, of.toJSON()];
  return of;
}

test('lie over the memory of the batch, and may be kept', () => {
  const spec = { v: varLen('float32'), s: fixedLen([2], 'int64') };
  const batch = parsed(spec, [
    { v: [1], s: [1, 2] },
    { v: [2, 3], s: [3, 4] },
  ]);
  const [first, second] = [...rowsOf(batch, spec)];
  expect(second?.v).toEqual(Float32Array.of(2, 3));
  expect(second?.v.buffer).toBe(batch.v.values.buffer);
  expect(second?.s.data.buffer).toBe(batch.s.data.buffer);
  expect(first?.v).toEqual(Float32Array.of(1));
});

test('are printed, listed by `in`, and go to JSON', () => {
  const spec = { id: fixedLen([], 'int64'), tags: varLen('bytes'), f: varLen('float32'), name: fixedLen([], 'bytes') };
  const [row] = [...rowsOf(parsed(spec, [{ id: [2n ** 60n], tags: ['x'], f: [0.1, NaN], name: ['é'] }]), spec)];
  expect(inspect(row)).toMatch(/id: 1152921504606846976n,\s+tags: BytesArray\(1\) \["x"\]/);
  expect(JSON.stringify(row)).toBe('{"id":"1152921504606846976","tags":["x"],"f":[0.1,"NaN"],"name":"é"}');
  const names: string[] = [];
  for (const name in row) names.push(name);
  expect(names).toEqual(['id', 'tags', 'f', 'name']);
});

test('features may have the names of what objects have', () => {
  const spec = { ['__proto__']: fixedLen([], 'int64'), constructor: fixedLen([], 'int64'), toString: varLen('int64') };
  const [row] = [...rowsOf(parsed(spec, [{ ['__proto__']: [1], constructor: [2], toString: [3] }]), spec)];
  expect([row?.__proto__, row?.constructor, row?.toString]).toEqual([1n, 2n, BigInt64Array.of(3n)]);
});

test('of tensors that the caller has made', () => {
  const spec = {
    seq: fixedLenSequence([], 'float32', { allowMissing: true }),
    sp: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }),
    va: varLen('int64'),
  };
  const entries = new SparseTensor('int64', {
    values: BigInt64Array.of(5n, 6n),
    denseShape: [3, 3],
    indices: BigInt64Array.of(0n, 2n, 2n, 1n),
  });
  const batch = {
    seq: new DenseTensor('float32', [3, 2], Float32Array.of(1, 0, 0, 0, 2, 3)) as DenseTensor<
      'float32',
      readonly [number, number]
    >,
    sp: entries,
    va: entries,
  };
  // How many steps a row has nobody knows: it has them all.
  expect([...rowsOf(batch, spec)].map(({ seq, sp, va }) => [seq, sp.toJSON(), va])).toEqual([
    [Float32Array.of(1, 0), { indices: [[2]], values: ['5'], denseShape: [3] }, BigInt64Array.of(5n)],
    [Float32Array.of(0, 0), { indices: [], values: [], denseShape: [3] }, new BigInt64Array(0)],
    [Float32Array.of(2, 3), { indices: [[1]], values: ['6'], denseShape: [3] }, BigInt64Array.of(6n)],
  ]);
  const unsorted = new SparseTensor('int64', {
    values: BigInt64Array.of(5n, 6n),
    denseShape: [3, 3],
    indices: BigInt64Array.of(2n, 2n, 0n, 1n),
  });
  expect(() => [...rowsOf({ va: unsorted }, { va: spec.va })].map(({ va }) => va)).toThrow(
    /in the order of their rows/,
  );
});

test('a sparse tensor takes no memory for rows without entries', () => {
  const spec = {
    sp: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }),
    va: varLen('int64'),
  };
  const of = (rows: number): Batch<typeof spec> => {
    const indices = BigInt64Array.of(0n, 0n, 0n, 1n, BigInt(rows - 1), 0n);
    const tensor = new SparseTensor('int64', { values: BigInt64Array.of(5n, 6n, 7n), denseShape: [rows, 3], indices });
    return { sp: tensor, va: tensor };
  };
  const before = process.memoryUsage().arrayBuffers;
  const rows = rowsOf(of(2 ** 31 - 1), spec);
  const [first, second] = [rows.next().value, rows.next().value] as { sp: SparseTensor<'int64'>; va: BigInt64Array }[];
  expect([first?.va, first?.sp.values, second?.va]).toEqual([
    BigInt64Array.of(5n, 6n),
    BigInt64Array.of(5n, 6n),
    new BigInt64Array(0),
  ]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  expect([...rowsOf(of(3), spec)].map(({ va }) => va)).toEqual([
    BigInt64Array.of(5n, 6n),
    new BigInt64Array(0),
    BigInt64Array.of(7n),
  ]);
  expect(() => rowsOf(of(2 ** 40), spec)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }));
});

const batch = {
  id: BigInt64Array.of(1n, 2n),
  v: new RaggedTensor(new DenseTensor('int64', [1], BigInt64Array.of(1n)), [Int32Array.of(0, 1)]),
};
test.each<[string, unknown, Spec]>([
  ['no batch', undefined, { id: fixedLen([], 'int64') }],
  ['a feature that is not there', {}, { id: fixedLen([], 'int64') }],
  ['a feature of another class', batch, { id: varLen('int64') }],
  ['ragged for sparse', batch, { v: varLen('int64') }],
  ['a column for a tensor', batch, { id: fixedLen([2], 'int64') }],
  ['another shape', { a: new DenseTensor('int64', [1, 2], new BigInt64Array(2)) }, { a: fixedLen([3], 'int64') }],
  ['features of different lengths', batch, { id: fixedLen([], 'int64'), v: ragged({ dtype: 'int64' }) }],
])('%s is a TypeError', (_, of, spec) => {
  expect(() => rowsOf(of as never, spec)).toThrow(TypeError);
});
