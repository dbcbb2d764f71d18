/** readExamples of long files, and of two hundred streams at once. */
import { setImmediate } from 'node:timers/promises';

import { readExamples } from '../../../../lib';
import { batchesIn, NUMBERED, numbered, parsedBatches } from '../../../support/examples/example-files';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

test('long files: rows and batches of tens of thousands', async () => {
  const records = Array.from({ length: 30_000 }, (_, i) => numbered(i));
  const path = folder.write('long.tfrecord.gz', records);
  let next = 0;
  let wrong = 0;
  for await (const { id, tags } of readExamples([path, path], NUMBERED)) {
    const i = next++ % 30_000;
    if (id !== BigInt(i) || tags.length !== i % 4) wrong++;
  }
  expect(wrong).toBe(0);
  expect(next).toBe(60_000);
  expect(await batchesIn(readExamples(path, NUMBERED), 7_000)).toEqual({
    rows: parsedBatches(records, NUMBERED, 7_000),
    error: undefined,
  });
});

describe('a source that waits for what was read of it', () => {
  test('many at once, whose chunks come while the bytes before are read', async () => {
    const bytes = tfrecord(Array.from({ length: 300 }, (_, i) => numbered(i)));
    async function* source(size: number): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) {
        if (at % 3 > 0) await setImmediate();
        yield bytes.subarray(at, at + size);
      }
    }
    const counts = Array.from({ length: 200 }, async (_, i) => {
      let rows = 0;
      for await (const { id } of readExamples(source(17 + i), NUMBERED).batches(64)) rows += id.length;
      return rows;
    });
    expect(await Promise.all(counts)).toEqual(Array(200).fill(300));
  });
});
