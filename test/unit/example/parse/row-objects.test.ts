/** Rows are plain objects, whichever function made them. */
import { deepStrictEqual, notDeepStrictEqual } from 'node:assert/strict';
import { inspect } from 'node:util';

import {
  BytesArray,
  Dataset,
  DenseTensor,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  ragged,
  RaggedTensor,
  readExamples,
  readSequenceExamples,
  rowsOf,
  sparse,
  SparseTensor,
  varLen,
} from '../../../../lib';
import { tfrecord } from '../../../support/records/tfrecord';

const SPEC = {
  id: fixedLen([], 'int64'),
  score: fixedLen([], 'float32'),
  name: fixedLen([], 'bytes'),
  box: fixedLen([2], 'int64'),
  tags: varLen('bytes'),
  counts: varLen('int64'),
  steps: fixedLenSequence([], 'int64', { allowMissing: true }),
  grid: sparse({ indexKey: 'at', valueKey: 'v', dtype: 'int64', size: 9 }),
  cast: ragged({ dtype: 'bytes', valueKey: 'words', partitions: [{ by: 'rowLengths', key: 'sizes' }] }),
  pairs: ragged({ dtype: 'int64', valueKey: 'm', partitions: [{ by: 'uniformRowLength', length: 2 }] }),
};
const recordOf = (id: number): Uint8Array =>
  encodeExample({
    id: int64(id),
    score: float(0.1),
    name: `name ${id}`,
    box: int64([id, 2]),
    tags: ['a', `t${id}`],
    counts: int64([1, id]),
    steps: int64([id]),
    at: int64([3, 4]),
    v: int64([id, 7]),
    words: ['w', 'x', `y${id}`],
    sizes: int64([1, 2]),
    m: int64([1, 2, 3, id]),
  });
const file = (...ids: number[]): Uint8Array => tfrecord(ids.map(recordOf));

/** Row `id` as a literal. */
const literal = (id: number): object => ({
  id: BigInt(id),
  score: Math.fround(0.1),
  name: new Uint8Array(Buffer.from(`name ${id}`)),
  box: new DenseTensor('int64', [2], BigInt64Array.of(BigInt(id), 2n)),
  tags: BytesArray.from(['a', `t${id}`]),
  counts: BigInt64Array.of(1n, BigInt(id)),
  steps: BigInt64Array.of(BigInt(id)),
  grid: new SparseTensor('int64', {
    values: BigInt64Array.of(BigInt(id), 7n),
    denseShape: [9],
    indices: BigInt64Array.of(3n, 4n),
  }),
  cast: new RaggedTensor(new DenseTensor('bytes', [3], BytesArray.from(['w', 'x', `y${id}`])), [
    Int32Array.of(0, 1, 3),
  ]),
  pairs: new RaggedTensor(new DenseTensor('int64', [2, 2], BigInt64Array.of(1n, 2n, 3n, BigInt(id))), []),
});

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const made: T[] = [];
  for await (const row of rows) made.push(row);
  return made;
}

/** Row 5, read among others, in each way. */
const makers: readonly (readonly [string, () => Promise<object>])[] = [
  ['readExamples', async () => (await all(readExamples(file(4, 5, 6), SPEC)))[1] as object],
  [
    'readExamples, transient',
    async () => {
      for await (const row of readExamples(file(5), SPEC, { transient: true })) return row;
      throw new Error('no row');
    },
  ],
  ['rowsOf', () => Promise.resolve([...rowsOf(parseExample([7, 5].map(recordOf), SPEC), SPEC)][1] as object)],
  ['parseSingleExample', () => Promise.resolve(parseSingleExample(recordOf(5), SPEC))],
  ['Dataset.parse', async () => (await all(Dataset.from([3, 2, 5].map(recordOf)).parse(SPEC)))[2] as object],
  ['unbatch', async () => (await all(Dataset.tfrecord(file(3, 5)).batch(2).parse(SPEC).unbatch()))[1] as object],
  [
    'mapped and kept',
    async () =>
      (
        await all(
          Dataset.from([recordOf(5)])
            .parse(SPEC)
            .map((row) => row)
            .cache(),
        )
      )[0] as object,
  ],
];

test.each(makers)('%s: equal to its values, to the same row of other readers, and to no other row', async (_, make) => {
  const row = await make();
  expect(row).toEqual(literal(5));
  expect(row).toStrictEqual(literal(5));
  expect(row).not.toEqual(literal(4));
  expect(row).not.toEqual({});
  for (const name of Object.keys(row)) {
    const { [name]: __, ...others } = row as Record<string, unknown>;
    expect(row).not.toEqual(others);
    expect(row).not.toEqual({ ...row, [name]: (literal(4) as Record<string, unknown>)[name] === undefined ? 0 : null });
  }
  for (const [, other] of makers) deepStrictEqual(row, await other());
  notDeepStrictEqual(row, parseSingleExample(recordOf(4), SPEC));
  deepStrictEqual({ ...row }, literal(5));
  expect(Object.keys(row)).toEqual(Object.keys(SPEC));
  expect(Object.entries(row)).toEqual(Object.entries(literal(5)));
});

test.each(makers)('%s: cloned, printed, inherited from, behind a Proxy, and as JSON', async (_, make) => {
  const row = (await make()) as { id: bigint; tags: BytesArray };
  const { id, score, box } = structuredClone(row) as unknown as { id: bigint; score: number; box: { data: unknown } };
  expect([id, score, box.data]).toEqual([5n, Math.fround(0.1), BigInt64Array.of(5n, 2n)]);
  expect(structuredClone((literal(5) as { grid: object }).grid)).toEqual(
    structuredClone((row as unknown as { grid: object }).grid),
  );
  expect((Object.create(row) as typeof row).tags.toJSON()).toEqual(['a', 't5']);
  expect(new Proxy(row, {}).id).toBe(5n);
  expect({ ...new Proxy(row, {}) }).toEqual(literal(5));
  expect(inspect(row)).toMatch(/^\{\s+id: 5n,/);
  for (const shown of [row, new Proxy(row, {})]) {
    expect(JSON.parse(JSON.stringify(shown))).toEqual({
      id: '5',
      score: 0.1,
      name: 'name 5',
      box: ['5', '2'],
      tags: ['a', 't5'],
      counts: ['1', '5'],
      steps: ['5'],
      grid: { indices: [[3], [4]], values: ['5', '7'], denseShape: [9] },
      cast: [['w'], ['x', 'y5']],
      pairs: [
        ['1', '2'],
        ['3', '5'],
      ],
    });
  }
});

test('a row may be changed, and stays what it is when the reader goes on', async () => {
  const rows = await all(readExamples(file(1, 2, 3), SPEC));
  deepStrictEqual(
    rows,
    [1, 2, 3].map((id) => parseSingleExample(recordOf(id), SPEC)),
  );
  const row = rows[0] as unknown as Record<string, unknown>;
  row['id'] = 9n;
  delete row['tags'];
  row['more'] = 1;
  expect(JSON.stringify(row)).toMatch(/^\{"id":"9".*"more":1\}$/);
});

const NAMES = ['__proto__', 'constructor', 'toJSON', 'toString', 'hasOwnProperty', '0', '7', 'length', 'then'];
test('features may have any name', async () => {
  const spec = Object.fromEntries(NAMES.map((name) => [name, fixedLen([], 'float32')]));
  const record = encodeExample(Object.fromEntries(NAMES.map((name, i) => [name, float(i)])));
  const wanted = Object.fromEntries(NAMES.map((name, i) => [name, i]));
  const batch = parseExample([record], spec);
  const rows: object[] = [
    parseSingleExample(record, spec),
    ...rowsOf(batch, spec),
    ...(await all(readExamples(tfrecord([record]), spec))),
    ...(await all(Dataset.from([record]).parse(spec))),
  ];
  for (const row of rows) {
    expect(Object.keys(row).sort()).toEqual([...NAMES].sort());
    for (const name of NAMES) expect(Object.getOwnPropertyDescriptor(row, name)?.value).toBe(wanted[name]);
    expect(row).toEqual(wanted);
    deepStrictEqual(row, rows[0]);
    expect(JSON.parse(JSON.stringify(row))).toEqual(wanted);
    expect(() => inspect(row)).not.toThrow();
  }
  expect(JSON.parse(JSON.stringify(batch)) as object).toHaveProperty('constructor');
});

test('batches are equal to literals, and go to JSON', async () => {
  const spec = {
    id: fixedLen([], 'int64'),
    f: fixedLen([], 'float32'),
    tags: varLen('bytes'),
    box: fixedLen([1], 'int64'),
  };
  const records = [1, 2].map((id) =>
    encodeExample({ id: int64(id), f: float(0.5), tags: ['x'], box: int64(2n ** 60n) }),
  );
  const wanted = {
    id: BigInt64Array.of(1n, 2n),
    f: Float32Array.of(0.5, 0.5),
    tags: new SparseTensor('bytes', {
      values: BytesArray.from(['x', 'x']),
      denseShape: [2, 1],
      indices: BigInt64Array.of(0n, 0n, 1n, 0n),
    }),
    box: new DenseTensor('int64', [2, 1], BigInt64Array.of(2n ** 60n, 2n ** 60n)),
  };
  const batches = [
    parseExample(records, spec),
    ...(await all(readExamples(tfrecord(records), spec).batches(2))),
    ...(await all(Dataset.tfrecord(tfrecord(records)).batch(2).parse(spec))),
    ...(await all(Dataset.tfrecord(tfrecord(records)).batch(1).parse(spec).rebatch(2))),
  ];
  expect(batches).toHaveLength(4);
  for (const batch of batches) {
    deepStrictEqual(batch, wanted);
    expect(batch).toStrictEqual(wanted);
    expect(batch).not.toEqual({ ...wanted, id: BigInt64Array.of(1n, 3n) });
    expect(batch).not.toEqual({});
    notDeepStrictEqual(batch, {
      ...wanted,
      tags: parseExample([encodeExample({ tags: ['x', 'x'] }), encodeExample({})], { tags: spec.tags }).tags,
    });
    expect(JSON.parse(JSON.stringify(batch))).toEqual({
      id: ['1', '2'],
      f: [0.5, 0.5],
      tags: {
        indices: [
          [0, 0],
          [1, 0],
        ],
        values: ['x', 'x'],
        denseShape: [2, 1],
      },
      box: [['1152921504606846976'], ['1152921504606846976']],
    });
    expect(structuredClone(batch)).toMatchObject({ id: wanted.id, box: { shape: [2, 1], data: wanted.box.data } });
    expect(Object.keys(batch)).toEqual(Object.keys(spec));
  }
});

test('SequenceExamples: rows and batches', async () => {
  const spec = {
    context: { id: fixedLen([], 'int64') },
    sequence: { tokens: fixedLenSequence([], 'int64'), words: varLen('bytes') },
  };
  const recordAt = (id: number): Uint8Array =>
    encodeSequenceExample({
      context: { id: int64(id) },
      featureLists: { tokens: [int64(1), int64(id)], words: [['a'], ['b', 'c']] },
    });
  const records = [3, 5].map(recordAt);
  const one = parseSingleSequenceExample(recordAt(5), spec);
  const rows = [
    (await all(readSequenceExamples(tfrecord(records), spec)))[1],
    (await all(Dataset.from(records).parseSequence(spec)))[1],
    one,
  ];
  for (const row of rows) {
    deepStrictEqual(row, one);
    expect(row).toStrictEqual({
      context: { id: 5n },
      sequence: {
        tokens: BigInt64Array.of(1n, 5n),
        words: new SparseTensor('bytes', {
          values: BytesArray.from(['a', 'b', 'c']),
          denseShape: [2, 2],
          indices: BigInt64Array.of(0n, 0n, 1n, 0n, 1n, 1n),
        }),
      },
    });
    notDeepStrictEqual(row, parseSingleSequenceExample(recordAt(3), spec));
    expect(JSON.stringify(row)).toMatch(/^\{"context":\{"id":"5"\},"sequence":\{"tokens":\["1","5"\]/);
  }
  expect(JSON.parse(JSON.stringify(parseSequenceExample(records, spec)))).toMatchObject({
    context: { id: ['3', '5'] },
    sequence: {
      tokens: [
        ['1', '3'],
        ['1', '5'],
      ],
    },
    lengths: { tokens: [2, 2] },
  });
});

test('numbers of every size go to JSON exactly', () => {
  const spec = {
    n: fixedLen([], 'int64'),
    f: fixedLen([5], 'float32'),
    big: fixedLen([], 'float32'),
    b: fixedLen([], 'bytes'),
  };
  const record = encodeExample({
    n: int64(2 ** 40),
    f: float([0.1, NaN, -Infinity, -0, 3.4028234663852886e38]),
    big: float(0.1),
    b: new Uint8Array([255, 0]),
  });
  expect(JSON.stringify(parseSingleExample(record, spec, { int64: 'number' }))).toBe(
    '{"n":1099511627776,"f":[0.1,"NaN","-Infinity","-0",3.4028234663852886e+38],"big":0.1,"b":{"base64":"/wA="}}',
  );
});
