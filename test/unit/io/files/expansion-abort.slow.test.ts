import fs, { mkdirSync, readdirSync } from 'node:fs';

import { countRecords, readRecords, RecordReader } from '../../../../lib';
import { expandPath } from '../../../../lib/io/files/expand-paths';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
const { promises } = fs;
let readdir: jest.SpyInstance;
let lstat: jest.SpyInstance;
beforeAll(() => mkdirSync(folder.at('a')));
beforeEach(() => {
  readdir = jest.spyOn(promises, 'readdir');
  lstat = jest.spyOn(promises, 'lstat');
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => folder.remove());

/** A folder on a disk that does not answer. */
const stuck = (): Promise<never> => new Promise<never>(() => {});
const asked = async (spy: jest.SpyInstance): Promise<void> => {
  while (spy.mock.calls.length === 0) await new Promise(setImmediate);
};

describe.each(['*.tfr', '**/*.tfr', 's@99999', 's-?????-of-99999'])('while %s is looked for', (name) => {
  const lanes: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
    open: (signal) => RecordReader.open(folder.at(name), { signal }),
    records: (signal) => readRecords(folder.at(name), { signal }).next(),
    count: (signal) => countRecords(folder.at(name), { signal }),
  };

  const spies = { readdir: () => readdir, lstat: () => lstat };
  const cases = Object.keys(lanes).flatMap((lane) => [[lane, 'lstat'] as const, [lane, 'readdir'] as const]);

  test.each(cases)('an abort rejects at once: %s, in %s', async (lane, call) => {
    const spy = spies[call]();
    spy.mockImplementationOnce(stuck);
    const controller = new AbortController();
    const reading = lanes[lane]?.(controller.signal);
    await asked(spy);
    controller.abort('enough');
    await expect(reading).rejects.toBe('enough');
  });

  test('close ends a step that waits', async () => {
    readdir.mockImplementationOnce(stuck);
    const records = readRecords(folder.at(name));
    const step = records.next();
    await asked(readdir);
    await records.return?.();
    expect(await step).toEqual({ value: undefined, done: true });
  });
});

test('nothing is asked when nobody waits any more', async () => {
  const name = { path: folder.at('**'), expands: true };
  let over = false;
  readdir.mockImplementationOnce((...args: Parameters<typeof readdirSync>) => {
    over = true;
    return Promise.resolve(readdirSync(...args));
  });
  await expect(expandPath(name, () => over)).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  expect(readdir).toHaveBeenCalledTimes(1);
  expect(await expandPath(name)).toHaveLength(1);
  expect(readdir).toHaveBeenCalledTimes(3);
});
