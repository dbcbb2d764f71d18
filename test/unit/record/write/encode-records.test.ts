import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import {
  encodeExamples,
  encodeRecords,
  fixedLen,
  readRecordsSync,
  writeRecords,
  type EncodeRecordsOptions,
  type RecordBatch,
} from '../../../../lib';
import { SLAB_BYTES } from '../../../../lib/record/write/frame-slab';
import { FOO_BAR } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';

const folder = mkdtempSync(join(tmpdir(), 'encode-records-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const batch = (count: number): RecordBatch =>
  encodeExamples({ id: BigInt64Array.from({ length: count }, (_, i) => BigInt(i)) }, { id: fixedLen([], 'int64') });
const texts = (bytes: Uint8Array): string[] =>
  Array.from(readRecordsSync(bytes), (record) => Buffer.from(record).toString());

test('the bytes of records, in order', () => {
  expect(Buffer.from(encodeRecords(['foo', Buffer.from('bar')])).toString('hex')).toBe(FOO_BAR);
  expect(encodeRecords([])).toEqual(new Uint8Array(0));
  expect(texts(encodeRecords(new Set(['é', '']).values(), { compression: 'gzip' }))).toEqual(['é', '']);
  expect([...readRecordsSync(encodeRecords(batch(3)))]).toEqual([...batch(3)]);
});

/** Records of sizes around those of slabs. */
const someRecords = fc.array(
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.uint8Array({ maxLength: 40 }),
    fc.integer({ min: 0, max: 5 }).map((count) => batch(count)),
    fc
      .constantFrom(0, 1000, SLAB_BYTES - 20, SLAB_BYTES - 16, SLAB_BYTES, 3 * SLAB_BYTES)
      .map((size) => new Uint8Array(size)),
  ),
  { maxLength: 12 },
);

test('the same bytes as those of a file', async () => {
  const options = fc.constantFrom<EncodeRecordsOptions>(
    {},
    { compression: 'none' },
    { compression: 'gzip' },
    { compression: 'gzip', level: 0 },
    { compression: 'zlib', level: 1 },
  );
  await fc.assert(
    fc.asyncProperty(someRecords, options, async (records, given) => {
      const file = join(folder, 'same');
      await writeRecords(file, records, given);
      expect(Buffer.from(encodeRecords(records, given)).equals(readFileSync(file))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('the result is memory of its own: later calls leave it alone', () => {
  const first = encodeRecords(['foo', 'bar']);
  encodeRecords(['another', 'call', 'of', 'more', 'records']);
  expect(Buffer.from(first).toString('hex')).toBe(FOO_BAR);
  expect(first.byteOffset).toBe(0);
  expect(first.buffer.byteLength).toBe(first.length);
});

test('a call inside the iterable of another', () => {
  const inner: string[][] = [];
  function* records(): Generator<string> {
    for (const text of ['a', 'b']) {
      inner.push(texts(encodeRecords([`${text}1`, `${text}2`])));
      yield text;
    }
  }
  expect(texts(encodeRecords(records()))).toEqual(['a', 'b']);
  expect(inner).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ]);
});

test('the limit of one call is none of the next, and a failure leaves nothing behind', () => {
  encodeRecords(['a'], { maxRecordBytes: 1 });
  expect(texts(encodeRecords(['longer']))).toEqual(['longer']);
  const lost = function* (): Generator<string> {
    yield 'lost';
    throw new Error('mine');
  };
  expect(() => encodeRecords(lost())).toThrow('mine');
  expect(texts(encodeRecords(['next']))).toEqual(['next']);
});

test('shared memory is copied', () => {
  const shared = new Uint8Array(new SharedArrayBuffer(3)).fill(65);
  expect(texts(encodeRecords([shared]))).toEqual(['AAA']);
});

const gone = new Uint8Array(3);
structuredClone(gone, { transfer: [gone.buffer] });

test.each<[string, unknown, unknown, string, string]>([
  ['a record', Buffer.from('a'), undefined, 'ERR_INVALID_ARG_TYPE', '"records" must be an iterable of records'],
  ['text', 'abc', undefined, 'ERR_INVALID_ARG_TYPE', '"records" must be an iterable of records'],
  [
    'an async iterable',
    (async function* () {})(),
    undefined,
    'ERR_INVALID_ARG_TYPE',
    'writeRecords() takes async iterables',
  ],
  ['a number as a record', ['a', 1], undefined, 'ERR_INVALID_ARG_TYPE', '"record" must be a Uint8Array or a string'],
  ['half a surrogate pair', ['\ud800'], undefined, 'ERR_INVALID_ARG_VALUE', '"record" must be'],
  ['memory that is gone', [gone], undefined, 'ERR_INVALID_ARG_VALUE', 'detached'],
  [
    'a long record',
    ['ab', 'abc'],
    { maxRecordBytes: 2 },
    'TFR_RECORD_TOO_LARGE',
    '<encoded>, record 1: expected at most 2',
  ],
  [
    'a long record of a batch',
    [batch(2)],
    { maxRecordBytes: 2 },
    'TFR_RECORD_TOO_LARGE',
    'record 0 (record 0 of the batch)',
  ],
  ['auto, without a name', [], { compression: 'auto' }, 'ERR_INVALID_ARG_VALUE', 'options.compression'],
  ['a level without a compression', [], { level: 1 }, 'ERR_INVALID_ARG_VALUE', 'compression is "none"'],
  ['an option of files', [], { atomic: true }, 'ERR_INVALID_ARG_VALUE', 'atomic'],
])('refuses %s', (_, records, options, code, message) => {
  const error = thrown(() => encodeRecords(records as string[], options as EncodeRecordsOptions)) as Error;
  expect(error).toMatchObject({ code });
  expect(error.message).toContain(message);
});
