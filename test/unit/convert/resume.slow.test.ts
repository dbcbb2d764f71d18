/** Jobs that go on: what is kept, what is written again, and what is refused. */
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

import { convert, type ConvertOptions } from '../../../lib/convert';
import { jobFiles } from '../../support/records/job-files';
import { Folder, numberedRecords } from '../../support/records/record-files';
import { flipBit, tfrecord } from '../../support/records/tfrecord';
import { CASE_TIMEOUT, runCase } from '../../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(1000, 24);
const whole = tfrecord(records);
const options: ConvertOptions = { shards: 5, resume: true };

/** A folder with an input. */
function place(): ReturnType<Folder['place']> & { input: string } {
  const made = folder.place();
  const input = made.at('in');
  writeFileSync(input, whole);
  return { ...made, input };
}

/** The names of outputs, and when each was made. */
function times(at: (name: string) => string, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    names.filter((name) => name.startsWith('out-')).map((name) => [name, statSync(at(name), { bigint: false }).ino]),
  );
}

/** Runs the job on damaged data, so that it fails in the middle, then mends the data without a trace. */
async function interrupted(input: string, out: string, given: ConvertOptions): Promise<void> {
  const { atime, mtime } = statSync(input);
  writeFileSync(input, flipBit(whole, 650 * 40 + 20));
  utimesSync(input, atime, mtime);
  await expect(convert(input, out, given)).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA' });
  writeFileSync(input, whole);
  utimesSync(input, atime, mtime);
}

test.each<ConvertOptions>([
  {},
  { compression: 'gzip' },
  { split: { a: 0.7, b: 0.3 } },
  { shards: undefined, maxBytes: 5000 },
])('goes on behind the last finished output, with %j', async (more) => {
  const { path, at, input, names } = place();
  const given = { ...options, ...more };
  await interrupted(input, at('out'), given);
  const before = times(at, names());
  expect(Object.keys(before).length).toBeGreaterThanOrEqual(3);
  const report = await convert(input, at('out'), given);
  expect(report).toMatchObject({ records: 1000, kept: Object.keys(before).length, upToDate: false });
  expect(times(at, names())).toMatchObject(before);
  const resumed = jobFiles(path, 'out');
  await convert(input, at('out'), { ...given, resume: false, force: true });
  expect(jobFiles(path, 'out')).toEqual(resumed);
});

test('a shuffled job keeps its order, with a seed that the system drew, too', async () => {
  const { path, at, input } = place();
  const given = { ...options, shuffle: true };
  await convert(input, at('out'), given);
  const state = jobFiles(path, 'out');
  rmSync(at('out-00003-of-00005'));
  expect(await convert(input, at('out'), given)).toMatchObject({ kept: 4, records: 1000 });
  expect(jobFiles(path, 'out')).toEqual(state);
});

test.each<ConvertOptions>([options, { resume: true }, { resume: true, split: { a: 0.5, b: 0.5 } }])(
  'a complete job does nothing, with %j',
  async (given) => {
    const { path, at, input, names } = place();
    const first = await convert(input, at('out'), given);
    const before = [names(), times(at, names()), jobFiles(path, 'out')];
    const again = await convert(input, at('out'), given);
    expect(again).toEqual({
      ...first,
      seconds: expect.any(Number) as number,
      kept: first.files.length,
      upToDate: true,
    });
    expect([names(), times(at, names()), jobFiles(path, 'out')]).toEqual(before);
  },
);

test('an output that was removed, or cut, is written again', async () => {
  const { path, at, input } = place();
  await convert(input, at('out'), options);
  const state = jobFiles(path, 'out');
  rmSync(at('out-00001-of-00005'));
  writeFileSync(at('out-00004-of-00005'), 'cut');
  expect(await convert(input, at('out'), options)).toMatchObject({ kept: 3, upToDate: false });
  expect(jobFiles(path, 'out')).toEqual(state);
});

test('changed input and changed options are refused, and forced', async () => {
  const { at, input } = place();
  await convert(input, at('out'), options);
  for (const [changed, name] of [
    [{ shards: 4 }, 'shards'],
    [{ compression: 'gzip' as const }, 'compression'],
    [{ seed: 1 }, 'seed'],
    [{ split: { a: 1 } }, 'split'],
  ] as const) {
    await expect(convert(input, at('out'), { ...options, ...changed })).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      message: expect.stringContaining(`"${name}"`) as string,
    });
  }
  await expect(convert([input, input], at('out'), options)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  writeFileSync(input, tfrecord(records.slice(1)));
  await expect(convert(input, at('out'), options)).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
    message: expect.stringContaining('number 0 differs') as string,
  });
  expect(await convert(input, at('out'), { shards: 5, force: true })).toMatchObject({ records: 999, kept: 0 });
});

test('outputs without a manifest, and a file that is no manifest, are refused', async () => {
  const { at, input } = place();
  await convert(input, at('out'));
  await expect(convert(input, at('out'), { resume: true })).rejects.toMatchObject({ code: 'EEXIST' });
  const hostile = { format: 'tfrecord-native conversion', version: 1, complete: true, options: {}, inputs: [] };
  for (const text of [
    'no JSON',
    '{}',
    JSON.stringify({ ...hostile, version: 2 }),
    JSON.stringify(hostile),
    JSON.stringify({ ...hostile, outputs: [{ file: '../in', records: 0, skipped: 0, bytes: 1, crc32c: '' }] }),
  ]) {
    writeFileSync(at('other.manifest.json'), text);
    await expect(convert(input, at('other'), options)).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  }
  expect(await convert(input, at('other'), { shards: 5, force: true })).toMatchObject({ records: 1000 });
});

test(
  'a killed process leaves whole outputs, and another goes on',
  async () => {
    const { path, at, input } = place();
    writeFileSync(input, tfrecord(numberedRecords(3000, 2000)));
    const given = { shards: 6, compression: 'gzip' };
    const args = [input, at('out'), JSON.stringify(given)];
    for (const delay of [20, 60, 100]) {
      await runCase('unit/convert/cases/convert', { args: [...args, String(delay)] });
      for (const name of readdirSync(at('')).filter((name) => /^out-.*\d$/.test(name))) {
        expect(statSync(at(name)).size).toBeGreaterThan(1000);
      }
    }
    const ended = await runCase('unit/convert/cases/convert', { args });
    expect(ended).toMatchObject({ code: 0, stderr: '', said: [{ records: 3000 }, { unhandled: 0 }] });
    const state = jobFiles(path, 'out');
    await convert(input, at('out'), { shards: 6, compression: 'gzip', force: true });
    expect(jobFiles(path, 'out')).toEqual(state);
    expect(readdirSync(at('')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
  CASE_TIMEOUT,
);
