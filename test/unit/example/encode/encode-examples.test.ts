/** encodeExamples turns columns into Examples: the inverse of parseExample, with the same bytes as exampleEncoder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import {
  BytesArray,
  DenseTensor,
  encodeExample,
  encodeExamples,
  exampleEncoder,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  ragged,
  RaggedTensor,
  readRecordsSync,
  RecordBatch,
  RecordWriter,
  rowsOf,
  sparse,
  SparseTensor,
  varLen,
  type Batch,
  type Partition,
  type Spec,
} from '../../../../lib';

const spec = {
  id: fixedLen([], 'int64'),
  name: fixedLen([], 'bytes'),
  ['𝒳']: fixedLen([], 'float32'),
  ['\uffee']: varLen('float32'),
  box: fixedLen([2, 1], 'float32'),
  none: fixedLen([0], 'int64'),
  tags: varLen('bytes'),
  counts: varLen('int64'),
  steps: fixedLenSequence([], 'int64', { allowMissing: true, default: -1 }),
  pairs: fixedLenSequence([2], 'bytes', { allowMissing: true, default: 'pad' }),
  grid: sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'int64', size: [5, 6] }),
  again: sparse({ indexKey: 'row', valueKey: 'amt', dtype: 'int64', size: 5, alreadySorted: true }),
  words: ragged({ dtype: 'bytes' }),
  cut: ragged({
    dtype: 'int64',
    valueKey: 'n',
    partitions: [
      { by: 'rowLengths', key: 'outer' },
      { by: 'rowSplits', key: 'inner' },
    ],
    rowSplitsDtype: 'int64',
  }),
  twos: ragged({ dtype: 'float32', valueKey: 'm', partitions: [{ by: 'uniformRowLength', length: 2 }] }),
};

const int = fc.oneof(fc.integer({ min: -9, max: 200 }), fc.maxSafeInteger());
const value = fc.float({ noNaN: true });
const text = fc.string({ unit: 'binary', maxLength: 5 });
const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 4 });
const twos = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<[T, T][]> => some(fc.tuple(of, of));
const row = fc
  .record({
    plain: fc.record({
      id: int,
      name: text,
      ['𝒳']: value,
      ['\uffee']: some(value),
      box: fc.tuple(value, value),
      none: fc.constant([]),
      tags: some(text),
      counts: some(int),
      steps: some(int),
      pairs: twos(text).map((pairs) => pairs.flat()),
      words: some(text),
      cut: some(some(some(int))),
      twos: twos(value),
    }),
    // In order by row alone, so that both sparse features hold the same.
    entries: fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(5), int), { maxLength: 4, selector: ([i]) => i }),
  })
  .map(({ plain, entries }) => {
    const sorted = entries.toSorted(([a], [b]) => a - b);
    const values = BigInt64Array.from(sorted, ([, , n]) => BigInt(n));
    const grid = BigInt64Array.from(sorted.flatMap(([i, j]) => [BigInt(i), BigInt(j)]));
    const again = BigInt64Array.from(sorted, ([i]) => BigInt(i));
    return {
      ...plain,
      grid: new SparseTensor('int64', { values, denseShape: [5, 6], indices: grid }),
      again: new SparseTensor('int64', { values, denseShape: [5], indices: again }),
    };
  });

/** The batch of `records`, int64 as bigint or number. */
function parsed<S extends Spec>(records: readonly Uint8Array[], of: S, numbers = false): Batch<S> {
  return (numbers ? parseExample(records, of, { int64: 'number' }) : parseExample(records, of)) as Batch<S>;
}

test('what was parsed becomes the same bytes again', () => {
  const encode = exampleEncoder(spec);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.boolean(), (rows, numbers) => {
      const records = rows.map((each) => encode(each));
      const batch = encodeExamples(parsed(records, spec, numbers), spec);
      expect([...batch].map(hex)).toEqual(records.map(hex));
    }),
  );
});

test('is what exampleEncoder makes of the rows', () => {
  const encode = exampleEncoder(spec);
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.subarray(Object.keys(spec)), (rows, left) => {
      const batch = parsed(
        rows.map((each) => encode(each)),
        spec,
      );
      const kept = Object.fromEntries(
        Object.entries(batch).filter(([name]) => name in REQUIRED || !left.includes(name)),
      ) as typeof batch;
      const wanted = [...rowsOf(batch, spec)].map((view) =>
        encode(Object.fromEntries(Object.keys(kept).map((name) => [name, view[name as keyof typeof view]]))),
      );
      expect([...encodeExamples(kept, spec)].map(hex)).toEqual(wanted.map(hex));
    }),
  );
});
const REQUIRED = { id: 1, name: 1, ['𝒳']: 1, box: 1, none: 1 };

const hex = (record: Uint8Array): string => Buffer.from(record).toString('hex');

describe('rows', () => {
  const words = [[['a'], [], ['b', 'c']], [], [['d']]];
  it.each<[Partition['by'], number[][]]>([
    ['rowSplits', [[0, 1, 1, 3], [0], [0, 1]]],
    ['rowLengths', [[1, 0, 2], [], [1]]],
    ['rowStarts', [[0, 1, 1], [], [0]]],
    ['rowLimits', [[1, 1, 3], [], [1]]],
    ['valueRowIds', [[0, 2, 2], [], [0]]],
  ])('are told by %s', (by, expected) => {
    const of = { w: ragged({ dtype: 'bytes', partitions: [{ by, key: 'p' } as Partition] }) };
    const column = new RaggedTensor(new DenseTensor('bytes', [4], BytesArray.from(['a', 'b', 'c', 'd'])), [
      Int32Array.of(0, 3, 3, 4),
      Int32Array.of(0, 1, 1, 3, 4),
    ]);
    const records = expected.map((p, i) => encodeExample({ w: bytesOf(words[i]!.flat()), p: int64(p) }));
    expect([...encodeExamples({ w: column }, of)]).toEqual(records);
  });
  const bytesOf = (values: string[]): BytesArray => BytesArray.from(values);

  it('of uniform partitions above others', () => {
    const partitions = [
      { by: 'uniformRowLength', length: 2 },
      { by: 'rowLengths', key: 'p' },
      { by: 'uniformRowLength', length: 3 },
    ] as const;
    const of = { w: ragged({ dtype: 'int64', partitions }) };
    const records = [
      encodeExample({ w: int64([1, 2, 3, 4, 5, 6]), p: int64([2, 0]) }),
      encodeExample({ w: int64([7, 8, 9]), p: int64([0, 0, 1, 0]) }),
    ];
    expect([...encodeExamples(parseExample(records, of), of)]).toEqual(records);
  });
});

describe('the batch', () => {
  const of = { id: fixedLen([], 'int64'), f: fixedLen([2], 'float32', { default: [0, 0] }) };
  const columns = {
    id: BigInt64Array.of(1n, 300n),
    f: new DenseTensor('float32', [2, 2], Float32Array.of(1, 2, 3, 4)),
  };
  const first = encodeExample({ id: 1n, f: float([1, 2]) });

  it('tells rows and places', () => {
    const batch = encodeExamples(columns, of);
    expect(batch).toBeInstanceOf(RecordBatch);
    expect(batch.length).toBe(2);
    expect(batch.at(0)).toEqual(first);
    expect(batch.origin(0)).toEqual({ file: '<encoded>', record: 0, offset: 0, bytes: first.length });
    expect(batch.origin(1)).toEqual({ file: '<encoded>', record: 1, offset: first.length, bytes: first.length + 1 });
    expect(batch.byteLength).toBe(2 * first.length + 1);
  });

  it('may be without rows', () => {
    const batch = encodeExamples(parseExample([], of), of);
    expect(batch.length).toBe(0);
    expect([...batch]).toEqual([]);
    expect(batch.at(0)).toBeUndefined();
    expect(parseExample(batch, of).id).toEqual(new BigInt64Array(0));
  });

  it('is parsed, and written, as those of readers are', async () => {
    const batch = encodeExamples(columns, of);
    expect(parseExample(batch, of)).toEqual(columns);
    const folder = mkdtempSync(join(tmpdir(), 'tfr-encode-'));
    try {
      const path = join(folder, 'a.tfrecord.gz');
      const writer = await RecordWriter.open(path);
      for (const record of batch) await writer.write(record);
      await writer.close();
      expect([...readRecordsSync(path)]).toEqual([...batch]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('leaves out a column that is missing', () => {
    const { id } = columns;
    expect([...encodeExamples({ id }, of)]).toEqual([encodeExample({ id: 1n }), encodeExample({ id: 300n })]);
  });

  it('copies: columns may change afterwards', () => {
    const id = BigInt64Array.of(1n);
    const batch = encodeExamples({ id }, of);
    id[0] = 2n;
    expect(batch.at(0)).toEqual(encodeExample({ id: 1n }));
  });

  it('keeps the bits of a NaN', () => {
    const f = new DenseTensor('float32', [1, 2], new Float32Array(Uint32Array.of(0x7f80_0001, 0xffc0_1234).buffer));
    const [record] = [...encodeExamples({ id: BigInt64Array.of(1n), f }, of)];
    expect(hex(record!)).toContain('0100807f3412c0ff');
  });
});

test('tensors that callers made', () => {
  const of = {
    seq: fixedLenSequence([], 'float32', { allowMissing: true }),
    sp: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }),
    va: varLen('bytes'),
  };
  const columns = {
    // How many steps a row has nobody knows: it has them all.
    seq: new DenseTensor('float32', [2, 2] as readonly [number, number], Float32Array.of(1, 0, 0, 0)),
    sp: new SparseTensor('int64', {
      values: BigInt64Array.of(5n, 6n),
      denseShape: [2, 3],
      indices: BigInt64Array.of(0n, 2n, 0n, 1n),
    }),
    va: new SparseTensor('bytes', {
      values: BytesArray.from(['-', 'a', 'b', 'c']).subarray(1),
      denseShape: [2, 2],
      indices: BigInt64Array.of(0n, 0n, 1n, 0n, 1n, 1n),
    }),
  };
  expect([...encodeExamples(columns, of)]).toEqual([
    encodeExample({ seq: float([1, 0]), v: int64([5, 6]), i: int64([2, 1]), va: ['a'] }),
    encodeExample({ seq: float([0, 0]), v: int64([]), i: int64([]), va: ['b', 'c'] }),
  ]);
});

test('a flat column of a fixedLen has the values of all rows, one after the other', () => {
  const of = { box: fixedLen([2, 2], 'float32'), ids: fixedLen([3], 'int64'), names: fixedLen([2], 'text') };
  const flat = {
    box: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    ids: Float64Array.of(1, 2, 3, 4, 5, 6),
    names: ['a', 'b', 'c', 'd'],
  };
  const tensors = {
    box: new DenseTensor('float32', [2, 2, 2], flat.box),
    ids: new DenseTensor('int64', [2, 3], BigInt64Array.of(1n, 2n, 3n, 4n, 5n, 6n)),
    names: new DenseTensor('text', [2, 2], flat.names),
  };
  expect([...encodeExamples(flat, of)]).toEqual([...encodeExamples(tensors, of)]);
  expect(parseExample(encodeExamples(flat, of), of)).toEqual(tensors);
});
