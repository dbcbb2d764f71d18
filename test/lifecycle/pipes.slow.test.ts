/** A pipe without a writer, or without a reader, blocks neither a thread nor the end of the process. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { CASE_TIMEOUT, ended, endedWell, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const file = folder.write('a.tfrecord', numberedRecords(5_000, 100));
const pipe = join(folder.path, 'pipe');
execFileSync('mkfifo', [pipe]);
afterAll(() => folder.remove());

describe('reading', () => {
  test.each([
    ['closed', endedWell({ done: true })],
    ['aborted', endedWell(Array<string>(6).fill('TimeoutError'), [true, 5_000])],
    ['exit', ended(5)],
    ['written', endedWell(5_000)],
  ])('%s', async (way, expected) => {
    expect(await runCase('lifecycle/cases/devices/silent-pipe', { args: [pipe, file, way] })).toEqual(expected);
  });
});

describe('writing', () => {
  test.each([
    ['aborted', endedWell(Array<string>(6).fill('TFR_CLOSED'))],
    ['nobody', endedWell(Array<string>(6).fill('rejected'))],
    ['beside', endedWell([5_000, 5_000])],
    ['exit', { ...ended(5), stderr: expect.stringContaining('TFR_WRITER_LEFT') as string }],
    ['terminated', endedWell([1, 1, 1])],
    ['gone', endedWell(['EPIPE', 'write', true])],
  ])('%s', async (way, expected) => {
    expect(await runCase('lifecycle/cases/devices/stuck-pipe', { args: [pipe, file, way] })).toEqual(expected);
  });
});
