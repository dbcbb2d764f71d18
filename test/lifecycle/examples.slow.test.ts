/** Readers of Examples that the program drops. */
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';
import { numbered } from '../support/examples/example-files';
import { Folder } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
afterAll(() => folder.remove());

test('readers that are forgotten are closed when they are collected, with a warning each', async () => {
  const records = Array.from({ length: 5_000 }, (_, i) => numbered(i));
  const file = folder.write('examples.tfrecord', records);
  const flags = ['--expose-gc', '--no-warnings'];
  const result = await runCase('lifecycle/cases/memory/dropped-examples', { args: [folder.path, file], flags });
  expect(result).toEqual(endedWell({ closed: true, warned: true }, { count: 50_000 }, { kept: 0 }));
});
