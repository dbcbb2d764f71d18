/**
 * Salvaging injured files: every record that was not touched comes back, no other bytes do, and the regions and the
 * records add up to the file. `TFRECORD_FULL=1` takes 2,000 plain files and 200 GZIP files.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { encodeRecords, readRecordsSync } from '../../lib';
import { randoms } from '../support/randoms';
import { injure, type WholeFile } from '../support/records/injuries';
import { checkCommands } from '../support/records/salvage-commands';
import { numbersOf, salvage, somePayloads, type Salvaged } from '../support/records/salvaged';
import { FRAMING_BYTES, offsets, ownMember } from '../support/records/tfrecord';

const FULL = process.env['TFRECORD_FULL'] === '1';
const PLAIN_FILES = FULL ? 2000 : 60;
const GZIP_FILES = FULL ? 200 : 20;
const RECORDS = 10_000;
/** Of so many files, the command salvages one. */
const COMMANDS_EACH = 5;
/** Records in a GZIP member. */
const PART = 1000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-salvage-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Returns what does not add up in a plain file of `bytes`: every byte is in one record or in one region. */
function gaps({ records, places, regions }: Salvaged, bytes: number): string[] {
  const parts = [
    ...records.map(({ length }, i) => [places[i]!, places[i]! + length + FRAMING_BYTES] as const),
    ...regions.map(({ start, end = NaN }) => [start, end] as const),
  ].sort(([a], [b]) => a - b);
  let at = 0;
  const wrong: string[] = [];
  for (const [from, to] of parts) {
    if (from !== at) wrong.push(`${at} to ${from}`);
    at = to;
  }
  return at === bytes ? wrong : [...wrong, `${at} to ${bytes}`];
}

test(`${PLAIN_FILES} injured plain files`, async () => {
  const path = join(folder, 'plain.tfrecord');
  let payloads: Buffer[] = [];
  let whole: WholeFile = { bytes: Buffer.alloc(0), offsets: [] };
  let regions = 0;
  for (let file = 0; file < PLAIN_FILES; file++) {
    const random = randoms(file);
    if (file % 20 === 0) {
      payloads = somePayloads(random, RECORDS);
      whole = { bytes: Buffer.from(encodeRecords(payloads)), offsets: offsets(payloads) };
    }
    const { bytes, untouched, injuries } = injure(whole, 1 + Math.floor(50 * random()), random);
    writeFileSync(path, bytes);
    const found = await salvage(path);
    const numbers = numbersOf(found.records, payloads);
    const got = new Set(numbers);
    const missing = untouched.filter((number) => !got.has(number));
    const sum = found.records.reduce((total, { length }) => total + length + FRAMING_BYTES, found.lostBytes);
    expect({ file, injuries, missing, wrong: numbers.indexOf(-1), gaps: gaps(found, bytes.length), sum }).toEqual({
      file,
      injuries,
      missing: [],
      wrong: -1,
      gaps: [],
      sum: bytes.length,
    });
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect([...readRecordsSync(path, { onError: 'salvage' })]).toHaveLength(numbers.length);
    if (file % COMMANDS_EACH === 0) await checkCommands(path, found, file / COMMANDS_EACH);
    regions += found.regions.length;
  }
  expect(regions).toBeGreaterThan(PLAIN_FILES);
}, 3_600_000);

test(`${GZIP_FILES} injured files of gzip members: each region ends at a member`, async () => {
  const path = join(folder, 'members.tfrecord.gz');
  const random = randoms(7);
  const payloads = somePayloads(random, RECORDS);
  const partOf = (member: number): Buffer[] => payloads.slice(PART * member, PART * (member + 1));
  const members = Array.from({ length: RECORDS / PART }, (_, i) =>
    ownMember(Buffer.from(encodeRecords(partOf(i))), PART),
  );
  const starts = [0];
  for (const { length } of members) starts.push(starts.at(-1)! + length);
  const whole = { bytes: Buffer.concat(members), offsets: starts };
  for (let file = 0; file < GZIP_FILES; file++) {
    const { bytes, untouched, injuries } = injure(whole, 1 + Math.floor(6 * random()), random);
    // Without the first member, nothing says that the file is one of ours.
    if (untouched[0] !== 0) continue;
    writeFileSync(path, bytes);
    const found = await salvage(path);
    const numbers = numbersOf(found.records, payloads);
    const got = new Set(numbers);
    const missing = untouched.filter((member) => !partOf(member).every((_, i) => got.has(PART * member + i)));
    expect({ file, injuries, missing, wrong: numbers.indexOf(-1) }).toEqual({ file, injuries, missing: [], wrong: -1 });
    if (file % COMMANDS_EACH === 0) await checkCommands(path, found, file / COMMANDS_EACH);
    const ends = found.regions.flatMap(({ compressedEnd }) => compressedEnd ?? []);
    for (const end of ends) {
      const isMember = bytes.subarray(end, end + 16).equals(members[0]!.subarray(0, 16));
      expect(isMember || end === bytes.length).toBe(true);
    }
  }
}, 3_600_000);

// A measure, which other work on the machine changes: TFRECORD_FULL=1 runs it.
const measured = process.env['TFRECORD_FULL'] === '1' ? test : test.skip;

measured('salvaging takes at most four times as long as reading', () => {
  const path = join(folder, 'fast.tfrecord');
  const random = randoms(3);
  const payloads = somePayloads(random, RECORDS);
  const whole = { bytes: Buffer.from(encodeRecords(payloads)), offsets: offsets(payloads) };
  const copies = (bytes: Buffer): Buffer => Buffer.concat(Array.from({ length: 20 }, () => bytes));
  const milliseconds = (bytes: Buffer, onError: 'throw' | 'salvage'): number => {
    writeFileSync(path, bytes);
    const times = Array.from({ length: 7 }, () => {
      const start = performance.now();
      let records = 0;
      for (const record of readRecordsSync(path, { onError })) records += record.length > 0 ? 1 : 0;
      expect(records).toBeGreaterThan(RECORDS);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  const plain = milliseconds(copies(whole.bytes), 'throw');
  const injured = milliseconds(copies(injure(whole, 50, random).bytes), 'salvage');
  console.log(`reading ${plain.toFixed(1)} ms, salvaging ${injured.toFixed(1)} ms`);
  expect(injured).toBeLessThan(4 * plain);
});
