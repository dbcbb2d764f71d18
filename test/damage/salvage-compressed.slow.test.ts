/**
 * Salvaging injured GZIP files: reading goes on at the next member of any writer, or at the next checkpoint of the index beside
 * the file, and gives every record after it that was not touched. `TFRECORD_FULL=1` takes 200 files of each kind.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, crc32, createDeflateRaw, deflateRawSync, gzipSync } from 'node:zlib';

import { encodeRecords, openIndexed, readRecordsSync } from '../../lib';
import { randoms } from '../support/randoms';
import { injure, type InjuredFile } from '../support/records/injuries';
import { checkCommands } from '../support/records/salvage-commands';
import { numbersOf, salvage, somePayloads, type Salvaged } from '../support/records/salvaged';
import { FRAMING_BYTES, ownMember } from '../support/records/tfrecord';

const FILES = process.env['TFRECORD_FULL'] === '1' ? 200 : 15;
const RECORDS = 10_000;
const PART = 25;
const MOST_INJURIES = 50;
/** Of so many files, the command salvages one. */
const COMMANDS_EACH = 5;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-salvage-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Records in parts, and the compressed bytes of each part. */
interface Parts {
  readonly payloads: readonly Buffer[];
  /** The first record of each part, and the number of all records. */
  readonly firsts: readonly number[];
  readonly bytes: Buffer;
  /** Offset of each part's compressed bytes, and their end. */
  readonly offsets: readonly number[];
}

function partsOf(
  payloads: readonly Buffer[],
  compressed: readonly Buffer[],
  before = 0,
  after = Buffer.alloc(0),
): Parts {
  const offsets = [before];
  for (const { length } of compressed) offsets.push(offsets.at(-1)! + length);
  const firsts = Array.from({ length: compressed.length + 1 }, (_, i) => Math.min(i * PART, payloads.length));
  return { payloads, firsts, bytes: Buffer.concat([Buffer.alloc(before), ...compressed, after]), offsets };
}

function contents(payloads: readonly Buffer[]): Buffer[] {
  const parts = Array.from({ length: Math.ceil(payloads.length / PART) }, (_, i) =>
    payloads.slice(PART * i, PART * (i + 1)),
  );
  return parts.map((part) => Buffer.from(encodeRecords(part)));
}

/** A member of another writer, with the fields of its header that `flags` name. */
function foreignMember(content: Buffer, flags: number): Buffer {
  const fields = [
    flags & 4 ? Buffer.from('\x05\0ab\x01\0x', 'latin1') : Buffer.alloc(0),
    flags & 8 ? Buffer.from('part.tfrecord\0') : Buffer.alloc(0),
    flags & 16 ? Buffer.from('a comment\0') : Buffer.alloc(0),
  ];
  const header = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 3]), ...fields]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc32(header) & 0xffff);
  return Buffer.concat([
    header,
    flags & 2 ? sum : Buffer.alloc(0),
    deflateRawSync(content),
    gzipSync(content).subarray(-8),
  ]);
}

/** One member, of which it is known where each part's compressed bytes begin. */
async function oneMember(payloads: readonly Buffer[]): Promise<Parts> {
  const deflate = createDeflateRaw();
  let chunks: Buffer[] = [];
  deflate.on('data', (chunk: Buffer) => chunks.push(chunk));
  const compressed: Buffer[] = [];
  for (const content of contents(payloads)) {
    deflate.write(content);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    compressed.push(Buffer.concat(chunks));
    chunks = [];
  }
  deflate.end();
  await once(deflate, 'end');
  const whole = Buffer.concat(contents(payloads));
  const parts = partsOf(payloads, compressed, 10, Buffer.concat([...chunks, gzipSync(whole).subarray(-8)]));
  Buffer.from('1f8b0800000000000003', 'hex').copy(parts.bytes);
  return parts;
}

/** Injures `parts`, but not so that its first bytes no longer say what it is. */
function injured(parts: Parts, file: number): InjuredFile {
  for (let seed = file; ; seed += 10_000) {
    const random = randoms(seed);
    const found = injure(parts, 1 + Math.floor(MOST_INJURIES * random()), random);
    if (found.bytes.subarray(0, 40).equals(parts.bytes.subarray(0, 40))) return found;
  }
}

/** Number of files that were checked. */
let checked = 0;

/**
 * Salvages `file`: nothing wrong comes back, in order, and every record of the parts `expected`. The command salvages some
 * of the files, too.
 */
async function check(parts: Parts, file: InjuredFile, expected: readonly number[], path: string): Promise<Salvaged> {
  writeFileSync(path, file.bytes);
  const found = await salvage(path);
  const numbers = numbersOf(found.records, parts.payloads);
  const got = new Set(numbers);
  const missing = expected.filter((part) => {
    for (let record = parts.firsts[part]!; record < parts.firsts[part + 1]!; record++) {
      if (!got.has(record)) return true;
    }
    return false;
  });
  const { injuries } = file;
  expect({ injuries, missing, wrong: numbers.indexOf(-1) }).toEqual({ injuries, missing: [], wrong: -1 });
  expect(numbers).toEqual([...got].sort((a, b) => a - b));
  expect([...readRecordsSync(path, { onError: 'salvage' })]).toHaveLength(numbers.length);
  if (checked++ % COMMANDS_EACH === 0) await checkCommands(path, found, Math.floor(checked / COMMANDS_EACH));
  // The regions follow each other in the file.
  let at = 0;
  for (const { compressedStart, compressedEnd } of found.regions) {
    if (compressedStart === undefined) continue;
    expect(compressedStart).toBeGreaterThanOrEqual(at);
    at = compressedEnd ?? compressedStart;
    expect(at).toBeGreaterThanOrEqual(compressedStart);
    expect(at).toBeLessThanOrEqual(file.bytes.length);
  }
  return found;
}

test(`${FILES} files of one member: all before the first injury`, async () => {
  const path = join(folder, 'one.tfrecord.gz');
  const parts = await oneMember(somePayloads(randoms(1), RECORDS));
  for (let file = 0; file < FILES; file++) {
    const hurt = injured(parts, file);
    const first = Number(/\d+/.exec(hurt.injuries[0]!)![0]);
    const before = parts.offsets.findLastIndex((offset) => offset <= first);
    const found = await check(
      parts,
      hurt,
      Array.from({ length: Math.max(0, before) }, (_, i) => i),
      path,
    );
    expect(found.regions.length).toBeGreaterThan(0);
  }
}, 3_600_000);

const KINDS: readonly [name: string, member: (content: Buffer, i: number) => Buffer][] = [
  ['ours', (content) => ownMember(content, PART)],
  ['of another writer', (content, i) => foreignMember(content, [0, 2, 4, 8, 16, 30][i % 6]!)],
  ['mixed', (content, i) => (i % 5 < 2 ? ownMember(content, PART) : foreignMember(content, 8))],
];

test.each(KINDS)(
  `${FILES} files of members, %s: all members that were not touched`,
  async (_, member) => {
    const path = join(folder, 'members.tfrecord.gz');
    const payloads = somePayloads(randoms(2), RECORDS);
    const parts = partsOf(payloads, contents(payloads).map(member));
    for (let file = 0; file < FILES; file++) {
      const hurt = injured(parts, file);
      const found = await check(parts, hurt, hurt.untouched, path);
      expect(found.regions.length).toBeGreaterThan(0);
    }
  },
  3_600_000,
);

test(`${FILES} files of members that split records: all records of which no member was touched`, async () => {
  const path = join(folder, 'blocks.tfrecord.gz');
  const payloads = somePayloads(randoms(3), RECORDS);
  const content = Buffer.concat(contents(payloads));
  const BLOCK = 4000;
  const blocks = Array.from({ length: Math.ceil(content.length / BLOCK) }, (_, i) =>
    foreignMember(content.subarray(BLOCK * i, BLOCK * (i + 1)), 0),
  );
  const ends = contents(payloads).reduce<number[]>((all, { length }) => [...all, (all.at(-1) ?? 0) + length], [0]);
  const parts = partsOf(payloads, blocks);
  const records = { ...parts, firsts: Array.from({ length: ends.length }, (_, i) => Math.min(PART * i, RECORDS)) };
  for (let file = 0; file < FILES; file++) {
    const hurt = injured(parts, file);
    const right = new Set(hurt.untouched);
    // All blocks that hold a byte of the part.
    const expected = Array.from({ length: ends.length - 1 }, (_, i) => i).filter((i) => {
      const [from, to] = [Math.floor(ends[i]! / BLOCK), Math.floor((ends[i + 1]! - 1) / BLOCK)];
      return Array.from({ length: to - from + 1 }, (_, j) => from + j).every((block) => right.has(block));
    });
    await check(records, hurt, expected, path);
  }
}, 3_600_000);

/** Returns the offsets in the compressed file of the checkpoints that `exported`, an index of indexed_gzip, lists. */
function checkpointsIn(exported: Buffer): number[] {
  expect(exported.subarray(0, 5).toString()).toBe('GZIDX');
  const count = exported.readUInt32LE(31);
  return Array.from({ length: count }, (_, i) => Number(exported.readBigUInt64LE(35 + 18 * i)));
}

test(`${FILES} files of one member with an index: all from the next checkpoint on`, async () => {
  const path = join(folder, 'indexed.tfrecord.gz');
  const parts = await oneMember(somePayloads(randoms(4), RECORDS));
  const { bytes } = parts;
  writeFileSync(path, bytes);
  let checkpoints: number[];
  {
    await using index = await openIndexed(path, { checkpointBytes: 65_536, save: true });
    const exported = join(folder, 'index.gzidx');
    await index.export(exported, 'indexed_gzip');
    checkpoints = checkpointsIn(readFileSync(exported));
  }
  const size = Buffer.concat(contents(parts.payloads)).length;
  let whole = 0;
  for (let file = 0; file < FILES; file++) {
    const hurt = injured(parts, file);
    const places = hurt.injuries.map((injury) => /^(\w+) (\d+)-(\d+)$/.exec(injury)!);
    // Behind a change of the size, no checkpoint is where the index says.
    const moved = places.find(([, kind]) => kind === 'cut' || kind === 'insert');
    const limit = moved === undefined ? bytes.length : Number(moved[2]);
    const expected = hurt.untouched.filter((part) => {
      const [start, end] = [parts.offsets[part]!, parts.offsets[part + 1]!];
      const last = places.filter(([, , , to]) => Number(to) <= start).at(-1);
      const from = last === undefined ? 0 : Number(last[3]);
      return end <= limit && (from === 0 || checkpoints.some((point) => point >= from && point <= start));
    });
    const found = await check(parts, hurt, expected, path);
    if (found.regions.at(-1)?.after === undefined) continue;
    // All that the file had is in a record or in a region, and the index knows the numbers.
    whole++;
    const sum = found.records.reduce((total, { length }) => total + length + FRAMING_BYTES, found.lostBytes);
    expect({ injuries: hurt.injuries, sum }).toEqual({ injuries: hurt.injuries, sum: size });
    expect(found.counted).toEqual(numbersOf(found.records, parts.payloads));
    expect(found.regions.reduce((total, { doubtful }) => total + doubtful, 0)).toBe(0);
  }
  if (FILES > 100) expect(whole).toBeGreaterThan(0);
}, 3_600_000);
