/** Memory that the program transfers away, and readers that it drops. */
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const records = numberedRecords(20_000, 100);
const files = [folder.write('plain.tfrecord', records), folder.write('packed.tfrecord.gz', records)];
afterAll(() => folder.remove());

describe.each(files)('%s', (file) => {
  test('slabs that are transferred away and collected harm nobody', async () => {
    const result = await runCase('lifecycle/cases/memory/transferred-slabs', { args: [file], flags: ['--expose-gc'] });
    expect(result).toEqual(
      endedWell({ records: 800_000, wrong: 0, batches: true }, { outcome: 'TFRecordError' }, { allReceived: true }),
    );
  });

  test('readers that are collected while their slabs are filled', async () => {
    const flags = ['--expose-gc', '--no-warnings'];
    const result = await runCase('lifecycle/cases/memory/collected-mid-fill', { args: [file], flags });
    expect(result).toEqual(endedWell({ count: records.length }));
  });

  test('readers that are forgotten are closed when they are collected, with one warning', async () => {
    const result = await runCase('lifecycle/cases/memory/dropped-reader', {
      args: [folder.path, file],
      flags: ['--expose-gc', '--no-warnings'],
    });
    const expected = [
      { opened: true, closed: true, warned: true },
      { warnings: 1, told: true },
      { count: 400_000 },
      false,
      false,
    ];
    expect(result).toEqual(endedWell(...expected));
  });
});

test('streams that encode, and that nobody reads or ends, are collected', async () => {
  const result = await runCase('lifecycle/cases/memory/dropped-encoders', { flags: ['--expose-gc'] });
  expect(result).toEqual(endedWell({ left: 0, warnings: 0 }));
});

test('native keeps the slabs that it fills', async () => {
  const large = folder.write('large.tfrecord', numberedRecords(250, 100_000));
  const result = await runCase('lifecycle/cases/memory/slabs-of-native', { args: [large], flags: ['--expose-gc'] });
  expect(result).toEqual(endedWell({ damaged: 0 }));
});

test('a shuffle buffer does not keep the slabs of all that passed while its oldest records waited', async () => {
  const [size, bytes] = [2000, 1000];
  const file = folder.write('shuffled.tfrecord', numberedRecords(10_000, bytes));
  const limit = 5 * size * bytes;
  const args = [file, String(size), String(limit)];
  const result = await runCase('lifecycle/cases/memory/shuffle-held', { args, flags: ['--expose-gc'] });
  const [held] = result.said as [number];
  // If each slab stayed until its last record, of some hundred, has left, it would be seven times the buffer.
  expect(held).toBeGreaterThan(size * bytes);
  expect(held).toBeLessThan(limit);
  expect(result).toEqual(endedWell(held));
});
