/** Parts of a job that divide the records of one file, or of fewer files than parts. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';

import { openIndexed, writeRecords } from '../../../lib';
import { convert, mergeParts, type ConvertOptions, type ConvertReport } from '../../../lib/convert';
import { randoms } from '../../support/randoms';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

/** Records of very different lengths, that begin with their numbers. */
function unevenRecords(count: number, seed: number): Buffer[] {
  const random = randoms(seed);
  return Array.from({ length: count }, (_, i) => {
    const record = Buffer.alloc(4 + Math.floor(random() ** 4 * 2000), i % 251);
    record.writeUInt32LE(i);
    return record;
  });
}

const numberOf = (record: Buffer): number => record.readUInt32LE(0);
const records = unevenRecords(500, 1);
const all = records.map(numberOf);
const plain = folder.put('plain.tfrecord', tfrecord(records));

async function parts(
  input: string | string[],
  output: string,
  count: number,
  options: ConvertOptions = {},
): Promise<ConvertReport[]> {
  const reports: ConvertReport[] = [];
  for (let index = 0; index < count; index++) {
    reports.push(await convert(input, output, { ...options, shard: { index, count } }));
  }
  return reports;
}

/** The numbers of all records of the parts, in order. */
function numbersOf(reports: readonly ConvertReport[]): number[] {
  return reports.flatMap(({ files }) => files.flatMap((file) => wholeRecords(readFileSync(file)).map(numberOf)));
}

test.each([2, 3, 7, 40])('a plain file without an index: %d parts have each record once, in order', async (count) => {
  const { at } = folder.place();
  const reports = await parts(plain, at('out.tfrecord'), count);
  expect(numbersOf(reports)).toEqual(all);
  const merged = await mergeParts(at('out.tfrecord'));
  expect(merged).toMatchObject({ records: 500, bytesIn: readFileSync(plain).length });
  expect(numbersOf([merged])).toEqual(all);
  const manifest: unknown = JSON.parse(readFileSync(at('out.tfrecord.manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ inputs: [{ file: plain }] });
});

test('parts are about as large, and read about their own bytes', async () => {
  const { at } = folder.place();
  const reports = await parts(plain, at('out.tfrecord'), 5);
  const sizes = reports.map(({ bytesOut }) => bytesOut);
  const total = readFileSync(plain).length;
  for (const size of sizes) expect(Math.abs(size - total / 5)).toBeLessThanOrEqual(2020);
});

test.each<[string, number]>([
  ['by-index.tfrecord', 6],
  ['by-index.tfrecord.gz', 6],
  ['by-index.zz', 3],
])('%s with a saved index: %d parts', async (name, count) => {
  const { at } = folder.place();
  const input = folder.at(name);
  await writeRecords(input, records, { index: true });
  const reports = await parts(input, at('out.tfrecord'), count, { shards: 2 * count });
  expect(numbersOf(reports)).toEqual(all);
  expect(reports.every(({ notes }) => notes.length === 0)).toBe(true);
  expect((await mergeParts(at('out.tfrecord'))).files).toHaveLength(2 * count);
});

test('fewer files than parts: boundaries are anywhere in them, and empty files do no harm', async () => {
  const { at } = folder.place();
  const inputs = [0, 1, 2].map((i) =>
    folder.put(`of-three-${i}`, tfrecord(records.slice(i * 150, i === 2 ? 500 : i * 150 + 150))),
  );
  inputs.splice(1, 0, folder.put('empty', Buffer.alloc(0)));
  const reports = await parts(inputs, at('out.gz'), 11);
  await mergeParts(at('out.gz'));
  const index = await openIndexed(reports[0]!.files[0]!.replace(/out\.gz\.part-.*$/, 'out-00000-of-00011.gz'));
  await index.close();
  const whole = await convert(at('out-*'), at('joined'));
  expect(numbersOf([whole])).toEqual(all);
});

test('a compressed file without an index is in one part, and a note says so', async () => {
  const { at } = folder.place();
  const input = folder.at('no-index.tfrecord.gz');
  await writeRecords(input, records);
  const reports = await parts(input, at('out.tfrecord'), 3);
  expect(reports.map(({ records: count }) => count)).toEqual([500, 0, 0]);
  expect(reports[0]!.notes).toEqual([expect.stringMatching(/is in one part.*tfrecord index/)]);
});

test('records within a record on a boundary are not taken for records', async () => {
  const { at } = folder.place();
  const nested = tfrecord(unevenRecords(300, 5));
  const input = folder.put('nested', tfrecord([...records.slice(0, 50), nested, ...records.slice(51)]));
  const reports = await parts(input, at('out.tfrecord'), 9);
  expect(reports.reduce((sum, { records: count }) => sum + count, 0)).toBe(500);
  expect((await mergeParts(at('out.tfrecord'))).records).toBe(500);
});

describe('a record that holds more records than a search follows', () => {
  const inner = tfrecord(Array.from({ length: 3000 }, () => Buffer.alloc(3000)));
  const input = folder.put('deep', tfrecord([records[0]!, inner, records[1]!]));

  test('the part before the false boundary fails, instead of records that come twice', async () => {
    const { at } = folder.place();
    await expect(convert(input, at('out'), { shard: '0/3' })).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      file: input,
      message: expect.stringMatching(/do not fit together.*tfrecord index/) as string,
    });
    const { code, stderr } = await runHere(['convert', '--shard', '0/3', input, at('out')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/do not fit together/);
  });

  test('with an index all parts are right', async () => {
    const { at } = folder.place();
    const copy = folder.put('deep-indexed', readFileSync(input));
    await (await openIndexed(copy, { save: true })).close();
    const reports = await parts(copy, at('out'), 3);
    expect(reports.map(({ records: count }) => count)).toEqual([2, 0, 1]);
  });
});

test('parts of which one saw an index and another did not are not merged', async () => {
  const { at } = folder.place();
  const input = folder.put('sometimes', tfrecord(records));
  const manifest = at('out.part-1-of-2/manifest.json');
  await parts(input, at('out'), 2);
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace(/("begin": \[\s*0,\s*)\d+/, '$199'));
  await expect(mergeParts(at('out'))).rejects.toThrow(/its first record is at place 99 of input 0/);
  writeFileSync(manifest, text);
  expect((await mergeParts(at('out'))).records).toBe(500);
});

test('damage belongs to one part', async () => {
  const { at } = folder.place();
  const bytes = tfrecord(records);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle]! ^= 1;
  const input = folder.put('damaged', bytes);
  const reports = await parts(input, at('out'), 4, { onError: 'skip' });
  expect(reports.map(({ skipped }) => skipped).reduce((sum, each) => sum + each)).toBe(1);
  expect(numbersOf(reports)).toHaveLength(499);
});

test('a job that goes on inflates nothing before the checkpoint of its first record', async () => {
  const { at } = folder.place();
  const input = folder.at('checkpoints.gz');
  const large = records.map((_, i) => {
    // More than the 4 MiB between two checkpoints.
    const record = randomBytes(12_000);
    record.writeUInt32LE(i);
    return record;
  });
  await writeRecords(input, large, { level: 1 });
  const time = 1_700_000_000;
  utimesSync(input, time, time);
  await (await openIndexed(input, { save: true })).close();
  const { files } = await convert(input, at('out'), { shards: 10 });
  const whole = numbersOf([{ files } as ConvertReport]);
  rmSync(files[9]!);
  // Damage that the check of the index does not see, in records that are written already.
  const bytes = readFileSync(input);
  bytes.fill(0, 100_000, 100_100);
  writeFileSync(input, bytes);
  utimesSync(input, time, time);
  expect(await convert(input, at('out'), { shards: 10, resume: true })).toMatchObject({ kept: 9, records: 500 });
  expect(numbersOf([{ files } as ConvertReport])).toEqual(whole);
  await expect(convert(input, at('again'), { shards: 5 })).rejects.toMatchObject({ file: input });
});

test('a part that was interrupted goes on', async () => {
  const { at } = folder.place();
  const options: ConvertOptions = { shard: '1/3', shards: 9 };
  const { files } = await convert(plain, at('out'), options);
  const before = files.map((file) => readFileSync(file));
  writeFileSync(files[1]!, '');
  const { kept } = await convert(plain, at('out'), { ...options, resume: true });
  expect(kept).toBe(2);
  expect(files.map((file) => readFileSync(file))).toEqual(before);
});
