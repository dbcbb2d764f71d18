/** Threads and processes end while records are read by an index. */
import { gzipSync } from 'node:zlib';

import { letters } from '../support/records/letters';
import { Folder } from '../support/records/record-files';
import { tfrecord } from '../support/records/tfrecord';
import { CASE_TIMEOUT, ended, endedWell, runCase } from '../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

const RECORDS = letters(20_000, 400);
const CONTENT = tfrecord(RECORDS);
const folder = new Folder();
afterAll(() => folder.remove());

const FILES = { 'a plain file': CONTENT, 'a GZIP file': gzipSync(CONTENT, { level: 1 }) };

describe.each(Object.entries(FILES))('%s', (name, content) => {
  const file = folder.put(name.replaceAll(' ', '-'), content);

  test('workers that are terminated', async () => {
    const lengths = [5, 1, 5].map((record) => RECORDS[record]!.length);
    expect(await runCase('lifecycle/cases/threads/gather', { args: ['terminated', file] })).toEqual(
      endedWell({ codes: [1], lengths }),
    );
  });

  test('process.exit', async () => {
    expect(await runCase('lifecycle/cases/threads/gather', { args: ['exit', file] })).toEqual(
      ended(7, { reading: true }),
    );
  });
});
