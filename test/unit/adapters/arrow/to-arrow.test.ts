/** Parsed batches as RecordBatches of Arrow. */
import { Table, tableFromIPC, tableToIPC, type RecordBatch } from 'apache-arrow';

import {
  bytes,
  BytesArray,
  decodeExample,
  decodeSequenceExample,
  DenseTensor,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  ragged,
  sparse,
  SparseTensor,
  varLen,
} from '../../../../lib';
import { fromArrow, toArrow } from '../../../../lib/adapters/arrow';

/** The rows as plain values, before and after IPC. */
function rowsOf(batch: RecordBatch): unknown {
  const again = tableFromIPC(tableToIPC(new Table(batch.schema, [batch])));
  const plain = (table: { toArray(): unknown[] }): unknown =>
    JSON.parse(
      JSON.stringify(table.toArray(), (_, value: unknown) =>
        value instanceof Uint8Array
          ? `b:${Buffer.from(value).toString('latin1')}`
          : typeof value === 'bigint'
            ? Number(value)
            : value,
      ),
    );
  expect(plain(new Table(batch.schema, [batch]))).toEqual(plain(again));
  return plain(again);
}

const records = [
  encodeExample({
    id: int64(1),
    name: 'ä',
    box: float([1, 2, 3, 4]),
    tags: ['a', 'b'],
    steps: int64([1, 2, 3, 4]),
    v: float([1, 2]),
    at: int64([0, 2]),
    n: int64([1, 1]),
  }),
  encodeExample({
    id: int64(-2),
    name: '',
    box: float([5, 6, 7, 8]),
    tags: bytes([]),
    steps: int64([5, 6]),
    v: float([]),
    at: int64([]),
    n: int64([]),
  }),
];
const spec = {
  id: fixedLen([], 'int64'),
  name: fixedLen([], 'text'),
  box: fixedLen([2, 2], 'float32'),
  tags: varLen('bytes'),
  steps: fixedLenSequence([2], 'int64', { allowMissing: true }),
};

test('columns of every class', () => {
  const batch = toArrow(parseExample(records, spec));
  expect(String(batch.schema)).toBe(
    'Schema<{ 0: id: Int64, 1: name: Utf8, 2: box: FixedSizeList[2]<FixedSizeList[2]<Float32>>, 3: tags: List<Binary>, 4: steps: List<FixedSizeList[2]<Int64>> }>',
  );
  expect(rowsOf(batch)).toEqual([
    {
      id: 1,
      name: 'ä',
      box: [
        [1, 2],
        [3, 4],
      ],
      tags: ['b:a', 'b:b'],
      steps: [
        [1, 2],
        [3, 4],
      ],
    },
    {
      id: -2,
      name: '',
      box: [
        [5, 6],
        [7, 8],
      ],
      tags: [],
      steps: [[5, 6]],
    },
  ]);
});

test('sparse and ragged tensors', () => {
  const parsed = parseExample(records, {
    s: sparse({ indexKey: 'at', valueKey: 'v', dtype: 'float32', size: 10 }),
  });
  expect(rowsOf(toArrow(parsed))).toEqual([
    {
      s: [
        { index: 0, value: 1 },
        { index: 2, value: 2 },
      ],
    },
    { s: [] },
  ]);
  const nested = parseExample(records, {
    r: ragged({ dtype: 'float32', valueKey: 'v', partitions: [{ by: 'rowLengths', key: 'n' }] }),
  });
  expect(rowsOf(toArrow(nested))).toEqual([{ r: [[1], [2]] }, { r: [] }]);
  const wide = new SparseTensor('text', {
    values: ['x'],
    denseShape: [2, 3, 4],
    indices: BigInt64Array.of(1n, 2n, 3n),
  });
  expect(rowsOf(toArrow({ wide }))).toEqual([{ wide: [] }, { wide: [{ index: [2, 3], value: 'x' }] }]);
});

test('int64 as numbers, bytes as text', () => {
  const batch = toArrow(parseExample(records, spec, { int64: 'number', bytes: 'text' }));
  expect(batch.schema.fields.map(({ type }) => String(type))).toEqual([
    'Int64',
    'Utf8',
    'FixedSizeList[2]<FixedSizeList[2]<Float32>>',
    'List<Utf8>',
    'List<FixedSizeList[2]<Int64>>',
  ]);
  expect(batch.get(1)!.toJSON()['id']).toBe(-2n);
  expect(() => toArrow({ x: Float64Array.of(0.5) })).toThrow(/"batch\.x\[0\]" must be an integer/);
});

test('SequenceExamples, without padding, and back', () => {
  const sequences = [
    encodeSequenceExample({
      context: { id: int64(1) },
      featureLists: { x: [int64([1]), int64([2])], tags: [['a', 'b'], []] },
    }),
    encodeSequenceExample({ context: { id: int64(2) }, featureLists: { x: [int64([3])], tags: [] } }),
  ];
  const parsed = parseSequenceExample(sequences, {
    context: { id: fixedLen([], 'int64') },
    sequence: { x: fixedLenSequence([], 'int64'), tags: varLen('bytes') },
  });
  const batch = toArrow(parsed);
  expect(rowsOf(batch)).toEqual([
    { id: 1, x: [1, 2], tags: [['b:a', 'b:b'], []] },
    { id: 2, x: [3], tags: [] },
  ]);
  const back = [...fromArrow(batch)].map((record) => decodeSequenceExample(record).featureLists['x']!.length);
  expect(back).toEqual([2, 1]);
});

test('numbers and bytes are not copied; shared memory is', () => {
  const id = BigInt64Array.of(1n, 2n);
  const name = BytesArray.from(['a', 'bc']);
  const { children } = toArrow({ id, name }).data;
  expect(children[0]!.values).toHaveProperty('buffer', id.buffer);
  expect(children[1]!.values).toHaveProperty('buffer', name.data.buffer);
  const shared = new Float32Array(new SharedArrayBuffer(8));
  expect(toArrow({ shared }).data.children[0]!.values).not.toHaveProperty('buffer', shared.buffer);
});

test('what comes back is what was parsed', () => {
  const [first] = [...fromArrow(toArrow(parseExample(records, { tags: varLen('bytes'), box: spec.box })))];
  const features = decodeExample(first!);
  expect(features['tags']).toMatchObject({ kind: 'bytes' });
  expect([...(features['box']!.values as Float32Array)]).toEqual([1, 2, 3, 4]);
});

test('other integers of datasets keep their types', () => {
  const batch = toArrow({ a: Int32Array.of(-1), b: Uint8Array.of(2), c: BigUint64Array.of(3n) });
  expect(batch.schema.fields.map(({ type }) => String(type))).toEqual(['Int32', 'Uint8', 'Uint64']);
});

test('batches without rows, and dense tensors without values', () => {
  expect(toArrow(parseExample([], spec)).numRows).toBe(0);
  const empty = new DenseTensor('int64', [2, 0, 3], new BigInt64Array(0));
  expect(rowsOf(toArrow({ empty }))).toEqual([{ empty: [] }, { empty: [] }]);
});

test('what is no batch is refused', () => {
  const gone = new Float32Array(4);
  structuredClone(gone, { transfer: [gone.buffer] });
  for (const wrong of [
    undefined,
    5,
    [],
    {},
    new BytesArray(new Uint8Array(0), new Int32Array(1)),
    { a: 5 },
    { a: gone },
    { a: { b: 5 } },
    { a: [1] },
    { a: new DenseTensor('int64', [], BigInt64Array.of(1n)) },
  ]) {
    expect(() => toArrow(wrong as never)).toThrow(TypeError);
  }
  expect(() => toArrow({ a: BigInt64Array.of(1n), b: Float32Array.of(1, 2) })).toThrow(
    expect.objectContaining({ code: 'TFR_FEATURE' }),
  );
  const changed = BytesArray.from(['ab', 'c']);
  changed.offsets[1] = 9;
  expect(() => toArrow({ changed })).toThrow(/offsets/);
});

test('nullable columns have nulls', () => {
  const spec = {
    n: fixedLen([], 'int64', { default: null }),
    x: fixedLen([], 'float32', { default: null }),
    b: fixedLen([], 'bytes', { default: null }),
    t: fixedLen([], 'text', { default: null }),
  };
  const given = [encodeExample({ n: 5n, b: 'b' }), encodeExample({}), encodeExample({ x: float(0.5), t: 'ä' })];
  const batch = toArrow(parseExample(given, spec));
  expect(rowsOf(batch)).toEqual([
    { n: 5, x: null, b: 'b:b', t: null },
    { n: null, x: null, b: null, t: null },
    { n: null, x: 0.5, b: null, t: 'ä' },
  ]);
  expect(batch.schema.fields.map(({ nullable }) => nullable)).toEqual([true, true, true, true]);
  expect(batch.getChild('n')).toMatchObject({ nullCount: 2 });
  expect([...fromArrow(batch as never, spec)]).toEqual(given);
});
