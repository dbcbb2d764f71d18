/** Many readers and writers at once, and many that end early. */
import { CASE_TIMEOUT, endedWell, repeats, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT * 2);

const ROUNDS = String(process.env['TFRECORD_FULL'] === '1' ? 10_000 : repeats(1_000));
let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

test('200 readers at once', async () => {
  for (let name = 0; name < 40; name++) {
    folder.write(`${name}.tfrecord${name % 2 === 0 ? '' : '.gz'}`, numberedRecords(1_000 + name, 20 + name));
  }
  expect(await runCase('stress/cases/many-readers', { args: [folder.path] })).toEqual(endedWell(0, 200));
});

test('50 writers at once', async () => {
  expect(await runCase('stress/cases/many-writers', { args: [folder.path] })).toEqual(endedWell(0, 0));
  expect(folder.names()).toHaveLength(50);
});

test('1,000 readings that end early leave no descriptor and no thread', async () => {
  const records = numberedRecords(20_000, 100);
  const args = [folder.write('a.tfrecord', records), folder.write('a.tfrecord.gz', records), ROUNDS];
  const result = await runCase('stress/cases/early-breaks', { args, limitMs: 120_000 });
  expect(result).toEqual(endedWell({ descriptorsBack: true, threadsBack: true }));
});

test('1,000 iterations of pipelines that end early leave nothing', async () => {
  for (let name = 0; name < 6; name++)
    folder.write(`${name}.tfrecord${name % 2 === 0 ? '' : '.gz'}`, numberedRecords(2_000, 100));
  const args = [folder.at('*.tfrecord*'), ROUNDS];
  const flags = ['--expose-gc', '--no-warnings'];
  const result = await runCase('stress/cases/dataset-stops', { args, flags, limitMs: 240_000 });
  expect(result).toEqual(endedWell({ descriptorsBack: true, threadsBack: true, listeners: 0, memoryBack: true }));
});
