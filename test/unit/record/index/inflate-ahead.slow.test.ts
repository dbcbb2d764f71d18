/** Compressed files whose checkpoints are known are inflated on several threads, which changes no result. */
import { writeFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';

import { RecordReader } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { RecordIndex } from '../../../../lib/record';
import { letters } from '../../../support/records/letters';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const CONTENT = tfrecord(letters(30_000, 1000));
const third = Math.floor(CONTENT.length / 3);
const FILES: Readonly<Record<string, Buffer>> = {
  'one.gz': gzipSync(CONTENT, { level: 1 }),
  'several.gz': Buffer.concat(
    [0, 1, 2].map((i) => gzipSync(CONTENT.subarray(i * third, i < 2 ? (i + 1) * third : undefined), { level: 1 })),
  ),
  'one.zlib': deflateSync(CONTENT, { level: 1 }),
};

/** Returns the sum of a checksum of each record, in order, and the error that ends them. */
async function digest(batches: AsyncIterable<Iterable<Uint8Array>>): Promise<unknown> {
  let sum = 0;
  let records = 0;
  try {
    for await (const batch of batches) {
      for (const record of batch) {
        sum = (Math.imul(sum, 31) + record.length + 257 * record[0]! + record.at(-1)!) | 0;
        records++;
      }
    }
  } catch (error) {
    const { code, file, record, offset } = error as { code?: string; file?: string; record?: number; offset?: number };
    return { sum, records, code, file, record, offset };
  }
  return { sum, records };
}

const sequential = async (path: string): Promise<unknown> => digest((await RecordReader.open(path)).batches());

test.each(Object.keys(FILES))('%s: a slice, and later passes of a dataset, give the records in order', async (name) => {
  const path = folder.put(name, FILES[name]!);
  const expected = await sequential(path);
  await using index = RecordIndex.scan(path);
  await index.done;
  expect(await digest(index.slice())).toEqual(expected);
  expect(index.records).toBe(30_000);
  const half: Iterable<Uint8Array>[] = [];
  for await (const batch of index.slice(15_000)) half.push(batch);
  const all: Iterable<Uint8Array>[] = [];
  for await (const batch of index.slice(0, 15_000)) all.push(batch);
  expect(await digest(asynchronous([...all, ...half]))).toEqual(expected);
  const dataset = Dataset.tfrecord(path);
  for (let epoch = 0; epoch < 3; epoch++) expect(await digest(dataset.chunks({ epoch }))).toEqual(expected);
});

test.each(Object.keys(FILES))('%s: damage is the same error in each pass', async (name) => {
  const bytes = FILES[name]!;
  for (const at of [Math.floor(bytes.length * 0.7), bytes.length - 3]) {
    const path = folder.put(`damaged-${at}-${name}`, flipBit(bytes, at));
    const expected = await sequential(path);
    expect(expected).toMatchObject({ code: expect.stringMatching(/^TFR_CO(MPRESSION|RRUPT_DATA)$/) as unknown });
    const dataset = Dataset.tfrecord(path);
    for (let epoch = 0; epoch < 3; epoch++) expect(await digest(dataset.chunks({ epoch }))).toEqual(expected);
  }
});

test('a file that is replaced between two passes is read anew', async () => {
  const path = folder.put('replaced.gz', FILES['one.gz']!);
  const dataset = Dataset.tfrecord(path);
  await digest(dataset.chunks());
  writeFileSync(path, gzipSync(tfrecord(letters(20_000, 900)), { level: 1 }));
  const expected = await sequential(path);
  expect(expected).toMatchObject({ records: 20_000 });
  expect(await digest(dataset.chunks())).toEqual(expected);
});

async function* asynchronous<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}
