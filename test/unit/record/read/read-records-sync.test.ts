import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

import { readRecordsSync } from '../../../../lib';
import { isOpen } from '../../../support/running/descriptors';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { text } from '../../../support/records/texts';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const PAYLOADS = Array.from({ length: 2000 }, (_, index) => `record ${index}`);
const FILE = tfrecord(PAYLOADS);

const folder = new Folder();
const path = folder.at('a.tfrecord');
beforeAll(() => writeFileSync(path, FILE));
afterAll(() => folder.remove());

test('all records, by small slabs and large, of a file and of bytes', () => {
  for (const batchBytes of [4096, 1 << 20]) {
    for (const source of [path, FILE]) {
      expect(Array.from(readRecordsSync(source, { batchBytes }), text)).toEqual(PAYLOADS);
    }
  }
});

onLinux('break, return, throw, an error and dispose close the file', async () => {
  const damaged = folder.at('damaged');
  writeFileSync(damaged, flipBit(FILE, FILE.length - 1));
  const ways: ((records: IterableIterator<Uint8Array>) => void)[] = [
    (records) => {
      for (const record of records) if (record.length > 0) break;
    },
    (records) => records.return?.(),
    (records) => expect(() => records.throw?.(new Error('mine'))).toThrow('mine'),
    (records) => (records as IterableIterator<Uint8Array> & Disposable)[Symbol.dispose](),
    (records) => expect([...records]).toHaveLength(PAYLOADS.length - 1),
  ];
  for (const way of ways) {
    const records = readRecordsSync(path, { batchBytes: 4096 });
    records.next();
    expect(isOpen(path)).toBe(true);
    way(records);
    await setTimeout(1);
    expect(isOpen(path)).toBe(false);
    expect(records.next()).toEqual({ value: undefined, done: true });
  }
  const records = readRecordsSync(damaged, { batchBytes: 4096 });
  expect(() => [...records]).toThrow(expect.objectContaining({ code: 'TFR_CORRUPT_DATA', record: 1999 }));
  await setTimeout(1);
  expect(isOpen(damaged)).toBe(false);
  expect(records.next()).toEqual({ value: undefined, done: true });
});

test('nothing is opened before the first step, and an aborted signal throws there', () => {
  const missing = folder.at('missing');
  const records = readRecordsSync(missing);
  writeFileSync(missing, tfrecord(['there now']));
  expect([...records].map(text)).toEqual(['there now']);
  const reason = new Error('enough');
  const aborted = readRecordsSync(path, { signal: AbortSignal.abort(reason) });
  expect(() => aborted.next()).toThrow(reason);
  expect(aborted.next()).toEqual({ value: undefined, done: true });
});
