/** Slices of an indexed file: the records that `Array.prototype.slice` gives. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { RecordIndex, type RecordBatch } from '../../../../lib';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';
import { flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = letters(4000, 600);
const CONTENT = tfrecord(RECORDS);
const AT = offsets(RECORDS);

async function indexed(bytes: Uint8Array): Promise<RecordIndex> {
  const path = folder.fresh();
  writeFileSync(path, bytes);
  const index = RecordIndex.scan(path, { checkpointBytes: 2 ** 17 });
  await index.done;
  return index;
}

async function recordsOf(batches: AsyncIterable<RecordBatch>): Promise<Buffer[]> {
  const records: Buffer[] = [];
  for await (const batch of batches) for (const record of batch) records.push(Buffer.from(record));
  return records;
}

test.each([
  ['plain', CONTENT],
  ['gzip', gzipSync(CONTENT, { level: 1 })],
  ['zlib', deflateSync(CONTENT, { level: 1 })],
])('random slices of a file that is %s', async (_, bytes) => {
  const index = await indexed(bytes);
  const random = randoms(3);
  const bound = (): number | undefined =>
    random() < 0.1 ? undefined : Math.floor((random() * 2.2 - 1.1) * RECORDS.length);
  for (let i = 0; i < 40; i++) {
    const [begin, end] = [bound(), bound()];
    const found = await recordsOf(index.slice(begin, end));
    const wanted = RECORDS.slice(begin, end);
    expect(found.length).toBe(wanted.length);
    expect(found.findIndex((record, at) => Buffer.compare(record, wanted[at]!) !== 0)).toBe(-1);
  }
  await index.close();
});

test('the batches have the numbers of the records', async () => {
  const index = await indexed(gzipSync(CONTENT));
  let next = 1234;
  for await (const batch of index.slice(1234, -5)) {
    for (let i = 0; i < batch.length; i++) {
      expect(batch.origin(i)).toMatchObject({ record: next, offset: AT[next] });
      next++;
    }
  }
  expect(next).toBe(RECORDS.length - 5);
  await index.close();
});

test('damage outside of a slice does not matter; in it, the policy decides', async () => {
  const index = await indexed(flipBit(CONTENT, AT[2000]! + 20));
  expect(await recordsOf(index.slice(1990, 2000))).toHaveLength(10);
  expect(await recordsOf(index.slice(2001, 2011))).toHaveLength(10);
  await expect(recordsOf(index.slice(1990, 2010))).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 2000 });
  const skipped: unknown[] = [];
  const onError = (error: Error): 'skip' => {
    skipped.push(error);
    return 'skip';
  };
  expect(await recordsOf(index.slice(1990, 2010, { onError }))).toHaveLength(19);
  expect(skipped).toMatchObject([{ record: 2000 }]);
  await index.close();
});

test('a loop that is left closes the file, and another one begins anew', async () => {
  const index = await indexed(CONTENT);
  for (let i = 0; i < 3; i++) {
    for await (const batch of index.slice(10)) {
      expect(batch.origin(0)).toMatchObject({ record: 10 });
      break;
    }
  }
  await index.close();
  await expect(index.slice(0).next()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
});

test('a file that has changed, and wrong arguments, reject', async () => {
  const path = folder.put('changing', CONTENT);
  const index = RecordIndex.scan(path);
  await index.done;
  await expect(index.slice(0.5).next()).rejects.toThrow(RangeError);
  await expect(index.slice('1' as unknown as number).next()).rejects.toThrow(TypeError);
  await expect(index.slice(0, 1, { verify: 'none' } as object).next()).rejects.toThrow(/verify/);
  const reason = new Error('of the caller');
  await expect(index.slice(0, 1, { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
  appendFileSync(path, 'x');
  await expect(index.slice(0, 1).next()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  await index.close();
});
