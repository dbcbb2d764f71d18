/**
 * Reading on after damage that hides the following records: all delivered records are right and in their place, and
 * errors and stats have the number of lost bytes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import {
  encodeExample,
  fixedLen,
  readExamples,
  readRecordsSync,
  RecordReader,
  type ReadOptions,
  type RecordSource,
  type TFRecordError,
} from '../../lib';
import {
  append,
  compress,
  cut,
  flipBit,
  frame,
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
  folder = mkdtempSync(join(tmpdir(), 'tfr-skipping-'));
  path = join(folder, 'file');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The ways to read `bytes`, which are also in the file at `path`. */
const LANES: readonly [name: string, read: (bytes: Buffer, options: ReadOptions) => Promise<Found> | Found][] = [
  ['path', (_, options) => readOn(path, options)],
  ['bytes', (bytes, options) => readOn(bytes, options)],
  ['stream', (bytes, options) => readOn(pieces(bytes, 100), options)],
  ['small slabs', (_, options) => readOn(path, { ...options, batchBytes: 4096 })],
  ['sync', (_, options) => ({ records: [...readRecordsSync(path, options)].map(text) })],
];

interface Found {
  readonly records: readonly string[];
  readonly numbers?: readonly (number | undefined)[];
  readonly lostBytes?: number;
}

const text = (record: Uint8Array): string => Buffer.from(record).toString('latin1');

async function readOn(source: RecordSource, options: ReadOptions): Promise<Found> {
  const reader = await RecordReader.open(source, options);
  const records: string[] = [];
  const numbers: (number | undefined)[] = [];
  for await (const record of reader) {
    records.push(text(record));
    numbers.push(reader.origin?.record);
  }
  return { records, numbers, lostBytes: reader.stats.lostBytes };
}

/** Returns a generator of random numbers from 0 up to, but not including, `below`: the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('one flipped bit in compressed data', () => {
  // If a long record is inflated to a few bytes more or less, the short records after it, which all have one size, move to
  // each other's places, and their checksums are still right.
  const next = numbers(42);
  const words = ['the', 'quick', 'brown', 'fox', 'jumps', 'over', 'a', 'lazy', 'dog'];
  const LONG = Array.from({ length: 900 }, () => words[next(words.length)]).join(' ');
  const RECORDS = [LONG, ...Array.from({ length: 200 }, (_, index) => String(index).padStart(4, '0'))];
  const FILE = tfrecord(RECORDS);

  /** Checks that every record has its number. Returns the number of records. */
  function check({ records, numbers: given }: Found): number {
    const at = given ?? records.map((record) => RECORDS.indexOf(record));
    expect(records).toEqual(at.map((number) => RECORDS[number ?? -1]));
    expect(at).toEqual([...new Set(at)].sort((a, b) => Number(a) - Number(b)));
    return records.length;
  }

  test.each(['gzip', 'zlib'] as const)('%s: no record at the place of another', async (codec) => {
    const whole = compress(FILE, codec);
    const errors: TFRecordError[] = [];
    const options: ReadOptions = { onError: (error) => (errors.push(error), 'skip') };
    for (let round = 0; round < 100; round++) {
      const bytes = flipBit(whole, 20 + next(whole.length - 30), next(8));
      const found = await readOn(bytes, options);
      const count = check(found);
      if (round % 20 !== 0) continue;
      writeFileSync(path, bytes);
      for (const [name, read] of LANES)
        expect([name, (await read(bytes, options)).records.length]).toEqual([name, count]);
    }
    expect(errors.length).toBeGreaterThan(100);
  });
});

describe('behind a record that was damaged before it was compressed', () => {
  const RECORDS = Array.from({ length: 3000 }, (_, index) => `record ${index}, ${'x'.repeat(index % 50)}`);
  const PLACES = offsets(RECORDS);
  const DAMAGED = [3, 4, 1700];
  const FILE = DAMAGED.reduce((file, record) => flipBit(file, PLACES[record]! + 14), tfrecord(RECORDS));
  const LEFT = RECORDS.filter((_, index) => !DAMAGED.includes(index));
  const middle = PLACES[1000]!;

  test.each([
    ['gzip', gzipSync(FILE)],
    ['zlib', compress(FILE, 'zlib')],
    ['gzip in two members', append(gzipSync(FILE.subarray(0, middle + 5)), gzipSync(FILE.subarray(middle + 5)))],
    ['gzip of ours', append(ownMember(FILE.subarray(0, middle), 1000), ownMember(FILE.subarray(middle), 2000))],
  ])('%s: all others come', async (_, bytes) => {
    writeFileSync(path, bytes);
    for (const [name, read] of LANES) {
      const found = await read(bytes, { onError: 'skip' });
      expect([name, found.records]).toEqual([name, LEFT]);
      if (found.lostBytes !== undefined) expect([name, found.lostBytes]).toEqual([name, 0]);
    }
  });
});

describe('behind a record that is passed over as too large', () => {
  const RECORDS = ['first', 'a long record, '.repeat(2000), 'second', 'third'];
  const FILE = tfrecord(RECORDS);
  const inLong = offsets(RECORDS)[1]! + 20_000;
  const DAMAGED = flipBit(FILE, inLong);
  const OTHERS = ['first', 'second', 'third'];
  /** Returns `content` in gzip with the checksum and size of `FILE`, as if it had been inflated wrongly. */
  const asInflatedWrongly = (content: Buffer): Buffer =>
    append(gzipSync(content).subarray(0, -8), gzipSync(FILE).subarray(-8));

  test.each([
    ['a right one', gzipSync(FILE), OTHERS],
    ['wrong before it was compressed', gzipSync(DAMAGED), OTHERS],
    ['wrong before it was compressed, zlib', compress(DAMAGED, 'zlib'), OTHERS],
    ['wrong in a plain file', DAMAGED, OTHERS],
    ['wrong by its stored checksum', gzipSync(flipBit(FILE, offsets(RECORDS)[2]! - 1)), OTHERS],
    ['a right one in a member whose trailer is wrong', flipBit(gzipSync(FILE), gzipSync(FILE).length - 1), OTHERS],
    ['inflated wrongly', asInflatedWrongly(DAMAGED), ['first']],
    ['inflated wrongly into a wrong checksum', asInflatedWrongly(flipBit(FILE, inLong + 10_014)), ['first']],
  ])('%s', async (_, bytes, expected) => {
    writeFileSync(path, bytes);
    for (const [name, read] of LANES) {
      const found = await read(bytes, { maxRecordBytes: 1000, onError: { action: 'skip', maxRate: 1 } });
      expect([name, found.records]).toEqual([name, expected]);
    }
  });
});

describe('behind a damaged gzip member of ours', () => {
  const EACH = 4;
  // Half of a record is noise, which deflate copies, and half shrinks.
  const next = numbers(7);
  const noise = (size: number): string => Array.from({ length: size }, () => String.fromCharCode(next(256))).join('');
  const CONTENTS = Array.from({ length: 4 }, (_, member) =>
    Array.from({ length: EACH }, (_, index) => `${member * EACH + index}: ${'x'.repeat(150)}${noise(150)}`),
  );
  const bytesOf = (records: readonly string[]): Buffer =>
    tfrecord(records.map((record) => Buffer.from(record, 'latin1')));
  const MEMBERS = CONTENTS.map((records) => ownMember(bytesOf(records), EACH));
  const RECORDS = CONTENTS.flat();
  const without = (...members: number[]): string[] => CONTENTS.filter((_, index) => !members.includes(index)).flat();
  const start = (member: number): number => MEMBERS.slice(0, member).reduce((sum, { length }) => sum + length, 0);
  const file = (change: (member: Buffer, index: number) => Buffer = (member) => member): Buffer =>
    Buffer.concat(MEMBERS.map((member, index) => change(Buffer.from(member), index)));
  const inMember = (damaged: number, change: (member: Buffer) => Buffer): Buffer =>
    file((member, index) => (index === damaged ? change(member) : member));
  const HEADER = 28;

  interface Reported extends Found {
    readonly errors: readonly TFRecordError[];
  }

  /** Reads in every way, which must agree. */
  async function skipped(bytes: Buffer): Promise<Reported> {
    writeFileSync(path, bytes);
    let first: Reported | undefined;
    for (const [name, read] of [...LANES, WEB]) {
      const errors: TFRecordError[] = [];
      const report = (error: TFRecordError): void => void errors.push(error);
      const found = { ...(await read(bytes, { onError: { action: 'skip', maxRate: 1, report } })), errors };
      first ??= found;
      const told = (list: readonly TFRecordError[]): unknown =>
        list.map(({ code, record, offset, compressedOffset, lostBytes }) => [
          code,
          record,
          offset,
          compressedOffset,
          lostBytes,
        ]);
      expect([name, found.records, told(errors)]).toEqual([name, first.records, told(first.errors)]);
    }
    return first!;
  }
  const WEB: (typeof LANES)[number] = [
    'web stream',
    (bytes, options) => readOn(new Blob([new Uint8Array(bytes)]).stream() as RecordSource, options),
  ];

  test.each([
    ['the magic number', (member: Buffer) => flipBit(member, 0), 'TFR_TRAILING_DATA'],
    ['the flags', (member: Buffer) => flipBit(member, 3, 6), 'TFR_COMPRESSION'],
    ['the size of the extra field', (member: Buffer) => flipBit(member, 11, 1), undefined],
    ['the first block', (member: Buffer) => flipBit(flipBit(member, HEADER, 1), HEADER, 2), 'TFR_COMPRESSION'],
    ['the middle', (member: Buffer) => flipBit(member, member.length >> 1, 3), undefined],
  ])('%s: the other members come, and the place is told', async (_, change, code) => {
    for (const member of [1, 2]) {
      const { records, numbers: given, lostBytes, errors } = await skipped(inMember(member, change));
      expect(records.filter((record) => !CONTENTS[member]!.includes(record))).toEqual(without(member));
      expect(given).toEqual(records.map((record) => RECORDS.indexOf(record)));
      if (code !== undefined) expect(errors.map((error) => error.code)).toEqual([code]);
      expect(errors.at(-1)!.message).toContain(
        `Reading goes on with the gzip member at compressed byte ${start(member + 1)}`,
      );
      expect(lostBytes).toBe(errors.reduce((sum, error) => sum + (error.lostBytes ?? 0), 0));
      expect(lostBytes).toBeGreaterThan(0);
    }
  });

  test.each([8, 5, 4, 1])('a wrong trailer, byte %i from its end: no record is lost', async (byte) => {
    const { records, lostBytes, errors } = await skipped(
      inMember(1, (member) => flipBit(member, member.length - byte)),
    );
    expect(records).toEqual(RECORDS);
    expect(lostBytes).toBe(0);
    expect(errors.map(({ code, record }) => [code, record])).toEqual([['TFR_COMPRESSION', 2 * EACH]]);
  });

  test.each([
    ['zeros', () => inMember(1, (member) => member.fill(0)), [1]],
    ['a cut in the middle', () => inMember(1, (member) => append(cut(member, 200), member.subarray(300))), [1]],
    ['bytes between', () => insert(file(), start(2), Buffer.alloc(50, 7)), []],
    ['two of them', () => file((member, index) => (index % 2 === 1 ? flipBit(member, 100, 5) : member)), [1, 3]],
    [
      'neighbours',
      () => file((member, index) => (index === 1 || index === 2 ? flipBit(member, 90, 2) : member)),
      [1, 2],
    ],
    ['the last one', () => inMember(3, (member) => flipBit(member, 60, 1)), [3]],
    ['the first one', () => inMember(0, (member) => flipBit(member, 1, 1)), [0]],
    ['the first one, cut', () => file().subarray(40), [0]],
  ])('%s', async (name, damaged, lost) => {
    const { records } = await skipped(damaged());
    // A file that does not begin as one of ours is given up as ever.
    if (name === 'the first one, cut') return expect(records).toEqual([]);
    expect(records.filter((record) => !lost.some((member) => CONTENTS[member]!.includes(record)))).toEqual(
      without(...lost),
    );
  });

  test('members in another order, and one that comes twice, are right files', async () => {
    const swapped = await skipped(Buffer.concat([0, 2, 1, 3].map((index) => MEMBERS[index]!)));
    expect([swapped.records, swapped.errors]).toEqual([[0, 2, 1, 3].flatMap((index) => CONTENTS[index]!), []]);
    const twice = await skipped(Buffer.concat([0, 1, 1, 2].map((index) => MEMBERS[index]!)));
    expect([twice.records, twice.errors]).toEqual([[0, 1, 1, 2].flatMap((index) => CONTENTS[index]!), []]);
  });

  test('a broken length goes on with the next member, and a function decides about it', async () => {
    const broken = flipBit(
      bytesOf(CONTENTS[1]!),
      offsets(CONTENTS[1]!.map((record) => Buffer.from(record, 'latin1')))[2]!,
    );
    const bytes = inMember(1, () => ownMember(broken, EACH));
    const { records, errors } = await skipped(bytes);
    expect(records).toEqual(RECORDS.filter((_, index) => index !== EACH + 2 && index !== EACH + 3));
    expect(errors.map(({ code, record }) => [code, record])).toEqual([['TFR_CORRUPT_LENGTH', EACH + 2]]);
    for (const source of [bytes, pieces(bytes, 99)]) {
      const codes: string[] = [];
      expect((await readOn(source, { onError: ({ code }) => (codes.push(code), 'skip') })).records).toEqual(records);
      expect(codes).toEqual(['TFR_CORRUPT_LENGTH']);
    }
    expect((await readOn(bytes, { onError: 'stop' })).records).toEqual(RECORDS.slice(0, EACH + 2));
    await expect(readOn(bytes, {})).rejects.toMatchObject({ code: 'TFR_CORRUPT_LENGTH' });
  });

  test('rows of Examples go on, too', async () => {
    const examples = Array.from({ length: 12 }, (_, id) => encodeExample({ id: BigInt(id), text: noise(200) }));
    const members = [0, 1, 2].map((index) => ownMember(tfrecord(examples.slice(index * 4, index * 4 + 4)), 4));
    const bytes = Buffer.concat([members[0]!, flipBit(flipBit(members[1]!, HEADER, 1), HEADER, 2), members[2]!]);
    writeFileSync(path, bytes);
    const ids: bigint[] = [];
    for (const source of [path, bytes]) {
      for await (const { id } of readExamples(source, { id: fixedLen([], 'int64') }, { onError: 'skip' })) ids.push(id);
    }
    expect(ids).toEqual([0n, 1n, 2n, 3n, 8n, 9n, 10n, 11n, 0n, 1n, 2n, 3n, 8n, 9n, 10n, 11n]);
  });

  test('members of others are given up to their end', async () => {
    const foreign = CONTENTS.map((records) => gzipSync(bytesOf(records)));
    const at = foreign[0]!.length;
    const { records, errors } = await skipped(flipBit(Buffer.concat(foreign), at));
    expect(records).toEqual(CONTENTS[0]);
    expect(errors.map(({ code, lostBytes }) => [code, lostBytes])).toEqual([
      ['TFR_TRAILING_DATA', Buffer.concat(foreign.slice(1)).length],
    ]);
  });
});

describe('lostBytes', () => {
  const RECORDS = ['first', 'second', 'third', 'fourth'];
  const FILE = tfrecord(RECORDS);
  const PLACES = offsets(RECORDS);
  const broken = flipBit(FILE, PLACES[2]!);
  const behind = FILE.length - PLACES[2]!;
  const zipped = gzipSync(FILE);
  const more = gzipSync(frame('fifth'));

  test.each([
    ['a broken length', broken, 'TFR_CORRUPT_LENGTH', 2, behind],
    ['a broken length, gzip', compress(broken, 'gzip'), 'TFR_CORRUPT_LENGTH', 2, behind],
    ['a broken length, zlib', compress(broken, 'zlib'), 'TFR_CORRUPT_LENGTH', 2, behind],
    [
      'a broken length, more members',
      append(gzipSync(broken), more),
      'TFR_CORRUPT_LENGTH',
      2,
      behind + 5 + FRAMING_BYTES,
    ],
    ['a cut record', cut(FILE, -1), 'TFR_TRUNCATED', 3, 'fourth'.length + FRAMING_BYTES - 1],
    ['a cut header', append(FILE, Buffer.alloc(7)), 'TFR_TRUNCATED', 4, 7],
    ['a missing trailer', cut(zipped, -8), 'TFR_TRUNCATED', 4, 0],
    ['a wrong trailer, nothing behind', flipBit(zipped, zipped.length - 1), 'TFR_COMPRESSION', 4, 0],
    // These are stored bytes, because their content is unknown.
    ['a wrong trailer', append(flipBit(zipped, zipped.length - 1), more), 'TFR_COMPRESSION', 4, more.length],
    ['garbage behind', append(zipped, Buffer.alloc(1000, 'no member')), 'TFR_TRAILING_DATA', 4, 1000],
    [
      'garbage between',
      insert(append(zipped, more), zipped.length, Buffer.alloc(9)),
      'TFR_TRAILING_DATA',
      4,
      9 + more.length,
    ],
    ['no TFRecord', Buffer.alloc(5000, 'text '), 'TFR_NOT_TFRECORD', 0, 5000],
  ] as const)('%s', async (_, bytes, code, record, lostBytes) => {
    writeFileSync(path, bytes);
    for (const [name, read] of LANES) {
      const errors: unknown[] = [];
      const report = ({ code: found, record: at, lostBytes: lost }: TFRecordError): void => {
        errors.push({ name, code: found, record: at, lostBytes: lost });
      };
      const found = await read(bytes, { onError: { action: 'skip', maxRate: 1, report } });
      expect(errors).toEqual([{ name, code, record, lostBytes }]);
      expect(found.records).toEqual(RECORDS.slice(0, record));
      if (found.lostBytes !== undefined) expect([name, found.lostBytes]).toEqual([name, lostBytes]);
    }
  });

  test.each([1, 5])('a wrong trailer, byte %i from its end, with onError: "throw"', async (byte) => {
    writeFileSync(path, append(flipBit(zipped, zipped.length - byte), more));
    await expect(readOn(path, {})).rejects.toMatchObject({ code: 'TFR_COMPRESSION', lostBytes: more.length });
  });

  test('of all files is in the stats; a record that is skipped alone loses none', async () => {
    writeFileSync(path, broken);
    const other = join(folder, 'other');
    writeFileSync(other, flipBit(FILE, PLACES[1]! + 13));
    const { records, lostBytes } = await readOn([path, other, path], { onError: 'skip' });
    expect(records).toEqual(['first', 'second', 'first', 'third', 'fourth', 'first', 'second']);
    expect(lostBytes).toBe(2 * behind);
  });

  test('long files and streams are gone through to their end, and reading can be left meanwhile', async () => {
    const long = append(broken, Buffer.alloc(20_000_000, 7));
    writeFileSync(path, gzipSync(long));
    expect(await readOn(path, { onError: 'skip' })).toMatchObject({ lostBytes: behind + 20_000_000 });
    expect(await readOn(pieces(long, 65_536), { onError: 'skip' })).toMatchObject({ lostBytes: behind + 20_000_000 });

    // A function may end reading, so it is called before the rest of a stream has come.
    const cause = new Error('asked');
    const forEver = (function* () {
      for (yield broken; ;) yield Buffer.alloc(1000);
    })();
    const onError = (): never => {
      throw cause;
    };
    await expect(readOn(forEver, { onError })).rejects.toBe(cause);

    let given = 0;
    const signal = AbortSignal.timeout(100);
    const endless = (async function* () {
      for (yield broken; ; given++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield Buffer.alloc(1000, 1);
      }
    })();
    await expect(readOn(endless, { onError: 'skip', signal })).rejects.toThrow('aborted due to timeout');
    expect(given).toBeGreaterThan(0);
  });
});
