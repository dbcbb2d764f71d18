/** A pipe without a writer holds neither a thread nor the process. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { CASE_TIMEOUT, ended, endedWell, runCase } from '../support/run-case';
import { Folder, numberedRecords } from '../support/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const file = folder.write('a.tfrecord', numberedRecords(5_000, 100));
const pipe = join(folder.path, 'pipe');
execFileSync('mkfifo', [pipe]);
afterAll(() => folder.remove());

test.each([
  ['closed', endedWell({ done: true })],
  ['aborted', endedWell(Array<string>(6).fill('TimeoutError'), [true, 5_000])],
  ['exit', ended(5)],
  ['written', endedWell(5_000)],
])('%s', async (way, expected) => {
  expect(await runCase('lifecycle/cases/silent-pipe', { args: [pipe, file, way] })).toEqual(expected);
});
