/** Several outputs of Parquet are written at once, and are the ones that a job writes one after the other. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';

import { encodeExample, fixedLen, int64 } from '../../../../lib';
import { convert, type ConvertOptions, type ConvertProgress } from '../../../../lib/convert';
import { JumpingReader } from '../../../../lib/convert/input/by-index';
import { scanAndSave } from '../../../../lib/record';
import { contentOf } from '../../../support/records/parquet-outcomes';
import { Folder } from '../../../support/records/record-files';

jest.mock('node:os', () => ({
  ...jest.requireActual<typeof import('node:os')>('node:os'),
  availableParallelism: () => 3,
}));

const PROCESSORS = availableParallelism();
const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const rows = Array.from({ length: 60_000 }, (_, i) => encodeExample({ i: int64(i), t: `the text of record ${i}` }));
const spec = { i: fixedLen([], 'int64'), t: fixedLen([], 'text') };
// Places are seen every 16 MiB.
const longRows = Array.from({ length: 4000 }, (_, i) =>
  encodeExample({ i: int64(i), t: `${i}`.padEnd(20_000, 'text ') }),
);
const offsets = longRows.reduce((ends, { length }) => [...ends, ends.at(-1)! + length + 16], [0]);
const plain = folder.write('plain.tfrecord', longRows);

interface Written {
  /** The path of each output, by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly ConvertProgress[];
  /** Number of parts of the job that ran at once. */
  readonly parts: number;
}

async function written(input: string | readonly string[], options: ConvertOptions): Promise<Written> {
  const { at, path } = folder.place();
  const steps: ConvertProgress[] = [];
  const close = jest.spyOn(JumpingReader.prototype, 'close');
  await convert(input as string, at('o.parquet'), { spec, ...options, onProgress: (step) => steps.push(step) });
  const parts = close.mock.calls.length;
  close.mockRestore();
  const files = new Map(readdirSync(path).map((name) => [name, at(name)]));
  files.delete('o.parquet.manifest.json');
  return { files, steps, parts };
}

/** Expects the same rows, columns and metadata. Groups of rows may begin elsewhere. */
async function expectEqual(found: string, expected: string): Promise<void> {
  // Jest compares many rows slowly.
  expect(isDeepStrictEqual(await contentOf(found), await contentOf(expected))).toBe(true);
}

/** Writes the outputs at once and, under a policy that may leave out records, one after the other; compares them. */
async function same(input: string | readonly string[], shards: number): Promise<Written> {
  const found = await written(input, { shards });
  const expected = await written(input, { shards, onError: { action: 'skip', maxRate: 1 } });
  expect(expected.parts).toBe(1);
  expect([...found.files.keys()]).toEqual([...expected.files.keys()]);
  expect(found.files.size).toBe(shards);
  for (const [name, path] of found.files) await expectEqual(path, expected.files.get(name)!);
  return found;
}

test('a plain file, by the places that were seen when its records were counted', async () => {
  expect((await same(plain, 7)).parts).toBe(PROCESSORS);
  expect((await same(plain, 2)).parts).toBe(2);
});

test('many compressed files, of which little is read in vain', async () => {
  const files = Array.from({ length: 12 }, (_, i) =>
    folder.write(`part-${i}.tfrecord.gz`, rows.slice(i * 5000, (i + 1) * 5000)),
  );
  const empty = folder.write('empty.tfrecord.gz', []);
  expect((await same([empty, ...files, empty], 6)).parts).toBe(PROCESSORS);
});

test('one compressed file, only with its index', async () => {
  const path = folder.write('one.tfrecord.gz', rows);
  expect((await same(path, 6)).parts).toBe(1);
  await scanAndSave(path);
  expect((await same(path, 6)).parts).toBe(PROCESSORS);
});

test('more outputs than records', async () => {
  await same(folder.write('few.tfrecord', rows.slice(0, 3)), 8);
});

test('progress grows to the sizes of the inputs', async () => {
  const { steps } = await written([plain, plain], { shards: 6 });
  const writing = steps.filter(({ phase }) => phase === 'write');
  for (const [i, { bytes, records }] of writing.entries()) {
    expect(bytes).toBeGreaterThanOrEqual(writing[i - 1]?.bytes ?? 0);
    expect(records).toBeGreaterThanOrEqual(writing[i - 1]?.records ?? 0);
  }
  expect(writing.at(-1)).toMatchObject({ bytes: 2 * statSync(plain).size, records: 2 * longRows.length });
});

/** A copy of the plain file in which the data of these records are damaged. */
function damaged(...records: readonly number[]): string {
  const content = readFileSync(plain);
  for (const record of records) content[offsets[record]! + 12]! ^= 1;
  return folder.put('damaged.tfrecord', content);
}

test('the first of several errors is thrown, and what is finished can be resumed', async () => {
  const { at, names } = folder.place();
  for (const [records, first] of [
    [[1700, 2801], 1700],
    [[1332, 1333], 1332],
    [[3999], 3999],
  ] as const) {
    const failing = convert(damaged(...records), at('o.parquet'), { spec, shards: 6, force: true });
    await expect(failing).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: first });
    expect(names().filter((name) => name.includes('.tmp'))).toEqual([]);
  }
  writeFileSync(folder.at('damaged.tfrecord'), readFileSync(plain));
  const { files } = await written(plain, { shards: 6 });
  const { kept } = await convert(folder.at('damaged.tfrecord'), at('o.parquet'), { spec, shards: 6, force: true });
  expect(kept).toBe(0);
  for (const [name, path] of files) await expectEqual(at(name), path);
});

test('a job that is resumed does not read what it does not need', async () => {
  const { at, names } = folder.place();
  const input = damaged();
  const options = { spec, shards: 5, resume: true };
  await convert(input, at('o.parquet'), options);
  const lost = names().filter((name) => /0000[24]-of/.test(name));
  const before = await Promise.all(lost.map((name) => contentOf(at(name))));
  for (const name of lost) rmSync(at(name));
  const { atime, mtime } = statSync(input);
  damaged(0, 799);
  utimesSync(input, atime, mtime);
  expect(await convert(input, at('o.parquet'), options)).toMatchObject({ kept: 3 });
  expect(isDeepStrictEqual(await Promise.all(lost.map((name) => contentOf(at(name)))), before)).toBe(true);
});

test('a job whose signal aborts, or whose progress throws, leaves nothing', async () => {
  const { at, names } = folder.place();
  const reason = new Error('no more');
  const aborting = new AbortController();
  const onProgress = ({ phase }: ConvertProgress): void => {
    if (phase === 'write') aborting.abort(reason);
  };
  const options = { spec, shards: 3, onProgress, signal: aborting.signal };
  await expect(convert(plain, at('a.parquet'), options)).rejects.toBe(reason);
  const thrown = new Error('thrown');
  const throwing = ({ phase }: ConvertProgress): void => {
    if (phase === 'write') throw thrown;
  };
  await expect(convert(plain, at('b.parquet'), { spec, shards: 3, onProgress: throwing })).rejects.toBe(thrown);
  expect(names()).toEqual([]);
});
