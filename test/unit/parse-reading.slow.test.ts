/** readExamples of long files, and of two hundred streams at once. */
import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

import { fixedLen, fixedLenSequence, parseExample, readExamples, varLen } from '../../lib';
import { batchesIn, numbered, type Row } from '../support/example-files';
import { plainFeatures } from '../support/plain-values';
import { Folder } from '../support/record-files';
import { compress, tfrecord } from '../support/tfrecord';

const SPEC = {
  id: fixedLen([], 'int64'),
  w: varLen('float32'),
  tags: fixedLenSequence([], 'bytes', { allowMissing: true, default: '?' }),
  pairs: fixedLenSequence([2], 'int64', { allowMissing: true }),
};
const RECORDS = Array.from({ length: 300 }, (_, i) => numbered(i));

const folder = new Folder();
afterAll(() => folder.remove());
const batched = (size: number, all: readonly Uint8Array[] = RECORDS): Row[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
    plainFeatures(parseExample(all.slice(i * size, (i + 1) * size), SPEC)),
  );

test('long files: rows and batches of tens of thousands', async () => {
  const records = Array.from({ length: 30_000 }, (_, i) => numbered(i));
  const path = folder.at('long.tfrecord.gz');
  writeFileSync(path, compress(tfrecord(records), 'gzip'));
  let next = 0;
  let wrong = 0;
  for await (const { id, tags } of readExamples([path, path], SPEC)) {
    const i = next++ % 30_000;
    if (id !== BigInt(i) || tags.length !== i % 4) wrong++;
  }
  expect(wrong).toBe(0);
  expect(next).toBe(60_000);
  expect(await batchesIn(readExamples(path, SPEC), 7_000)).toEqual({ rows: batched(7_000, records), error: undefined });
});

describe('a source that waits for what was read of it', () => {
  const records = Array.from({ length: 6_000 }, (_, i) => numbered(i));

  test('many at once, whose chunks come while the bytes before are read', async () => {
    const bytes = tfrecord(records.slice(0, 300));
    async function* source(size: number): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) {
        if (at % 3 > 0) await setImmediate();
        yield bytes.subarray(at, at + size);
      }
    }
    const counts = Array.from({ length: 200 }, async (_, i) => {
      let rows = 0;
      for await (const { id } of readExamples(source(17 + i), SPEC).batches(64)) rows += id.length;
      return rows;
    });
    expect(await Promise.all(counts)).toEqual(Array(200).fill(300));
  });
});
