/** Records as tables: what is missing, what is empty, and the way back. */
import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  ragged,
  RecordReader,
  sparse,
  varLen,
  type FeatureLike,
  type RecordBatch,
  type TFRecordError,
} from '../../../lib';
import { planFromText } from '../../../lib/example';
import {
  encodeTable,
  newTable,
  parseTable,
  readTable,
  readTableSync,
  tableOfPlan,
  type FeatureColumn,
  type Table,
  type TableBatch,
} from '../../../lib/table';
import { planExample, planSequenceExample } from '../../../lib/example/parse/plan';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { exampleOf } from '../../support/examples/wire';

const list = (key: string, dtype: FeatureColumn['dtype'], section: 0 | 1 = 0): FeatureColumn => ({
  key,
  section,
  dtype,
  shape: undefined,
  nullable: true,
});
const scalar = (key: string, dtype: FeatureColumn['dtype'], nullable = true): FeatureColumn => ({
  key,
  section: 0,
  dtype,
  shape: [],
  nullable,
});

async function piecesOf(records: readonly Uint8Array[], table: Table, rows = 100): Promise<TableBatch[]> {
  const batches: TableBatch[] = [];
  for await (const batch of readTable(tfrecord(records), table).pieces(rows)) batches.push(batch);
  return batches;
}

const bits = (validity: Uint8Array | undefined, rows: number): boolean[] =>
  Array.from({ length: rows }, (_, i) => validity === undefined || (validity[i >> 3]! & (1 << (i & 7))) !== 0);

test('lists tell missing features, those without a kind, and empty ones', async () => {
  const table = newTable([list('a', 'int64')], false);
  const records = [
    encodeExample({ a: int64([1, 2]) }),
    encodeExample({}),
    encodeExample({ a: int64([]) }),
    exampleOf({ a: [] }),
    encodeExample({ a: int64([3]) }),
  ];
  const [batch] = await piecesOf(records, table);
  const { validity, nulls, splits, values } = batch!.vectors[0]!;
  expect(batch!.rows).toBe(5);
  expect(bits(validity, 5)).toEqual([true, false, true, false, true]);
  expect(validity).toHaveLength(8);
  expect(nulls).toBe(2);
  expect([...splits!]).toEqual([0, 2, 2, 2, 2, 3]);
  expect(values).toEqual(BigInt64Array.of(1n, 2n, 3n));
});

test('single values have a place for each row, null or not', async () => {
  const table = newTable(
    [scalar('i', 'int64'), scalar('f', 'float32'), scalar('t', 'text'), scalar('b', 'bytes')],
    false,
  );
  const [batch] = await piecesOf(
    [
      encodeExample({ i: int64(7), f: float(-0), t: 'ä', b: bytes([Uint8Array.of(0xff)]) }),
      encodeExample({}),
      encodeExample({ i: int64(-1n), f: float(NaN), t: '', b: '' }),
    ],
    table,
  );
  const [i, f, t, b] = batch!.vectors;
  expect(i!.values).toEqual(BigInt64Array.of(7n, 0n, -1n));
  expect([...f!.values]).toEqual([-0, 0, NaN]);
  expect([...t!.offsets!]).toEqual([0, 2, 2, 2]);
  expect([...b!.offsets!]).toEqual([0, 1, 1, 1]);
  for (const { validity } of batch!.vectors) expect(bits(validity, 3)).toEqual([true, false, true]);
});

test('columns without nulls have no bits', async () => {
  const table = newTable([scalar('i', 'int64'), list('l', 'float32')], false);
  const [batch] = await piecesOf([encodeExample({ i: int64(7), l: float([1, 2]) })], table);
  for (const { validity, nulls } of batch!.vectors) expect([validity, nulls]).toEqual([undefined, 0]);
});

test('text that is not UTF-8 is an error that names the record', async () => {
  const table = newTable([list('t', 'text')], false);
  const fine = encodeExample({ t: ['ä', 'ö'] });
  // Together these bytes are a character, but it is cut in two.
  const cut = encodeExample({ t: bytes([Uint8Array.of(0xc3), Uint8Array.of(0xa4)]) });
  await expect(piecesOf([fine, encodeExample({}), cut], table)).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    record: 2,
    feature: 't',
    found: '1 byte that is not',
  });
});

test('a feature and a feature list of one name are two columns', () => {
  const { columns } = newTable([list('x', 'int64'), list('x', 'float32', 1), list('y', 'bytes', 1)], true);
  expect(columns.map(({ name }) => name)).toEqual(['context.x', 'sequence.x', 'y']);
  expect(() => newTable([list('x', 'int64'), list('x', 'int64', 1), list('context.x', 'int64')], true)).toThrow(
    expect.objectContaining({ code: 'TFR_SPEC' }),
  );
});

test('the table of a spec has the stored features', () => {
  const plan = planExample({
    id: fixedLen([], 'int64'),
    score: fixedLen([], 'float32', { default: 0.5 }),
    box: fixedLen([2, 2], 'float32'),
    tags: varLen('text'),
    words: fixedLenSequence([2], 'bytes', { allowMissing: true }),
    s: sparse({ indexKey: 'at', valueKey: 'val', dtype: 'float32', size: 10 }),
    r: ragged({ dtype: 'int64', valueKey: 'v', partitions: [{ by: 'rowLengths', key: 'n' }] }),
  });
  const described = tableOfPlan(plan).columns.map(({ name, dtype, shape, nullable, fallback }) => [
    name,
    dtype,
    shape,
    nullable,
    fallback !== undefined,
  ]);
  expect(described.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
    ['at', 'int64', undefined, true, false],
    ['box', 'float32', [2, 2], false, false],
    ['id', 'int64', [], false, false],
    ['n', 'int64', undefined, true, false],
    ['score', 'float32', [], false, true],
    ['tags', 'text', undefined, true, false],
    ['v', 'int64', undefined, true, false],
    ['val', 'float32', undefined, true, false],
    ['words', 'bytes', undefined, true, false],
  ]);
  const { columns } = tableOfPlan(
    planSequenceExample({ id: fixedLen([], 'int64') }, { tok: fixedLenSequence([], 'text'), emb: varLen('float32') }),
  );
  expect(columns.map(({ section, shape, nullable }) => [section, shape, nullable])).toEqual([
    [0, [], false],
    [1, [], false],
    [1, undefined, true],
  ]);
  expect(planFromText('{"a":{"type":"varLen","dtype":"int64"}}').columns).toHaveLength(1);
});

describe('records in hand', () => {
  const table = newTable([scalar('id', 'int64')], false);
  const batchOf = async (records: readonly Uint8Array[]): Promise<RecordBatch> => {
    const reader = await RecordReader.open(tfrecord(records));
    for await (const batch of reader.batches()) return batch;
    throw new Error('no records');
  };

  test.each([false, true])('are parsed up to the first that does not fit (lent: %p)', async (lent) => {
    const fine = encodeExample({ id: int64(1) });
    const batch = await batchOf([fine, fine, encodeExample({ id: 'x' }), fine]);
    const { rows, value, error } = await parseTable(batch, table, lent);
    expect([rows, value.rows]).toEqual([2, 2]);
    expect(error).toMatchObject({ code: 'TFR_FEATURE', record: 2, feature: 'id' });
    expect(value.vectors[0]!.values).toEqual(BigInt64Array.of(1n, 1n));
  });

  test('may be none', async () => {
    const batch = encodeTable(table, (await parseTable(await batchOf([encodeExample({})]), table)).value.vectors, 0);
    expect(await parseTable(batch, table)).toMatchObject({ rows: 0, error: undefined });
  });
});

describe('synchronous reading', () => {
  const folder = new Folder();
  afterAll(() => {
    folder.remove();
  });
  const table = newTable([scalar('id', 'int64')], false);
  const ids = (batches: Iterable<TableBatch>): number[] =>
    [...batches].flatMap(({ vectors }) => [...(vectors[0]!.values as BigInt64Array)].map(Number));
  const records = (from: number, to: number): Uint8Array[] =>
    Array.from({ length: to - from }, (_, i) => encodeExample({ id: int64(from + i) }));

  test('reads files in order, like the asynchronous one', async () => {
    folder.write('a-0.tfrecord', records(0, 5000));
    folder.write('a-1.tfrecord', []);
    folder.write('a-2.tfrecord', records(5000, 5003));
    const files = [folder.at('a-*.tfrecord')];
    const expected = Array.from({ length: 5003 }, (_, i) => i);
    expect(ids(readTableSync(files, table))).toEqual(expected);
    expect(ids(readTableSync(files, table, { rows: 7 }))).toEqual(expected);
    const found: TableBatch[] = [];
    for await (const batch of readTable(files, table).pieces(1000)) found.push(batch);
    expect(ids(found)).toEqual(expected);
  });

  test('can be left, and closes its file', () => {
    folder.write('b.tfrecord', records(0, 5000));
    for (let i = 0; i < 50; i++) {
      for (const { rows } of readTableSync([folder.at('b.tfrecord')], table, { rows: 10 })) {
        expect(rows).toBe(10);
        break;
      }
    }
  });

  test('hands out all records before damage, then its error', () => {
    const whole = tfrecord(records(0, 100));
    folder.put('c.tfrecord', whole.subarray(0, whole.length - 3));
    const got: number[] = [];
    const read = (): void => {
      for (const batch of readTableSync([folder.at('c.tfrecord')], table, { rows: 10 })) got.push(...ids([batch]));
    };
    expect(read).toThrow(expect.objectContaining({ code: 'TFR_TRUNCATED', record: 99 }));
    expect(got).toHaveLength(99);
  });

  test('skips what onError skips', () => {
    folder.write('d.tfrecord', [...records(0, 3), encodeExample({ id: 'x' }), ...records(3, 5)]);
    folder.write('e.tfrecord', [...records(5, 6), new Uint8Array(5000), ...records(6, 7)]);
    const skipped: string[] = [];
    const options = {
      rows: 2,
      maxRecordBytes: 1000,
      onError: (error: TFRecordError) => {
        skipped.push(error.code);
        return 'skip' as const;
      },
    };
    const files = [folder.at('d.tfrecord'), folder.at('missing'), folder.at('e.tfrecord')];
    expect(ids(readTableSync(files, table, options))).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(skipped).toEqual(['TFR_FEATURE', 'ENOENT', 'TFR_RECORD_TOO_LARGE']);
  });
});

describe('the way back', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const kinds = { a: 'int64', b: 'float32', c: 'bytes', d: 'text' } as const;
  const values: Record<keyof typeof kinds, fc.Arbitrary<FeatureLike>> = {
    a: fc
      .array(fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constant(-(2n ** 63n))), {
        maxLength: 4,
      })
      .map(int64),
    b: fc.array(fc.float(), { maxLength: 4 }).map((all) => float(all)),
    c: fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 3 }).map(bytes),
    d: fc.array(fc.string({ unit: 'grapheme', maxLength: 5 }), { maxLength: 3 }).map(bytes),
  };
  const features = fc
    .uniqueArray(name, { maxLength: 4 })
    .chain((names) => fc.record(Object.fromEntries(names.map((each) => [each, values[each as 'a']]))));

  test('Examples come back as they were', async () => {
    const table = newTable(
      Object.entries(kinds).map(([key, dtype]) => list(key, dtype)),
      false,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(features, { maxLength: 20 }), async (rows) => {
        const records = rows.map((row) => encodeExample(row));
        const back: unknown[] = [];
        for (const { vectors, rows: count } of await piecesOf(records, table, 3)) {
          for (const record of encodeTable(table, vectors, count)) back.push(Buffer.from(record));
        }
        // Encoding sorts names, so equal features give equal bytes.
        expect(back).toEqual(records.map((record) => Buffer.from(record)));
      }),
      { numRuns: 200 },
    );
  });

  test('SequenceExamples, too', async () => {
    const lists = fc
      .uniqueArray(name, { maxLength: 4 })
      .chain((names) =>
        fc.record(Object.fromEntries(names.map((each) => [each, fc.array(values[each as 'a'], { maxLength: 3 })]))),
      );
    const columns = Object.entries(kinds);
    const table = newTable(
      [...columns.map(([key, dtype]) => list(key, dtype)), ...columns.map(([key, dtype]) => list(key, dtype, 1))],
      true,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(features, lists), { maxLength: 10 }), async (rows) => {
        const records = rows.map(([context, featureLists]) => encodeSequenceExample({ context, featureLists }));
        const back: unknown[] = [];
        for (const { vectors, rows: count } of await piecesOf(records, table, 3)) {
          for (const record of encodeTable(table, vectors, count)) back.push(Buffer.from(record));
        }
        expect(back.map((record) => decodeSequenceExample(record as Buffer).context)).toEqual(
          records.map((record) => decodeSequenceExample(record).context),
        );
        expect(back).toEqual(records.map((record) => Buffer.from(record)));
      }),
      { numRuns: 100 },
    );
  });

  test('single values and arrays, missing or not', async () => {
    const table = newTable(
      [scalar('i', 'int64'), scalar('t', 'text'), { ...scalar('f', 'float32'), shape: [2] }],
      false,
    );
    const records = [
      encodeExample({ i: int64(1), t: 'a', f: float([1, 2]) }),
      encodeExample({}),
      encodeExample({ f: float([3, 4]) }),
    ];
    const [batch] = await piecesOf(records, table);
    expect([...encodeTable(table, batch!.vectors, 3)].map((record) => decodeExample(record))).toEqual(
      records.map((record) => decodeExample(record)),
    );
  });
});
