/** `batches(n)` gives the same as parseExample of all good records: random files, faults and sources. */
import { writeFileSync } from 'node:fs';

import fc from 'fast-check';

import { fixedLen, parseExample, ragged, readExamples, sparse, varLen, type OnError } from '../../lib';
import { batchesIn, plainRow } from '../support/example-files';
import { plainFeatures } from '../support/plain-values';
import { Folder } from '../support/record-files';
import { CODECS, compress, flipBit, offsets, tfrecord } from '../support/tfrecord';
import { exampleOf, floats, int64s, record, strings, wireOf } from '../support/wire';

const SPEC = {
  id: fixedLen([], 'int64'),
  tags: varLen('bytes'),
  grid: sparse({ indexKey: 'at', valueKey: 'grid', dtype: 'int64', size: 10 }),
  rows: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'len' }] }),
};
const fitting = (i: number): Uint8Array =>
  exampleOf({
    id: int64s(i),
    tags: strings(...Array.from({ length: i % 3 }, (_, k) => `${i}.${k}`)),
    ...(i % 2 === 0 && { grid: int64s(i), at: int64s(i % 10) }),
    ...(i % 5 === 0 && { n: int64s(i, i, i), len: int64s(1, 2) }),
  });
/** Records for SPEC, by their fault. */
const MADE = {
  good: fitting,
  malformed: () => record(wireOf('0a 7f 01')),
  missing: () => exampleOf({ tags: strings('x') }),
  kind: () => exampleOf({ id: floats(1) }),
  count: () => exampleOf({ id: int64s(1, 2) }),
  'sparse lengths': (i: number) => exampleOf({ id: int64s(i), grid: int64s(1, 2), at: int64s(3) }),
  'sparse bounds': (i: number) => exampleOf({ id: int64s(i), grid: int64s(1), at: int64s(10) }),
  partition: (i: number) => exampleOf({ id: int64s(i), n: int64s(1, 2), len: int64s(1) }),
  /** A good record; the file damages its data. */
  damaged: fitting,
} satisfies Record<string, (i: number) => Uint8Array>;
type Made = keyof typeof MADE;
const KINDS = Object.keys(MADE) as Made[];
const FAULTS = KINDS.filter((kind) => kind !== 'good');

/** Makes the file of records of these kinds, and their payloads. */
function fileOf(kinds: readonly Made[]): { bytes: Buffer; payloads: Uint8Array[]; at: number[] } {
  const payloads = kinds.map((kind, i) => MADE[kind](i));
  const at = offsets(payloads);
  let bytes = tfrecord(payloads);
  kinds.forEach((kind, i) => {
    if (kind === 'damaged') bytes = flipBit(bytes, at[i]! + 12 + 5);
  });
  return { bytes, payloads, at };
}
const goodOf = (kinds: readonly Made[], payloads: readonly Uint8Array[]): Uint8Array[] =>
  payloads.filter((_, i) => kinds[i] === 'good');

const folder = new Folder();
afterAll(() => folder.remove());
const put = (name: string, bytes: Uint8Array): string => {
  writeFileSync(folder.at(name), bytes);
  return folder.at(name);
};

test('batches(n) is parseExample of all that fit, whatever the data, n, the faults and the source', async () => {
  const kind = fc.oneof(
    { arbitrary: fc.constant<Made>('good'), weight: 12 },
    { arbitrary: fc.constantFrom(...FAULTS), weight: 1 },
  );
  const run = fc.record({
    kinds: fc.oneof(fc.array(kind, { maxLength: 40 }), fc.array(kind, { minLength: 1000, maxLength: 2500 })),
    size: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 51, max: 3000 })),
    codec: fc.constantFrom(...CODECS),
    form: fc.constantFrom('path', 'bytes', 'stream'),
    readAhead: fc.integer({ min: 0, max: 4 }),
    rowsFirst: fc.nat(20),
    dropRemainder: fc.boolean(),
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(run, async ({ kinds, size, codec, form, readAhead, rowsFirst, dropRemainder }) => {
      const { bytes, payloads } = fileOf(kinds);
      const good = goodOf(kinds, payloads);
      const packed = compress(bytes, codec);
      const path = put(`random-${count++ % 8}`, packed);
      const source = { path, bytes: packed, stream: [packed.subarray(0, 100), packed.subarray(100)] }[form] as string;
      const onError: OnError = { action: 'skip', maxRate: 1 };
      const reader = readExamples(source, SPEC, { onError, readAhead, batchBytes: 4096 });
      const rows = reader[Symbol.asyncIterator]();
      const parsed = good.length === 0 ? [] : good;
      for (let i = 0; i < Math.min(rowsFirst, good.length); i++) {
        const { value } = (await rows.next()) as IteratorYieldResult<object>;
        const one = parseExample([parsed[i]!], { id: SPEC.id }).id;
        expect(plainRow(value, { id: SPEC.id })).toEqual({ id: Number(one[0]) });
      }
      const rest = good.slice(rowsFirst);
      const batches = Math[dropRemainder ? 'floor' : 'ceil'](rest.length / size);
      const expected = Array.from({ length: batches }, (_, i) =>
        plainFeatures(parseExample(rest.slice(i * size, (i + 1) * size), SPEC)),
      );
      const found = await batchesIn(reader, size, dropRemainder);
      expect(found.error).toBeUndefined();
      expect(found.rows).toEqual(expected);
      expect(reader.stats.skipped).toBe(kinds.length - good.length);
    }),
    { numRuns: process.env['TFRECORD_FULL'] === '1' ? 400 : 40 },
  );
});
