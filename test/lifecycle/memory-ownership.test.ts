/** Memory that the program takes away, and readers that it forgets. */
import { CASE_TIMEOUT, endedWell, runCase } from '../support/run-case';
import { Folder, numberedRecords } from '../support/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const records = numberedRecords(20_000, 100);
const files = [folder.write('plain.tfrecord', records), folder.write('packed.tfrecord.gz', records)];
afterAll(() => folder.remove());

describe.each(files)('%s', (file) => {
  test('slabs that are transferred away and collected harm nobody', async () => {
    const result = await runCase('lifecycle/cases/transferred-slabs', { args: [file], flags: ['--expose-gc'] });
    expect(result).toEqual(
      endedWell({ records: 800_000, wrong: 0, batches: true }, { outcome: 'TFRecordError' }, { allReceived: true }),
    );
  });

  test('readers that are collected while their slabs are filled', async () => {
    const flags = ['--expose-gc', '--no-warnings'];
    const result = await runCase('lifecycle/cases/collected-mid-fill', { args: [file], flags });
    expect(result).toEqual(endedWell({ count: records.length }));
  });

  test('readers that are forgotten are closed when they are collected, with a warning each', async () => {
    const result = await runCase('lifecycle/cases/dropped-reader', {
      args: [folder.path, file],
      flags: ['--expose-gc', '--no-warnings'],
    });
    const expected = [{ opened: true, closed: true, warned: true }, { count: 400_000 }, false, false];
    expect(result).toEqual(endedWell(...expected));
  });
});

test('native keeps the slabs that it fills', async () => {
  const large = folder.write('large.tfrecord', numberedRecords(250, 100_000));
  const result = await runCase('lifecycle/cases/slabs-of-native', { args: [large], flags: ['--expose-gc'] });
  expect(result).toEqual(endedWell({ damaged: 0 }));
});
