/** Relative paths are relative to the working directory at the start of reading, even if it changes later. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Dataset, readRecords, readRecordsSync } from '../../../../lib';
import { onLinux } from '../../../support/on-linux';
import { Folder } from '../../../support/records/record-files';
import { text } from '../../../support/records/texts';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const home = process.cwd();
const folder = new Folder();
const NAMES = ['a', 'b', 'c', 'd', 'e'];
mkdirSync(folder.at('elsewhere'));
mkdirSync(folder.at('strange [a]'));
for (const name of NAMES) {
  writeFileSync(folder.at(`${name}.txt`), `${name}1\n${name}2\n`);
  writeFileSync(folder.at(join('elsewhere', `${name}.txt`)), 'of another folder\n');
  folder.write(join('strange [a]', name), [Buffer.from(`${name}1`), Buffer.from(`${name}2`)]);
  folder.write(name, [Buffer.from(`${name}1`), Buffer.from(`${name}2`)]);
}
for (const name of ['a', 'z']) folder.write(join('elsewhere', name), [Buffer.from('of another folder')]);
const ALL = NAMES.flatMap((name) => [`${name}1`, `${name}2`]);

beforeEach(() => process.chdir(folder.path));
afterEach(() => process.chdir(home));
afterAll(() => folder.remove());

test('a reader of a list, and of a pattern', async () => {
  for (const source of [NAMES, '?']) {
    process.chdir(folder.path);
    const seen: string[] = [];
    for await (const record of readRecords(source)) {
      seen.push(text(record));
      process.chdir(folder.at('elsewhere'));
    }
    expect(seen).toEqual(ALL);
    process.chdir(folder.path);
    const now: string[] = [];
    for (const record of readRecordsSync(source)) {
      now.push(text(record));
      process.chdir(folder.at('elsewhere'));
    }
    expect(now).toEqual(ALL);
  }
});

const onWindows = process.platform === 'win32' ? test : test.skip;
onWindows('paths that name a drive, but no folder from its root on', async () => {
  const drive = folder.path.slice(0, 2);
  for (const [source, records] of [
    [`${drive}a`, ['a1', 'a2']],
    [`${drive}elsewhere/[z]`, ['of another folder']],
  ] as const) {
    process.chdir(folder.path);
    const later = readRecords(source);
    const now = readRecordsSync(source);
    const seen = [text((await later.next()).value as Uint8Array)];
    now.next();
    process.chdir(folder.at('elsewhere'));
    for await (const record of later) seen.push(text(record));
    expect(seen).toEqual(records);
    expect([...now]).toHaveLength(records.length - 1);
  }
});

test('an interleave', async () => {
  const dataset = Dataset.from(NAMES).interleave((name) => Dataset.tfrecord(name), { cycleLength: 1 });
  const seen: string[] = [];
  for await (const record of dataset) {
    seen.push(text(record));
    process.chdir(folder.at('elsewhere'));
  }
  expect(seen).toEqual(ALL);
});

const TEXTS = NAMES.map((name) => `${name}.txt`);
const IN_TURN = { cycleLength: 1, prefetch: 0 };
const given = (element: unknown): string => (typeof element === 'string' ? element : text(element as Uint8Array));

test.each<[string, () => Dataset<unknown, unknown>]>([
  ['text', () => Dataset.text(TEXTS)],
  ['text of a pattern', () => Dataset.text('?.txt')],
  ['records of one length', () => Dataset.fixedLength(TEXTS, 3).map((record) => text(record as Uint8Array).trim())],
  ['csv', () => Dataset.csv(TEXTS, { header: false, columns: { word: '' } }).map(({ word }) => word)],
  ['files', () => Dataset.files('?').interleave((file) => Dataset.tfrecord(file), { cycleLength: 1 })],
  [
    'files listed late',
    () =>
      Dataset.from(NAMES).interleave(
        (name) => Dataset.files(`[${name}]`).flatMap((file) => Dataset.tfrecord(file)),
        IN_TURN,
      ),
  ],
  ['patterns', () => Dataset.from(NAMES).interleave((name) => Dataset.tfrecord(`[${name}]`), IN_TURN)],
  ['texts in turn', () => Dataset.from(TEXTS).interleave((name) => Dataset.text(name), IN_TURN)],
  [
    'a source of the user',
    () =>
      Dataset.define(TEXTS, {
        open: async (file) => (await readFile(file, 'latin1')).trim().split('\n'),
        read: (lines) => (lines.length === 0 ? undefined : { value: lines.shift() }),
      }),
  ],
])('%s', async (_name, make) => {
  // Behind the first element, and before it.
  for (const late of [true, false]) {
    process.chdir(folder.path);
    const elements = make().iterate();
    const seen: string[] = [];
    if (!late) process.chdir(folder.at('elsewhere'));
    for await (const element of elements) {
      seen.push(given(element));
      process.chdir(folder.at('elsewhere'));
    }
    expect(seen).toEqual(ALL);
  }
});

test('a folder whose name looks like a pattern', async () => {
  process.chdir(folder.at('strange [a]'));
  const seen: string[] = [];
  for await (const record of Dataset.from(NAMES).interleave((name) => Dataset.tfrecord(`${name}*`), IN_TURN)) {
    seen.push(given(record));
    process.chdir(folder.at('elsewhere'));
  }
  expect(seen).toEqual(ALL);
});

test('names stay as they were given: in origins, and in states', async () => {
  const make = (): Dataset<unknown, unknown> =>
    Dataset.from(NAMES).interleave((name) => Dataset.tfrecord(`[${name}]`), IN_TURN);
  const elements = make().iterate();
  const files: (string | undefined)[] = [];
  for (let i = 0; i < 5; i++) {
    await elements.next();
    files.push(elements.origin?.file);
    process.chdir(folder.at('elsewhere'));
  }
  expect(files).toEqual(['a', 'a', 'b', 'b', 'c']);
  const state = elements.state();
  await elements.return();
  process.chdir(folder.path);
  const rest: string[] = [];
  for await (const record of make().iterate({ state })) rest.push(given(record));
  expect(rest).toEqual(ALL.slice(5));
});

test('names stay as they were given in errors of the synchronous reader, too', async () => {
  writeFileSync('z', flipBit(tfrecord(['z1', 'z2']), 12));
  mkdirSync('folder');
  const wrong = async (file: string, code: string): Promise<void> => {
    const error = expect.objectContaining({ code, file, message: expect.stringContaining(file) as string }) as Error;
    process.chdir(folder.path);
    const later = readRecords(['a', file]);
    const now = readRecordsSync(['a', file]);
    await later.next();
    now.next();
    process.chdir(folder.at('elsewhere'));
    await later.next();
    now.next();
    await expect(later.next()).rejects.toThrow(error);
    expect(() => now.next()).toThrow(error);
  };
  await wrong('z', 'TFR_CORRUPT_DATA');
  await wrong('folder', 'EISDIR');
  await wrong('missing', 'ENOENT');
});

test('a cache on disk, and the files of a set', async () => {
  const cached = Dataset.tfrecord(NAMES).cache('cache');
  let count = 0;
  for await (const _ of cached.repeat(2)) {
    process.chdir(folder.at('elsewhere'));
    count++;
  }
  expect(count).toBe(2 * ALL.length);
  process.chdir(folder.path);
  const going = Dataset.tfrecord(NAMES).writeTo('set', { shards: 30 });
  process.chdir(folder.at('elsewhere'));
  const { files } = await going;
  process.chdir(folder.path);
  expect(files).toHaveLength(30);
  const made = (name: string): boolean => name.startsWith('set-') || basename(name) === 'cache';
  expect(readdirSync('elsewhere').filter(made)).toEqual([]);
  expect(readdirSync('.').filter(made)).toHaveLength(31);
});

/** Linux opens paths of up to 4,095 bytes; 'é' is one character, and two bytes. */
onLinux('a file whose full path is too long to open, in a working directory whose path is not', async () => {
  mkdirSync(folder.at('deep'));
  process.chdir(folder.at('deep'));
  const step = 'é'.repeat(120);
  while (Buffer.byteLength(process.cwd()) < 3850) {
    mkdirSync(step);
    process.chdir(step);
  }
  const [deep, name] = [process.cwd(), `${step}.tfrecord`];
  try {
    writeFileSync(name, tfrecord([Buffer.from('deep')]));
    expect(Buffer.byteLength(join(deep, name))).toBeGreaterThan(4095);
    const records: Uint8Array[] = [];
    for await (const record of readRecords(name)) records.push(record);
    for await (const record of readRecords('é*')) records.push(record);
    for await (const record of Dataset.files('*').interleave((file) => Dataset.tfrecord(file))) records.push(record);
    for (const record of readRecordsSync(name)) records.push(record);
    expect(records.map(text)).toEqual(['deep', 'deep', 'deep', 'deep']);

    // Behind a change of the directory the file is out of reach, and another of its name is not read in its place.
    folder.write(name, [Buffer.from('of another folder')]);
    const late = Dataset.tfrecord(name).iterate();
    process.chdir(folder.path);
    await expect(late.next()).rejects.toMatchObject({ code: 'ENAMETOOLONG', file: name });
  } finally {
    process.chdir(deep);
    rmSync(name);
  }
});
