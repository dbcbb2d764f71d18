/** A writer saves the index of its file: the one that a scan gives. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';

import { Dataset, openIndexed, RecordIndex, RecordWriter, writeRecords, type WriteOptions } from '../../../../lib';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';

const folder = new Folder();
afterAll(() => folder.remove());

const RECORDS = letters(6000, 3000);

async function scanned(path: string): Promise<Buffer> {
  const index = RecordIndex.scan(path);
  await index.save(`${path}.scanned`);
  await index.close();
  return readFileSync(`${path}.scanned`);
}

const CASES: readonly (readonly [string, string, readonly Buffer[], WriteOptions])[] = [
  ['plain', 'a', RECORDS, {}],
  ['plain, in place', 'b', RECORDS, { atomic: false }],
  ['gzip', 'c.gz', RECORDS, { level: 1 }],
  ['gzip, in place', 'd.gz', RECORDS, { level: 1, atomic: false }],
  ['gzip, stored', 'e.gz', RECORDS, { level: 0 }],
  ['zlib', 'f.zz', RECORDS.slice(0, 2000), { level: 1 }],
  ['plain, a few records', 'g', RECORDS.slice(0, 3), {}],
  ['plain, records of one length', 'h', Array.from({ length: 3000 }, () => Buffer.alloc(100)), {}],
  ['plain, without records', 'i', [], {}],
  ['gzip, without records', 'j.gz', [], {}],
];

test.each(CASES)('%s: the index is that of a scan, and is loaded', async (_, name, records, options) => {
  const path = folder.at(name);
  await writeRecords(path, records, { ...options, index: true });
  expect(readFileSync(`${path}.tfindex`)).toEqual(await scanned(path));
  const index = await openIndexed(path, { onStale: 'throw' });
  expect(index.records).toBe(records.length);
  const random = randoms(2);
  for (let i = 0; i < 5 && records.length > 0; i++) {
    const record = Math.floor(random() * records.length);
    expect(Buffer.compare((await index.at(record))!, records[record]!)).toBe(0);
  }
  await index.close();
});

test('long records, and flushes between, give an index that reads every record', async () => {
  const records = [10, 3 << 20, 5, 0, 1 << 20, 7 << 20, 12].map((size, i) => Buffer.alloc(size, i));
  for (const name of ['long', 'long.gz']) {
    const path = folder.at(name);
    const writer = await RecordWriter.open(path, { index: true });
    for (const [i, record] of records.entries()) {
      await writer.write(record);
      if (i % 3 === 1) await writer.flush();
    }
    await writer.close();
    const index = await openIndexed(path, { onStale: 'throw' });
    for (const [i, record] of records.entries()) expect(Buffer.compare((await index.at(i))!, record)).toBe(0);
    await index.close();
  }
});

test('a file that is appended to, and shards of a dataset', async () => {
  const path = folder.at('appended.gz');
  await writeRecords(path, RECORDS.slice(0, 100), { index: true });
  await writeRecords(path, RECORDS.slice(100, 300), { append: true, index: true });
  const index = await openIndexed(path, { onStale: 'throw' });
  expect(index.records).toBe(300);
  await index.close();
  const { files } = await Dataset.range(100)
    .map((i) => `row ${i}`)
    .writeTo(folder.at('shard'), { shards: 3, index: true });
  for (const file of files) await (await openIndexed(file, { onStale: 'throw' })).close();
});

test('a file that is given up has no index, and an older one is not that of a new file', async () => {
  const path = folder.at('given-up');
  const writer = await RecordWriter.open(path, { index: true });
  await writer.write('a');
  await writer.abort();
  expect(existsSync(`${path}.tfindex`)).toBe(false);
  await writeRecords(path, RECORDS.slice(0, 10), { index: true });
  await writeRecords(path, RECORDS.slice(0, 20));
  await expect(openIndexed(path, { onStale: 'throw' })).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});

test('an index that cannot be saved rejects, and the file is there', async () => {
  const path = folder.at('unsaved');
  writeFileSync(path, '');
  mkdirSync(`${path}.tfindex`);
  await expect(writeRecords(path, ['a'], { index: true })).rejects.toMatchObject({ code: 'EISDIR' });
  expect(statSync(path).size).toBe(17);
});

test('streams have none', async () => {
  await expect(RecordWriter.open(new PassThrough(), { index: true })).rejects.toThrow(/options.index/);
  await expect(RecordWriter.open(folder.at('x'), { index: 1 as never })).rejects.toThrow(TypeError);
});
