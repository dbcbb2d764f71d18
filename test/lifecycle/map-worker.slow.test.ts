/** However a dataset ends, the threads of its `mapWorker` end, too; they never keep a process alive. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Dataset } from '../../lib';
import { onLinux } from '../support/on-linux';
import { Folder } from '../support/records/record-files';
import { CASE_TIMEOUT, ended, endedWell, runCase, type Ended } from '../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

const modules = join(__dirname, '..', 'unit', 'dataset', 'modules');
const folder = new Folder();
afterAll(() => folder.remove());

const run = (what: string, ...flags: readonly string[]): Promise<Ended> =>
  runCase('lifecycle/cases/threads/map-worker', { args: [what, modules], flags });

onLinux('every end, of idle and of busy workers, also of functions that never return', async () => {
  expect(await run('stops')).toEqual(endedWell({ stops: 24, left: 0 }));
});

test('a worker keeps the process alive until it is gone, whoever lets go of it meanwhile', async () => {
  expect(await run('letGo')).toEqual(endedWell({ ended: true }));
});

test('a process ends by itself beside workers that wait', async () => {
  expect(await run('left')).toEqual(endedWell({ threads: true, given: 3 }));
});

onLinux('a forgotten iterator is closed, with a warning', async () => {
  expect(await run('forgotten', '--expose-gc', '--no-warnings')).toEqual(
    endedWell({ started: true }, { back: true, warned: 1 }),
  );
});

test('process.exit while workers are busy', async () => {
  expect(await run('exit')).toEqual(ended(7));
});

test('a worker that runs out of memory is an error', async () => {
  const { stderr: _, ...rest } = await run('exhaust', '--max-old-space-size=48');
  expect({ ...rest, stderr: '' }).toEqual(endedWell({ code: 'TFR_USER', cause: 'ERR_WORKER_OUT_OF_MEMORY' }));
});

onLinux('a thread with such a dataset is terminated', async () => {
  expect(await run('terminated')).toEqual(endedWell({ nothingLeft: true }));
});

test('calls see the end in their signal', async () => {
  const seen = folder.at('seen');
  appendFileSync(seen, '');
  const elements = Dataset.range(3).mapWorker(join(modules, 'signal.mjs'), { workers: 1, data: seen }).iterate();
  expect(await elements.next()).toEqual({ value: 0, done: false });
  const pending = elements.next();
  await elements.return();
  expect(await pending).toEqual({ value: undefined, done: true });
  expect(existsSync(seen) && readFileSync(seen, 'utf8')).toBe('AbortError\n');
});
