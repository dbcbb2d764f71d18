/** Records of real files by their numbers: those that a reader gives in order, also as GZIP, ZLIB, and members of our writer. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

import { openIndexed, readRecords, writeRecords } from '../../lib';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../support/records/real-data';
import { Folder } from '../support/records/record-files';
import { tfrecord } from '../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const FILES = (REAL_FACTS as readonly { readonly local: string }[]).map(({ local }) => local);
/** Numbers that are asked for in a batch, and one by one. */
const [IN_BATCHES, ALONE, BATCH] = [10_000, 50, 1000];
/** Records of the files that are made of all. */
const MOST = 3000;

async function inOrder(file: string): Promise<Buffer[]> {
  const records: Buffer[] = [];
  for await (const record of readRecords(file)) records.push(Buffer.from(record));
  return records;
}

const LAYOUTS: Record<string, (records: readonly Buffer[], path: string) => Promise<void> | void> = {
  plain: (records, path) => writeFileSync(path, tfrecord(records)),
  'GZIP of one member': (records, path) => writeFileSync(path, gzipSync(tfrecord(records))),
  'GZIP of a member a record': (records, path) =>
    writeFileSync(path, Buffer.concat(records.map((record) => gzipSync(tfrecord([record]))))),
  'GZIP of our writer': (records, path) => writeRecords(path, records, { compression: 'gzip' }).then(() => undefined),
  ZLIB: (records, path) => writeFileSync(path, deflateSync(tfrecord(records))),
};

async function expectSame(path: string, records: readonly Buffer[]): Promise<void> {
  // The second time, the index is loaded.
  for (const again of [false, true]) {
    await using index = await openIndexed(path, { save: !again, checkpointBytes: 65_536 });
    expect(index.records).toBe(records.length);
    if (records.length === 0) return;
    const wanted = Array.from({ length: IN_BATCHES }, () => Math.floor(Math.random() * records.length));
    for (let at = 0; at < IN_BATCHES; at += BATCH) {
      const numbers = wanted.slice(at, at + BATCH);
      const batch = await index.readBatch(numbers);
      const wrong = numbers.filter((number, i) => !records[number]!.equals(batch.at(i)!));
      expect(wrong).toEqual([]);
    }
    for (const number of wanted.slice(0, ALONE)) {
      expect(records[number]!.equals((await index.at(number))!)).toBe(true);
    }
  }
}

if (FILES.length === 0) {
  test.todo(NO_REAL_FILES);
} else {
  it.each(FILES.map((local) => [local]))('%s by number', async (local) => {
    const source = join(REAL_FILES, local);
    const copy = folder.at(`real-${basename(local)}`);
    writeFileSync(copy, readFileSync(source));
    await expectSame(copy, await inOrder(source));
  });

  it.each(Object.entries(LAYOUTS))('the records of all files as %s', async (name, write) => {
    const records = (await Promise.all(FILES.map((local) => inOrder(join(REAL_FILES, local))))).flat();
    const step = Math.ceil(records.length / MOST);
    const path = folder.at(name.replaceAll(' ', '-'));
    const some = records.filter((_, i) => i % step === 0);
    await write(some, path);
    await expectSame(path, some);
  });
}
