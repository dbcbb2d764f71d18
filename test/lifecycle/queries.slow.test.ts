/** Programs with queries end when, and how, they say. */
import { encodeExample, int64 } from '../../lib';
import { CASE_TIMEOUT, ended, endedWell, runCase } from '../support/running/run-case';
import { Folder } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const file = folder.write(
  'many.tfrecord',
  Array.from({ length: 20_000 }, (_, i) => encodeExample({ id: int64(i) })),
);
afterAll(() => folder.remove());

const run = (way: string): ReturnType<typeof runCase> => {
  return runCase('lifecycle/cases/exit/query-busy', { args: [file, way] });
};

test.each(['asked', 'stream'])('process.exit while a query runs ends the process: %s', async (way) => {
  expect(await run(`process.exit, ${way}`)).toEqual(ended(7, 'running'));
});

test('a query that nobody reads to its end does not keep the process', async () => {
  expect(await run('left')).toEqual(endedWell('running'));
});

test('workers end with their functions, and others go on', async () => {
  expect(await run('workers')).toEqual(endedWell([0, 0, 0, 20_000, 20_000]));
});

test('writers of Parquet whose file cannot be made are collected', async () => {
  const args = [folder.at('none/a.parquet')];
  expect(await runCase('lifecycle/cases/memory/failed-parquet', { args, flags: ['--expose-gc'] })).toEqual(
    endedWell({ all: true }),
  );
});
