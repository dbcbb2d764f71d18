/**
 * Reads damage of every kind with our reader and with TensorFlow's. TensorFlow's outcomes are pinned, too, so that
 * every difference is from its actual behaviour. We report what it ignores silently: a cut header, a cut compressed
 * stream, a missing trailer, bytes after an empty gzip member or a zlib stream.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

import { maskCrc32c, crc32c, type TFRecordErrorCode } from '../../../lib';
import { RecordPeer, type ReadAnswer, type TensorFlowCompression } from './peer';
import { COMPRESSIONS, digestOf, read, temporaryFolder, type Outcome } from './support';

const A = Buffer.from('foo');
const B = Buffer.from('defgh');
/** The ends of the two records in the stream. */
const END_A = 19;
const END_B = 40;

const at = temporaryFolder();
let peer: RecordPeer;
/** Files of A and B by TensorFlow's writer, by compression. */
const whole = new Map<TensorFlowCompression, Buffer>();

beforeAll(async () => {
  peer = new RecordPeer();
  for (const { theirs: compression } of COMPRESSIONS) {
    const file = at(`whole${compression}`);
    await peer.ask({ op: 'write', file, compression, records: [A.toString('hex'), B.toString('hex')] });
    whole.set(compression, readFileSync(file));
  }
});
afterAll(() => peer.close());

const wholeFile = (compression: TensorFlowCompression): Buffer => whole.get(compression) ?? Buffer.alloc(0);
const plain = (): Buffer => wholeFile('');

interface Both {
  readonly ours: Outcome;
  readonly theirs: ReadAnswer;
}

/** Writes `bytes` to a file, and reads it with both readers. */
async function both(bytes: Uint8Array, theirs: TensorFlowCompression): Promise<Both> {
  const file = at('damaged');
  writeFileSync(file, bytes);
  const answer = await peer.ask({ op: 'read', file, compression: theirs });
  return { ours: await read(file), theirs: answer };
}

/** Expects exactly the first `count` of the records. */
function expectRecords({ records, sha256 }: { records: number; sha256: string }, count: number): void {
  expect({ records, sha256 }).toEqual(digestOf([A, B].slice(0, count)));
}

interface Expected {
  readonly records: number;
  readonly code?: TFRecordErrorCode;
  readonly record?: number;
  readonly offset?: number;
  readonly compressedOffset?: number;
}

function expectOurs(ours: Outcome, { records, code, ...place }: Expected): void {
  expectRecords(ours, records);
  expect(ours.error?.code).toBe(code);
  if (ours.error !== undefined) expect(ours.error).toMatchObject(place);
}

/** Expects a clean end, or TensorFlow's DATA_LOSS with these words. */
function expectTheirs(theirs: ReadAnswer, records: number, words?: string): void {
  expectRecords(theirs, records);
  expect(theirs.error).toBe(words === undefined ? null : 'DataLossError');
  if (words !== undefined) expect(theirs.message).toContain(words);
}

const upTo = (end: number): number[] => Array.from({ length: end }, (_, i) => i);

describe('cut, plain', () => {
  test.each(upTo(END_B + 1))('after %i bytes', async (kept) => {
    const { ours, theirs } = await both(plain().subarray(0, kept), '');
    const records = kept === END_B ? 2 : kept >= END_A ? 1 : 0;
    const start = records === 0 ? 0 : END_A;
    const left = kept === END_B ? 0 : kept - start;
    // For TensorFlow, a header that is cut is a clean end.
    expectTheirs(theirs, records, left < 12 ? undefined : `truncated record at ${start}`);
    expectOurs(ours, left === 0 ? { records } : { records, code: 'TFR_TRUNCATED', record: records, offset: start });
  });
});

describe.each(COMPRESSIONS.slice(1))('cut, $ours', ({ ours: compression, theirs: theirCompression }) => {
  test('after every byte', async () => {
    const bytes = wholeFile(theirCompression);
    const file = at('cut');
    for (const kept of upTo(bytes.length)) {
      writeFileSync(file, bytes.subarray(0, kept));
      const theirs = await peer.ask({ op: 'read', file, compression: theirCompression });
      const ours = await read(file, { compression });
      expectRecords(theirs, theirs.records);
      // TensorFlow reports nothing, or a record that is cut, but never damage of the stream.
      if (theirs.error !== null) expect(theirs.message).toContain('truncated record');
      expectRecords(ours, theirs.records);
      if (kept === 0) expect(ours.error).toBeUndefined();
      else expect({ kept, ...place(ours) }).toEqual({ kept, code: 'TFR_TRUNCATED', compressedOffset: kept });
    }
  });
});

function place({ error }: Outcome): object {
  return { code: error?.code, compressedOffset: error?.compressedOffset };
}

test("TensorFlow's silence about cut GZIP is as documented", async () => {
  const bytes = wholeFile('GZIP');
  expect(bytes.length).toBe(51);
  const file = at('cut');
  for (const kept of upTo(51)) {
    writeFileSync(file, bytes.subarray(0, kept));
    const theirs = await peer.ask({ op: 'read', file, compression: 'GZIP' });
    const loud = (kept >= 19 && kept <= 25) || (kept >= 33 && kept <= 41);
    expect({ kept, loud: theirs.error !== null }).toEqual({ kept, loud });
  }
});

describe('one bit flipped, plain', () => {
  test.each(upTo(END_B))('in byte %i', async (position) => {
    const record = position < END_A ? 0 : 1;
    const offset = record === 0 ? 0 : END_A;
    const inLength = position - offset < 12;
    for (const bit of upTo(8)) {
      const bytes = Buffer.from(plain());
      bytes[position] = bytes.readUInt8(position) ^ (1 << bit);
      const { ours, theirs } = await both(bytes, '');
      expectTheirs(theirs, record, `corrupted record at ${inLength ? offset : offset + 12}`);
      expectOurs(ours, {
        records: record,
        code: inLength ? 'TFR_CORRUPT_LENGTH' : 'TFR_CORRUPT_DATA',
        record,
        offset,
      });
    }
  });

  test('in the data: skip delivers the other record, which TensorFlow cannot', async () => {
    const bytes = Buffer.from(plain());
    bytes[13] = bytes.readUInt8(13) ^ 1;
    const file = at('skip');
    writeFileSync(file, bytes);
    const { records, sha256, error } = await read(file, { onError: 'skip' });
    expect({ records, sha256 }).toEqual(digestOf([B]));
    expect(error).toBeUndefined();
  });
});

describe.each(COMPRESSIONS.slice(1))('one bit flipped, $ours', ({ theirs: compression }) => {
  test('in every byte: no wrong record, and no silence where TensorFlow is loud', async () => {
    const bytes = wholeFile(compression);
    for (const position of upTo(bytes.length)) {
      for (const bit of upTo(8)) {
        const damaged = Buffer.from(bytes);
        damaged[position] = damaged.readUInt8(position) ^ (1 << bit);
        const { ours, theirs } = await both(damaged, compression);
        const where = { position, bit };
        expect({ ...where, ...digestOf([A, B].slice(0, ours.records)) }).toMatchObject({
          ...where,
          sha256: ours.sha256,
        });
        const whole = ours.error === undefined && ours.records === 2;
        const theirWhole = theirs.error === null && theirs.records === 2;
        expect({ ...where, whole: whole || ours.error !== undefined }).toEqual({ ...where, whole: true });
        // Only changes of fields that do not affect the data may go unnoticed.
        if (whole) expect({ ...where, theirWhole }).toEqual({ ...where, theirWhole: true });
      }
    }
  });
});

describe('bytes behind the last record', () => {
  test.each([...upTo(20).slice(1), 64])('%i of them, plain', async (count) => {
    for (const fill of [0, 0xab]) {
      const { ours, theirs } = await both(Buffer.concat([plain(), Buffer.alloc(count, fill)]), '');
      expectTheirs(theirs, 2, count < 12 ? undefined : `corrupted record at ${END_B}`);
      const code = count < 12 ? 'TFR_TRUNCATED' : 'TFR_CORRUPT_LENGTH';
      expectOurs(ours, { records: 2, code, record: 2, offset: END_B });
    }
  });

  test.each([1, 2, 3, 12, 64])('%i of them, gzip', async (count) => {
    for (const fill of [0, 0xab]) {
      const bytes = wholeFile('GZIP');
      const { ours, theirs } = await both(Buffer.concat([bytes, Buffer.alloc(count, fill)]), 'GZIP');
      expectTheirs(theirs, 2, count < 2 ? undefined : 'incorrect header check');
      expectOurs(ours, { records: 2, code: 'TFR_TRAILING_DATA', compressedOffset: bytes.length });
    }
  });

  test.each([1, 2, 3, 12, 64])('%i of them, zlib: TensorFlow never says a word', async (count) => {
    for (const fill of [0, 0xab]) {
      const bytes = wholeFile('ZLIB');
      const { ours, theirs } = await both(Buffer.concat([bytes, Buffer.alloc(count, fill)]), 'ZLIB');
      expectTheirs(theirs, 2);
      expectOurs(ours, { records: 2, code: 'TFR_TRAILING_DATA', compressedOffset: bytes.length });
    }
  });
});

describe('trailers', () => {
  test.each([
    ['GZIP', 8, 'incorrect data check'],
    ['GZIP', 4, 'incorrect length check'],
    ['ZLIB', 4, 'incorrect data check'],
  ] as const)('%s, wrong %i bytes before the end', async (compression, before, words) => {
    const bytes = Buffer.from(wholeFile(compression));
    bytes[bytes.length - before] = bytes.readUInt8(bytes.length - before) ^ 1;
    const { ours, theirs } = await both(bytes, compression);
    // TensorFlow loses the records of that inflate step as well.
    expectTheirs(theirs, 0, words);
    expectOurs(ours, { records: 2, code: 'TFR_COMPRESSION' });
  });
});

describe('several members and streams', () => {
  const one = (): Buffer => plain().subarray(0, END_A);
  const two = (): Buffer => plain().subarray(END_A);
  const nothing = Buffer.alloc(0);

  test.each([
    ['two members', [one, two], 2],
    ['an empty one between: TensorFlow loses what follows', [one, () => nothing, two], 1],
    ['an empty one first: TensorFlow loses all', [() => nothing, one, two], 0],
    ['an empty one last', [one, two, () => nothing], 2],
    ['a record across two members', [() => plain().subarray(0, 25), () => plain().subarray(25)], 2],
  ] as const)('gzip: %s', async (_, parts, theirRecords) => {
    const { ours, theirs } = await both(Buffer.concat(parts.map((part) => gzipSync(part()))), 'GZIP');
    expectTheirs(theirs, theirRecords);
    expectOurs(ours, { records: 2 });
  });

  test('zlib: a second stream, which TensorFlow loses', async () => {
    const file = at('part');
    const streams: Buffer[] = [];
    for (const record of [A, B]) {
      await peer.ask({ op: 'write', file, compression: 'ZLIB', records: [record.toString('hex')] });
      streams.push(readFileSync(file));
    }
    const { ours, theirs } = await both(Buffer.concat(streams), 'ZLIB');
    expectTheirs(theirs, 1);
    expectOurs(ours, { records: 2 });
  });

  test('a member that ends 1 to 8 bytes past a multiple of 262,144: TensorFlow loses the next', async () => {
    const record = Buffer.alloc(263_000, 7);
    const member = (size: number): Buffer => gzipSync(frame(record.subarray(0, size)), { level: 0 });
    // Two rounds, because fewer bytes may also be fewer stored blocks.
    let size = record.length;
    for (let i = 0; i < 2; i += 1) size -= member(size).length - (262_144 + 4);
    const first = member(size);
    expect(first.length).toBe(262_144 + 4);
    const file = at('straddle');
    writeFileSync(file, Buffer.concat([first, gzipSync(frame(B))]));
    expect(await peer.ask({ op: 'read', file, compression: 'GZIP' })).toMatchObject({ records: 1, error: null });
    expect(await read(file)).toEqual({ ...digestOf([record.subarray(0, size), B]), error: undefined });
  });
});

describe('the wrong compression', () => {
  test.each([
    ['', 'GZIP', 'incorrect header check'],
    ['', 'ZLIB', 'incorrect header check'],
    ['GZIP', '', 'corrupted record at 0'],
    ['GZIP', 'ZLIB', 'incorrect header check'],
    ['ZLIB', '', 'corrupted record at 0'],
    ['ZLIB', 'GZIP', 'incorrect header check'],
  ] as const)("'%s' read as '%s'", async (written, named, words) => {
    const file = at('wrong');
    writeFileSync(file, wholeFile(written));
    const names = { '': 'none', GZIP: 'gzip', ZLIB: 'zlib' } as const;
    const theirs = await peer.ask({ op: 'read', file, compression: named });
    expectTheirs(theirs, 0, words);
    expectOurs(await read(file, { compression: names[named] }), { records: 0, code: 'TFR_COMPRESSION' });
    expectOurs(await read(file), { records: 2 });
  });
});

describe('lengths that lie, with a right checksum', () => {
  /** Returns the header of a record of `length` bytes, and nothing after it. */
  function header(length: bigint): Buffer {
    const bytes = Buffer.alloc(12);
    bytes.writeBigUInt64LE(length);
    bytes.writeUInt32LE(maskCrc32c(crc32c(bytes.subarray(0, 8))), 8);
    return bytes;
  }

  test.each([6n, 1_000n, 1n << 20n, 1n << 30n, (1n << 31n) - 1n])('%i bytes: cut, to both', async (length) => {
    const { ours, theirs } = await both(Buffer.concat([plain(), header(length), Buffer.alloc(5)]), '');
    expectTheirs(theirs, 2, `truncated record at ${END_B}`);
    expectOurs(ours, { records: 2, code: 'TFR_TRUNCATED', record: 2, offset: END_B });
  });

  // From 2^36 on, TensorFlow's process dies. It refuses the largest lengths with another message.
  test.each([1n << 31n, 1n << 36n, 1n << 40n, (1n << 63n) - 5n, (1n << 63n) - 4n, (1n << 64n) - 5n, (1n << 64n) - 1n])(
    '%i bytes: too large for us, whatever it does to TensorFlow',
    async (length) => {
      const file = at('claim');
      for (const pack of [(bytes: Buffer) => bytes, gzipSync]) {
        writeFileSync(file, pack(Buffer.concat([plain(), header(length), Buffer.alloc(5)])));
        expectOurs(await read(file), { records: 2, code: 'TFR_RECORD_TOO_LARGE', record: 2, offset: END_B });
      }
    },
  );

  test.each([
    [(1n << 63n) - 4n, 'InvalidArgumentError'],
    [(1n << 64n) - 6n, 'InvalidArgumentError'],
    [(1n << 64n) - 5n, 'DataLossError'],
    [(1n << 64n) - 1n, 'DataLossError'],
  ] as const)('%i bytes, to TensorFlow', async (length, error) => {
    const { ours, theirs } = await both(Buffer.concat([plain(), header(length), Buffer.alloc(5)]), '');
    expect(theirs).toMatchObject({ records: 2, error });
    expectOurs(ours, { records: 2, code: 'TFR_RECORD_TOO_LARGE', record: 2, offset: END_B });
  });
});

test('the compressed files hold the plain one', () => {
  expect(gunzipSync(wholeFile('GZIP'))).toEqual(plain());
  expect(plain().length).toBe(END_B);
});

function frame(data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(16 + data.length);
  bytes.writeBigUInt64LE(BigInt(data.length));
  bytes.writeUInt32LE(maskCrc32c(crc32c(bytes.subarray(0, 8))), 8);
  bytes.set(data, 12);
  bytes.writeUInt32LE(maskCrc32c(crc32c(data)), 12 + data.length);
  return bytes;
}
