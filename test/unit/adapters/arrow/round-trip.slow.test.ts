/** Records as Arrow and back: the bytes stay what they were. */
import type { RecordBatch as ArrowBatch } from 'apache-arrow';
import { Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  ragged,
  sparse,
  varLen,
  type FeatureLike,
  type SequenceExampleSpec,
  type Spec,
} from '../../../../lib';
import { arrowBatches, arrowSchema, fromArrow } from '../../../../lib/adapters/arrow';
import { tfrecord } from '../../../support/records/tfrecord';

async function tableOf(records: readonly Uint8Array[], spec: Spec | SequenceExampleSpec, rows = 3): Promise<Table> {
  const read = arrowBatches(tfrecord(records), spec, { rows });
  const batches: ArrowBatch[] = [];
  for await (const batch of read) batches.push(batch);
  return new Table(read.schema, batches);
}

const buffers = (records: Iterable<Uint8Array>): Buffer[] => [...records].map((record) => Buffer.from(record));

const int64s = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n),
);
/** Any bits: also NaN with a payload. */
const floats = fc
  .array(fc.integer(), { maxLength: 4 })
  .map((all) => new Float32Array(Int32Array.from(all).buffer))
  .chain((any) => fc.constantFrom(any, Float32Array.of(-0, NaN, Infinity)));
const values: Record<string, fc.Arbitrary<FeatureLike>> = {
  a: fc.array(int64s, { maxLength: 4 }).map(int64),
  b: floats.map((all) => float(all)),
  c: fc.array(fc.uint8Array({ maxLength: 5 }), { maxLength: 3 }).map(bytes),
  d: fc.array(fc.string({ unit: 'grapheme', maxLength: 5 }), { maxLength: 3 }).map(bytes),
};
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const features = names.chain((all) => fc.record(Object.fromEntries(all.map((name) => [name, values[name]!]))));
const lists = names.chain((all) =>
  fc.record(Object.fromEntries(all.map((name) => [name, fc.array(values[name]!, { maxLength: 3 })]))),
);
const SPEC = { a: varLen('int64'), b: varLen('float32'), c: varLen('bytes'), d: varLen('text') };

test('Examples come back byte for byte, through both forms of IPC', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(features, { maxLength: 12 }), fc.boolean(), async (rows, file) => {
      const records = rows.map((row) => encodeExample(row));
      const table = await tableOf(records, SPEC);
      expect(table.numRows).toBe(records.length);
      expect(buffers(fromArrow(table))).toEqual(buffers(records));
      const again = tableFromIPC(tableToIPC(table, file ? 'file' : 'stream'));
      expect(buffers(fromArrow(again))).toEqual(buffers(records));
      // Parts, whose memory begins elsewhere.
      const [begin, end] = [records.length >> 2, records.length - (records.length >> 2)];
      expect(buffers(fromArrow(again.slice(begin, end)))).toEqual(buffers(records.slice(begin, end)));
    }),
    { numRuns: 40 },
  );
});

test('SequenceExamples, too', async () => {
  const spec = { context: SPEC, sequence: SPEC };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(features, lists), { maxLength: 8 }), async (rows) => {
      const records = rows.map(([context, featureLists]) => encodeSequenceExample({ context, featureLists }));
      const table = tableFromIPC(tableToIPC(await tableOf(records, spec)));
      expect(buffers(fromArrow(table))).toEqual(buffers(records));
      expect(buffers(fromArrow(table, spec))).toEqual(buffers(records));
      expect(buffers(fromArrow(table.slice(1)))).toEqual(buffers(records.slice(1)));
    }),
    { numRuns: 25 },
  );
});

test('features of fixed size, with defaults, and those that sparse and ragged read', async () => {
  const spec = {
    id: fixedLen([], 'int64'),
    name: fixedLen([], 'text'),
    box: fixedLen([2, 2], 'float32'),
    score: fixedLen([], 'float32', { default: 0.5 }),
    pairs: fixedLenSequence([2], 'int64', { allowMissing: true }),
    s: sparse({ indexKey: 'at', valueKey: 'val', dtype: 'float32', size: 10 }),
    r: ragged({ dtype: 'bytes', valueKey: 'v', partitions: [{ by: 'rowLengths', key: 'n' }] }),
  };
  const row = { id: int64(1), name: 'é', box: float([1, 2, 3, 4]), score: float(1), pairs: int64([1, 2, 3, 4]) };
  const records = [
    encodeExample({ ...row, at: int64([3]), val: float(2), v: ['a', 'b'], n: int64([1, 1]) }),
    encodeExample(row),
  ];
  const table = await tableOf(records, spec);
  expect(String(table.schema)).toBe(String(arrowSchema(spec)));
  expect(JSON.stringify(table.get(0)!.toJSON()['box'])).toBe('[[1,2],[3,4]]');
  expect(buffers(fromArrow(tableFromIPC(tableToIPC(table))))).toEqual(buffers(records));
  const lacking = await tableOf([encodeExample({ id: int64(1), name: '', box: float([1, 2, 3, 4]) })], spec);
  expect(lacking.get(0)!.toJSON()['score']).toBe(0.5);
});

test('shapes without values, and steps of a shape', async () => {
  const spec = {
    context: { none: fixedLen([0], 'int64'), x: fixedLen([2], 'bytes') },
    sequence: { x: fixedLenSequence([2], 'float32'), y: fixedLenSequence([], 'text', { allowMissing: true }) },
  };
  const record = encodeSequenceExample({
    context: { none: int64([]), x: ['a', 'b'] },
    featureLists: { x: [float([1, 2]), float([3, 4])], y: ['s', 't'] },
  });
  const bare = encodeSequenceExample({ context: { none: int64([]), x: ['', ''] }, featureLists: { x: [] } });
  const table = await tableOf([record, bare], spec);
  expect(table.schema.names).toEqual(['none', 'context.x', 'sequence.x', 'y']);
  expect(buffers(fromArrow(tableFromIPC(tableToIPC(table))))).toEqual(buffers([record, bare]));
});

test('no records give a schema, and no rows', async () => {
  const read = arrowBatches(tfrecord([]), SPEC);
  const batches: ArrowBatch[] = [];
  for await (const batch of read) batches.push(batch);
  expect(batches).toEqual([]);
  const empty = tableFromIPC(tableToIPC(new Table(read.schema)));
  expect(empty.schema.names).toEqual(['a', 'b', 'c', 'd']);
  expect(fromArrow(empty)).toHaveLength(0);
});

test('batches of at most `rows` rows, with origin, stats and an end', async () => {
  const records = Array.from({ length: 10 }, (_, i) => encodeExample({ id: int64(i) }));
  await using read = arrowBatches(tfrecord(records), { id: fixedLen([], 'int64') }, { rows: 4 });
  const rows: number[] = [];
  for await (const { numRows } of read) rows.push(numRows);
  expect(rows).toEqual([4, 4, 2]);
  expect(read.origin).toMatchObject({ record: 9 });
  expect(read.stats.records).toBe(10);
  for await (const { numRows } of read) {
    expect(numRows).toBe(4);
    break;
  }
});

test('records that do not fit are errors after those before them', async () => {
  const records = [encodeExample({ id: int64(1) }), encodeExample({ id: 'x' }), encodeExample({ id: int64(3) })];
  const spec = { id: fixedLen([], 'int64') };
  const rows: number[] = [];
  const read = async (onError?: 'skip'): Promise<void> => {
    for await (const batch of arrowBatches(tfrecord(records), spec, { onError })) rows.push(batch.numRows);
  };
  await expect(read()).rejects.toMatchObject({ code: 'TFR_FEATURE', record: 1, feature: 'id' });
  expect(rows).toEqual([1]);
  await read('skip');
  expect(rows.slice(1).reduce((a, b) => a + b)).toBe(2);
});

test('wrong arguments throw at once', () => {
  expect(() => arrowSchema({})).toThrow(expect.objectContaining({ code: 'TFR_SPEC' }));
  expect(() => arrowSchema({ sequence: {} })).toThrow(expect.objectContaining({ code: 'TFR_SPEC' }));
  expect(() => arrowBatches('x', SPEC, { rows: 0 })).toThrow(RangeError);
  expect(() => arrowBatches('x', SPEC, { row: 1 } as never)).toThrow(/Unknown option "row"/);
  expect(() => arrowBatches(5 as never, SPEC)).toThrow(TypeError);
});
