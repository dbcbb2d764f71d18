/**
 * `onError: 'salvage'`: every way to read gives the same records and regions, and records that may be data of a damaged
 * one are marked.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import {
  Dataset,
  encodeExample,
  fixedLen,
  openIndexed,
  readExamples,
  readRecordsSync,
  RecordReader,
  type LostRegion,
  type RecordSource,
  type TFRecordError,
} from '../../lib';
import {
  append,
  compress,
  cut,
  flipBit,
  FRAMING_BYTES,
  insert,
  offsets,
  ownMember,
  pieces,
  tfrecord,
} from '../support/records/tfrecord';

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-salvage-'));
  path = join(folder, 'file');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Found {
  readonly records: readonly string[];
  readonly errors: readonly TFRecordError[];
  readonly lostBytes: number;
}

const text = (record: Uint8Array): string => Buffer.from(record).toString('latin1');

/** Salvages `source`, from which `read` takes the records. */
async function salvaged(
  read: (report: (error: TFRecordError) => void) => Promise<readonly string[]> | readonly string[],
): Promise<Found> {
  const errors: TFRecordError[] = [];
  const records = await read((error) => void errors.push(error));
  return { records, errors, lostBytes: errors.reduce((sum, { lostBytes = 0 }) => sum + lostBytes, 0) };
}

async function readOn(source: RecordSource, batchBytes?: number): Promise<Found> {
  let lostBytes = 0;
  const found = await salvaged(async (report) => {
    const reader = await RecordReader.open(source, { onError: { action: 'salvage', report }, batchBytes });
    const records: string[] = [];
    for await (const record of reader) records.push(text(record));
    ({ lostBytes } = reader.stats);
    return records;
  });
  expect(lostBytes).toBe(found.lostBytes);
  return found;
}

/** The ways to read `bytes`, which are also in the file at `path`. */
const LANES: readonly [name: string, read: (bytes: Buffer) => Promise<Found>][] = [
  ['path', () => readOn(path)],
  ['bytes', (bytes) => readOn(bytes)],
  ['stream', (bytes) => readOn(pieces(bytes, 100))],
  ['ranges', (bytes) => readOn(new Blob([new Uint8Array(bytes)]))],
  ['small slabs', () => readOn(path, 4096)],
  [
    'sync',
    () => salvaged((report) => [...readRecordsSync(path, { onError: { action: 'salvage', report } })].map(text)),
  ],
  [
    'dataset',
    () =>
      salvaged(async (report) => {
        const records = Dataset.tfrecord(path).onError({ action: 'salvage', report });
        const found: string[] = [];
        for await (const record of records) found.push(text(record));
        return found;
      }),
  ],
];

const RECORDS = ['zero', 'one', 'x'.repeat(5000), 'three', 'four', 'five'];
const PLACES = offsets(RECORDS);
const FILE = tfrecord(RECORDS);

function without(...numbers: readonly number[]): string[] {
  return RECORDS.filter((_, i) => !numbers.includes(i));
}

const CASES: readonly [name: string, bytes: Buffer, records: string[], regions: Partial<LostRegion>[]][] = [
  ['an intact file', FILE, RECORDS, []],
  [
    'damaged data',
    flipBit(FILE, PLACES[1]! + 13),
    without(1),
    [{ start: PLACES[1]!, end: PLACES[2]!, before: 0, after: 2 }],
  ],
  [
    'a damaged length',
    flipBit(FILE, PLACES[2]!),
    without(2),
    [{ start: PLACES[2]!, end: PLACES[3]!, before: 1, after: 3 }],
  ],
  ['a damaged first header', flipBit(FILE, 9), without(0), [{ start: 0, end: PLACES[1]!, after: 1 }]],
  [
    'bytes cut out of a long record',
    Buffer.concat([FILE.subarray(0, PLACES[2]! + 50), FILE.subarray(PLACES[2]! + 150)]),
    without(2),
    [
      { start: PLACES[2]!, end: PLACES[3]! - 100, doubtful: 0 },
      // By its length, the record reaches beyond the end, so these may also be its data.
      { start: FILE.length - 100, end: FILE.length - 100, doubtful: 3 },
    ],
  ],
  [
    'bytes between records',
    insert(FILE, PLACES[3]!, Buffer.alloc(77, 1)),
    RECORDS,
    [{ start: PLACES[3]!, end: PLACES[3]! + 77 }],
  ],
  ['a torn end', cut(FILE, FILE.length - 3), without(5), [{ start: PLACES[5]!, end: FILE.length - 3, before: 4 }]],
  ['garbage at the end', append(FILE, Buffer.alloc(20, 7)), RECORDS, [{ start: FILE.length, end: FILE.length + 20 }]],
  [
    'a damaged length in GZIP',
    compress(flipBit(FILE, PLACES[1]!), 'gzip'),
    without(1),
    [{ start: PLACES[1]!, end: PLACES[2]!, before: 0, after: 2 }],
  ],
  [
    'damaged data in ZLIB',
    compress(flipBit(FILE, PLACES[1]! + 13), 'zlib'),
    without(1),
    [{ start: PLACES[1]!, end: PLACES[2]! }],
  ],
];

describe.each(CASES)('%s', (_name, bytes, records, regions) => {
  test.each(LANES)('%s', async (_lane, read) => {
    writeFileSync(path, bytes);
    const found = await read(bytes);
    expect(found.records).toEqual(records);
    expect(found.errors.map(({ region }) => region)).toEqual(regions.map((region) => expect.objectContaining(region)));
    expect(found.errors.every(({ region, lostBytes }) => lostBytes === region!.end! - region!.start)).toBe(true);
  });
});

test('records within a damaged record are left out or marked', async () => {
  const inner = tfrecord(['inner 0', 'inner 1']);
  const outer = Buffer.concat([Buffer.from('before'), inner, Buffer.from('after')]);
  const [, start = 0] = offsets(['first', outer]);
  const whole = tfrecord(['first', outer, 'last']);

  const known = await readOn(flipBit(whole, start + 8));
  expect(known.records).toEqual(['first', 'last']);
  expect(known.errors[0]!.region).toMatchObject({ inside: 2, doubtful: 0 });
  expect(known.errors[0]!.message).toContain('2 whole records in the data of this one: left out.');

  const unknown = await readOn(Buffer.concat([whole.subarray(0, start), Buffer.alloc(12), whole.subarray(start + 12)]));
  expect(unknown.records).toEqual(['first', 'inner 0', 'inner 1', 'last']);
  expect(unknown.errors.map(({ region }) => region!.doubtful)).toEqual([0, 2]);
  expect(unknown.errors[1]!.message).toContain('the 2 records before it may be data of an earlier damaged record');
});

test('damage in a GZIP member ends at the next member, and its number of records is known', async () => {
  const parts = [RECORDS.slice(0, 2), RECORDS.slice(2, 4), RECORDS.slice(4)];
  const members = parts.map((part) => ownMember(tfrecord(part), part.length));
  const bytes = Buffer.concat(members);
  const at = members[0]!.length;
  const { records, errors } = await readOn(flipBit(bytes, at + 34));
  expect(records).toEqual(without(2, 3));
  expect(errors[0]!.region).toMatchObject({ compressedEnd: at + members[1]!.length, before: 1, after: 4 });
});

test('damage of compressed data after damage of its content: the rest is lost, and no end of content is claimed', async () => {
  const noise = Array.from({ length: 40 }, (_, i) => randomBytes(500 + i));
  const content = flipBit(tfrecord(noise), offsets(noise)[10]!);
  const bytes = gzipSync(content);
  const { records, errors } = await readOn(flipBit(bytes, bytes.length - 5));
  expect(records).toEqual(noise.slice(0, 10).map(text));
  expect(errors).toHaveLength(1);
  expect(errors[0]!.region).not.toHaveProperty('end');
});

/** A GZIP file of one member whose data is damaged in the middle, and its records: their number and random bytes. */
function tornMember(): { rows: Uint8Array[]; whole: Buffer; torn: Buffer } {
  const rows = Array.from({ length: 4000 }, (_, n) =>
    encodeExample({ n: { int64: [n] }, bytes: { bytes: [randomBytes(300)] } }),
  );
  const whole = gzipSync(tfrecord(rows));
  const torn = Buffer.from(whole);
  torn.fill(0x55, torn.length >> 1, (torn.length >> 1) + 50);
  return { rows, whole, torn };
}

test('damage in a GZIP file of one member ends at the next checkpoint of the index beside it', async () => {
  const { rows, whole, torn } = tornMember();
  const name = join(folder, 'torn.gz');
  writeFileSync(name, whole);
  await (await openIndexed(name, { checkpointBytes: 65_536, save: true })).close();
  writeFileSync(name, torn);
  const { records, errors, lostBytes } = await readOn(name);
  const numbers = records.map((record) => rows.findIndex((row) => text(row) === record));
  expect(numbers.includes(-1)).toBe(false);
  expect(numbers.length).toBeGreaterThan(2500);
  expect(numbers.at(-1)).toBe(rows.length - 1);
  expect(errors).toMatchObject([{ code: 'TFR_COMPRESSION', region: { inside: 0, doubtful: 0 } }]);
  const { start, end, before, after, compressedStart, compressedEnd } = errors[0]!.region!;
  expect(end! - start).toBe(lostBytes);
  expect(numbers).toEqual(rows.map((_, i) => i).filter((i) => i <= before! || i >= after!));
  expect(records.reduce((sum, { length }) => sum + length + FRAMING_BYTES, lostBytes)).toBe(tfrecord(rows).length);
  expect(compressedEnd).toBeGreaterThan(compressedStart!);

  // Every other way to read finds the same.
  expect([...readRecordsSync(name, { onError: 'salvage' })].map(text)).toEqual(records);
  const found: number[] = [];
  for await (const { n } of readExamples(name, { n: fixedLen([], 'int64') }, { onError: 'salvage' })) {
    found.push(Number(n));
  }
  expect(found).toEqual(numbers);
  const elements: string[] = [];
  for await (const record of Dataset.tfrecord(name).onError('salvage')) elements.push(text(record));
  expect(elements).toEqual(records);

  // An index that cannot be read is none.
  writeFileSync(`${name}.tfindex`, 'no index');
  expect(await readOn(name)).toMatchObject({ errors: [{ region: { compressedEnd: torn.length } }] });
});

test('bytes that are lost up to the end of a file with an index count once: as content, or as they are stored', async () => {
  const { whole, torn } = tornMember();
  const name = join(folder, 'twice.gz');
  writeFileSync(name, whole);
  const size = gunzipSync(whole).length;
  await (await openIndexed(name, { checkpointBytes: 65_536, save: true })).close();
  // Behind missing bytes, no checkpoint is where the index says.
  const from = Math.floor(0.85 * torn.length);
  writeFileSync(name, Buffer.concat([torn.subarray(0, from), torn.subarray(from + 2)]));
  for (const batchBytes of [4096, 262_144, 4 << 20]) {
    const { records, errors, lostBytes } = await readOn(name, batchBytes);
    expect(errors.map(({ region }) => region!.end === undefined)).toEqual([false, true]);
    const sum = records.reduce((total, { length }) => total + length + FRAMING_BYTES, lostBytes);
    expect(sum).toBeLessThanOrEqual(size);
    // Random bytes hardly shrink.
    expect(sum).toBeGreaterThan(0.9 * size);
  }
});

test('damage in a GZIP file ends at the next member of any writer', async () => {
  const { rows, whole, torn } = tornMember();
  const { records, errors } = await readOn(Buffer.concat([torn, whole]));
  expect(records.slice(-rows.length)).toEqual(rows.map(text));
  expect(errors).toMatchObject([{ region: { compressedEnd: torn.length, doubtful: 0 } }]);
  expect(errors[0]!.region!.end).toBeUndefined();
  expect(errors[0]!.message).toContain(`goes on with the gzip member at compressed byte ${torn.length}`);
});

test('no record is said to follow the last region', async () => {
  const rows = ['first', 'second', 'last'];
  const bytes = tfrecord(rows);
  const damaged = await readOn(flipBit(bytes, bytes.length - 1));
  expect(damaged.records).toEqual(['first', 'second']);
  expect(damaged.errors).toMatchObject([{ region: { start: offsets(rows)[2], end: bytes.length, before: 1 } }]);
  expect(damaged.errors[0]!.region).not.toHaveProperty('after');
  expect(damaged.errors[0]!.message).toContain('The last 20 bytes of the file cannot be read');
});

test('the region of a GZIP file that is cut off ends with the file', async () => {
  const bytes = compress(tfrecord(['first', 'second']), 'gzip');
  const end = bytes.length - 12;
  const { errors } = await readOn(bytes.subarray(0, end));
  expect(errors).toMatchObject([{ code: 'TFR_TRUNCATED', region: { compressedStart: end, compressedEnd: end } }]);
});

test('a GZIP file is recognised although its first bytes are damaged', async () => {
  const rows = ['first', 'second', 'third'];
  const members = rows.map((row) => gzipSync(tfrecord([row])));
  for (const at of [0, 1, 2]) {
    const { records, errors } = await readOn(flipBit(Buffer.concat(members), at));
    expect(records).toEqual(rows.slice(1));
    expect(errors).toMatchObject([{ code: 'TFR_COMPRESSION', region: { compressedEnd: members[0]!.length } }]);
  }
  // By its index, if nothing else shows it.
  const { rows: many, whole } = tornMember();
  const name = join(folder, 'head.gz');
  writeFileSync(name, whole);
  await (await openIndexed(name, { checkpointBytes: 65_536, save: true })).close();
  writeFileSync(name, Buffer.from(whole).fill(0xff, 0, 12));
  const { records } = await readOn(name);
  expect(records.length).toBeGreaterThan(2500);
  expect(records).toEqual(many.slice(-records.length).map(text));
});

test('a file that is named GZIP is searched for members, however it begins', async () => {
  const rows = ['first', 'second', 'third'];
  const members = rows.map((row) => gzipSync(tfrecord([row])));
  const whole = Buffer.concat(members);
  const missing = members[0]!.length;
  for (const [bytes, left, end] of [
    [whole.subarray(1), 2, missing - 1],
    [insert(whole, 0, Buffer.from('<')), 3, 1],
    [insert(whole, 0, Buffer.alloc(5000, 7)), 3, 5000],
  ] as const) {
    const errors: TFRecordError[] = [];
    const onError = { action: 'salvage', report: (error: TFRecordError) => void errors.push(error) } as const;
    const records = [...readRecordsSync(bytes, { compression: 'gzip', onError })].map(text);
    expect(records).toEqual(rows.slice(-left));
    expect(errors).toMatchObject([
      { code: 'TFR_COMPRESSION', region: { compressedStart: 0, compressedEnd: end, start: 0 } },
    ]);
  }
  const plain = { compression: 'gzip', onError: 'salvage' } as const;
  expect(() => [...readRecordsSync(tfrecord(rows), plain)]).toThrow('looks like an uncompressed TFRecord file');
  expect(() => [...readRecordsSync(Buffer.alloc(5000, 7), plain)]).toThrow('Wrong gzip magic');
});

test('a region in a GZIP file of a member a record begins in the damaged member, and ends after the damage', () => {
  const rows = ['first', 'second record', 'last'];
  const members = rows.map((row) => gzipSync(tfrecord([row])));
  const bytes = Buffer.concat(members);
  let start = 0;
  for (const { length } of members) {
    // After the bytes that make it a member.
    for (let at = start + 3; at < start + length; at++) {
      const regions: LostRegion[] = [];
      const report = ({ region }: TFRecordError): void => void regions.push(region!);
      const records = [...readRecordsSync(flipBit(bytes, at), { onError: { action: 'salvage', report } })];
      expect(records.length).toBeGreaterThanOrEqual(rows.length - 1);
      for (const { compressedStart, compressedEnd } of regions) {
        expect(compressedStart).toBeGreaterThanOrEqual(start);
        expect(compressedEnd).toBeGreaterThanOrEqual(compressedStart!);
        expect(compressedEnd).toBeGreaterThan(at);
      }
    }
    start += length;
  }
});

test('examples, and a dataset that goes on from its state', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => encodeExample({ n: [BigInt(i)] }));
  const places = offsets(rows);
  let bytes = tfrecord(rows);
  for (const i of [3, 20, 40]) bytes = flipBit(bytes, places[i]!);
  writeFileSync(path, bytes);
  const expected = rows.map((_, i) => i).filter((i) => ![3, 20, 40].includes(i));
  const spec = { n: fixedLen([], 'int64') };
  const found: number[] = [];
  for await (const { n } of readExamples(path, spec, { onError: 'salvage' })) found.push(Number(n));
  expect(found).toEqual(expected);

  const dataset = Dataset.tfrecord(path).onError('salvage');
  for (const stop of [0, 3, 10, 19, 45]) {
    const first = dataset.iterate();
    const given: string[] = [];
    for (let i = 0; i < stop; i++) given.push(text((await first.next()).value as Uint8Array));
    const state = first.state();
    await first.return?.();
    for await (const record of dataset.iterate({ state })) given.push(text(record));
    expect(given).toEqual(expected.map((i) => text(rows[i]!)));
  }
});

test('a dataset that reads several files at once finds in each what reading it alone finds', async () => {
  const bytes = tfrecord(Array.from({ length: 200 }, (_, i) => `${i}`.repeat(20)));
  const damaged = [3000, 9, 9999].map((at) => flipBit(bytes, at));
  const files = [damaged[0]!, compress(damaged[1]!, 'gzip'), compress(damaged[2]!, 'zlib')].map((content, i) => {
    const name = join(folder, `several-${i}`);
    writeFileSync(name, content);
    return name;
  });
  const find = (names: readonly string[], cycleLength: number): Promise<Found> =>
    salvaged(async (report) => {
      const reader = (name: string) =>
        Dataset.tfrecord(name, { batchBytes: 4096 })
          .onError({ action: 'salvage', report })
          .map((record) => `${name} ${text(record)}`);
      const found: string[] = [];
      for await (const record of Dataset.from(names).interleave(reader, { cycleLength })) found.push(record);
      return found;
    });
  const together = await find(files, 3);
  for (const name of files) {
    const alone = await find([name], 1);
    expect(alone.errors).toHaveLength(1);
    expect(together.records.filter((record) => record.startsWith(name))).toEqual(alone.records);
    const reports = together.errors.filter((error) => error.file === name);
    expect(reports.map(({ message, region }) => ({ message, region }))).toEqual(
      alone.errors.map(({ message, region }) => ({ message, region })),
    );
  }
});

test('limits: max counts regions, and a file without any record is an error', async () => {
  const bytes = flipBit(flipBit(FILE, PLACES[1]!), PLACES[4]!);
  await expect(readAll(bytes, { action: 'salvage', max: 1 })).rejects.toMatchObject({ code: 'TFR_CORRUPT_LENGTH' });
  await expect(readAll(bytes, { action: 'salvage', max: 2 })).resolves.toHaveLength(4);
  await expect(readAll(Buffer.from('<!DOCTYPE html>'.repeat(9)), 'salvage')).rejects.toMatchObject({
    code: 'TFR_NOT_TFRECORD',
  });
});

test('verify does not weaken it', async () => {
  const bytes = flipBit(FILE, PLACES[1]! + 13);
  const reader = await RecordReader.open(bytes, { onError: 'salvage', verify: 'none' });
  const records: string[] = [];
  for await (const record of reader) records.push(text(record));
  expect(records).toEqual(without(1));
  expect(reader.stats).toMatchObject({ skipped: 1, lostBytes: FRAMING_BYTES + 3 });
});

test('text has nothing to search for: the rest of damaged GZIP is skipped', async () => {
  const bytes = gzipSync('a\nb\n').subarray(0, -6);
  writeFileSync(path, bytes);
  const lines: string[] = [];
  for await (const line of Dataset.text(path).onError('salvage')) lines.push(line);
  expect(lines).toEqual(['a', 'b']);
});

async function readAll(
  source: RecordSource,
  onError: 'salvage' | { action: 'salvage'; max: number },
): Promise<string[]> {
  const records: string[] = [];
  const reader = await RecordReader.open(source, { onError });
  for await (const record of reader) records.push(text(record));
  return records;
}
