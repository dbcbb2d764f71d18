/** Batches with more records than a piece are joined from parts of several pieces and files. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  ragged,
  readExamples,
  readSequenceExamples,
  varLen,
  type RecordSource,
} from '../../../../lib';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';
import { exampleOf, strings } from '../../../support/examples/wire';

const SPEC = {
  id: fixedLen([], 'int64'),
  pair: fixedLen([2], 'float32'),
  image: fixedLen([], 'bytes'),
  tags: varLen('bytes'),
  ids: varLen('int64'),
  parts: ragged({ dtype: 'int64' }),
};
const ROWS = 100;
const BATCH = 40;
const PIXELS = 90_000;
const record = (i: number): Uint8Array =>
  encodeExample({
    id: int64(i),
    pair: float([i, i / 2]),
    image: Buffer.alloc(PIXELS + i, 97 + (i % 26)),
    tags: bytes(Array.from({ length: i % 4 }, (_, k) => `${i}.${k}`)),
    ids: int64(Array.from({ length: i % 7 }, (_, k) => i * 1000 + k)),
    parts: int64(Array.from({ length: i % 3 }, (_, k) => k - i)),
  });
const RECORDS = Array.from({ length: ROWS }, (_, i) => record(i));

const folder = new Folder();
const path = folder.at('rows.tfrecord');
const halves = [folder.at('first.tfrecord'), folder.at('second.tfrecord')];
const bad = folder.at('bad.tfrecord');
beforeAll(() => {
  writeFileSync(path, tfrecord(RECORDS));
  halves.forEach((half, i) => writeFileSync(half, tfrecord(RECORDS.slice(55 * i, 55 + 55 * i))));
  writeFileSync(bad, tfrecord([...RECORDS.slice(0, 75), exampleOf({ id: strings('one') }), ...RECORDS.slice(75)]));
});
afterAll(() => folder.remove());
afterEach(() => {
  jest.restoreAllMocks();
});

const expected = (from: number, to: number): unknown => plainFeatures(parseExample(RECORDS.slice(from, to), SPEC));
const whole = (): Uint8Array => tfrecord(RECORDS);

test.each<[string, () => RecordSource]>([
  ['a file', () => path],
  ['bytes', whole],
  ['gzip', () => gzipSync(whole(), { level: 1 })],
  ['two files', () => halves],
])('of %s', async (_, source) => {
  for (const transient of [false, true]) {
    let at = 0;
    for await (const batch of readExamples(source(), SPEC, { transient }).batches(BATCH)) {
      const end = Math.min(at + BATCH, ROWS);
      expect(plainFeatures(batch)).toEqual(expected(at, end));
      at = end;
    }
    expect(at).toBe(ROWS);
  }
});

test('each value is copied into memory of its own once', async () => {
  const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
  const batches = readExamples(path, { id: SPEC.id, image: SPEC.image }).batches(BATCH);
  await batches.next();
  await batches.return?.();
  const columns = allocate.mock.calls.map(([size]) => size).filter((size) => size >= PIXELS);
  // Rows of the next batch that were already read may follow.
  expect(columns[0]).toBe(PIXELS * BATCH + (BATCH * (BATCH - 1)) / 2);
});

test('what came before a fault makes a batch', async () => {
  const batches = readExamples(bad, SPEC).batches(BATCH);
  expect(plainFeatures((await batches.next()).value as object)).toEqual(expected(0, 40));
  expect(plainFeatures((await batches.next()).value as object)).toEqual(expected(40, 75));
  await expect(batches.next()).rejects.toMatchObject({ code: 'TFR_FEATURE', record: 75, feature: 'id' });
});

test('records at fault are left out', async () => {
  let at = 0;
  for await (const batch of readExamples(bad, SPEC, { onError: 'skip' }).batches(BATCH)) {
    const end = Math.min(at + BATCH, ROWS);
    expect(plainFeatures(batch)).toEqual(expected(at, end));
    at = end;
  }
  expect(at).toBe(ROWS);
});

test('of batches and rows in turn', async () => {
  const reader = readExamples(path, SPEC);
  const rows = reader[Symbol.asyncIterator]();
  expect((await rows.next()).value).toMatchObject({ id: 0n });
  const batches = reader.batches(BATCH);
  expect(plainFeatures((await batches.next()).value as object)).toEqual(expected(1, 41));
  expect((await rows.next()).value).toMatchObject({ id: 41n });
  expect(plainFeatures((await batches.next()).value as object)).toEqual(expected(42, 82));
  await reader.close();
});

test('feature lists', async () => {
  const spec = {
    sequence: { tokens: fixedLenSequence([], 'int64'), words: varLen('bytes'), weights: varLen('float32') },
  };
  const records = Array.from({ length: 60 }, (_, i) =>
    encodeSequenceExample({
      featureLists: {
        tokens: Array.from({ length: 100 + i }, (_, k) => BigInt(k << (i % 20))),
        words: Array.from({ length: 100 }, (_, k) => (k % 3 === 0 ? bytes([]) : [`word ${k} of ${i}`.repeat(60)])),
        weights: Array.from({ length: 50 + i }, (_, k) => Float32Array.of(k, i)),
      },
    }),
  );
  const file = folder.at('sequences.tfrecord');
  writeFileSync(file, tfrecord(records));
  let at = 0;
  for await (const batch of readSequenceExamples(file, spec).batches(50)) {
    const wanted = parseSequenceExample(records.slice(at, at + 50), spec);
    expect(plainFeatures(batch.sequence)).toEqual(plainFeatures(wanted.sequence));
    expect(batch.lengths).toEqual(wanted.lengths);
    at += 50;
  }
  expect(at).toBe(100);
});
