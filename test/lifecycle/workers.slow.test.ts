/** Worker threads that end while native threads work for them. */
import { join } from 'node:path';

import { CASE_TIMEOUT, ended, endedWell, repeats, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT * 3);

const folder = new Folder();
const records = numberedRecords(20_000, 100);
const plain = folder.write('plain.tfrecord', records);
const gzip = folder.write('packed.tfrecord.gz', records);
afterAll(() => folder.remove());

test('100 terminated workers, busy with readers and writers, leave no crash, thread, descriptor or file', async () => {
  const target = new Folder();
  const result = await runCase('lifecycle/cases/threads/workers-terminated', {
    args: [plain, gzip, target.path, String(repeats(100))],
    limitMs: 180_000,
  });
  const { said, ...rest } = result;
  expect(rest).toEqual({ code: 0, signal: null, stderr: '', timedOut: false });
  expect(said).toEqual([
    { codes: [1], descriptorsBack: true, threadsBack: true },
    { grownMiB: expect.any(Number) },
    { unhandled: 0 },
  ]);
  if (process.env['TFRECORD_SANITIZER'] === undefined) {
    expect((said[1] as { grownMiB: number }).grownMiB).toBeLessThan(96);
  }
  expect(target.names()).toEqual([]);
  target.remove();
});

test('terminated workers that append leave neither a lock nor a descriptor', async () => {
  const target = new Folder();
  const args = [join(target.path, 'a.tfrecord'), String(repeats(30))];
  const { said, ...rest } = await runCase('lifecycle/cases/threads/append-terminated', {
    args,
    flags: ['--no-warnings'],
    limitMs: 180_000,
  });
  expect(rest).toEqual({ code: 0, signal: null, stderr: '', timedOut: false });
  const free = ['free, 0 left'];
  expect(said).toEqual([{ stuck: free }, { open: free }, { busy: free }, { unhandled: 0 }]);
  target.remove();
});

test('a file that is written in place is refused to a second writer in another thread', async () => {
  const target = new Folder();
  const result = await runCase('lifecycle/cases/threads/two-threads-write', {
    args: [join(target.path, 'a.tfrecord')],
  });
  expect(result).toEqual(endedWell('EBUSY', 'opened'));
  target.remove();
});

describe('the addon is loaded in workers only', () => {
  const counts = Array.from({ length: 6 }, () => [records.length, records.length]);

  test('the main thread ends well', async () => {
    const result = await runCase('lifecycle/cases/threads/only-workers', { args: [plain, 'after them'] });
    expect(result).toEqual(endedWell(counts));
  });

  test('process.exit of the main thread while one is busy', async () => {
    const result = await runCase('lifecycle/cases/threads/only-workers', { args: [plain, 'while one runs'] });
    expect(result).toEqual(ended(7, counts));
  });
});
