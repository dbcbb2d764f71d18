/**
 * One damaged byte anywhere in a GZIP file that RecordWriter wrote: with `onError: 'skip'` only the member with that byte
 * loses records, every record has its number, and a path, whose members are inflated in parallel, gives what a stream gives.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RecordReader, RecordWriter, type RecordSource } from '../../lib';
import { flipBit, pieces } from '../support/records/tfrecord';

const RECORDS = 12_000;
const ROUNDS = 30;
const MEMBER_BYTES_AT = 16;
const COUNT_AT = 24;

let folder: string;
let path: string;
let file: Buffer;
/** The first byte and the first record of each member, and the ends. */
const starts = [0];
const firsts = [0];

/** A generator of random numbers below a bound: the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const TEXTS = Array.from({ length: RECORDS }, (_, index) =>
  Buffer.from(`record ${index}: ${String(Math.sin(index)).repeat(20)}`),
);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-own-members-'));
  path = join(folder, 'file.tfrecord.gz');
  const writer = await RecordWriter.open(path);
  for (let index = 0; index < RECORDS; index++) await writer.write(TEXTS[index]!);
  await writer.close();
  file = readFileSync(path);
  for (let at = 0; at < file.length; starts.push(at)) {
    firsts.push(firsts.at(-1)! + file.readUInt32LE(at + COUNT_AT));
    at += Number(file.readBigUInt64LE(at + MEMBER_BYTES_AT));
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Reads to the end. Checks each record against its number, and returns the numbers. */
async function read(source: RecordSource): Promise<{ given: number[]; lostBytes: number }> {
  const reader = await RecordReader.open(source, { onError: { action: 'skip', maxRate: 1 } });
  const given: number[] = [];
  for await (const record of reader) {
    const { record: number } = reader.origin!;
    if (!TEXTS[number]?.equals(record)) throw new Error(`record ${number} is another one`);
    given.push(number);
  }
  return { given, lostBytes: reader.stats.lostBytes };
}

test('the file has several members', () => {
  expect(starts.length).toBeGreaterThan(4);
  expect(starts.at(-1)).toBe(file.length);
  expect(firsts.at(-1)).toBe(RECORDS);
});

test('one flipped bit costs one member at most', async () => {
  const next = numbers(11);
  let saved = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const at = next(file.length);
    const damaged = flipBit(file, at, next(8));
    const member = starts.findIndex((start) => start > at) - 1;
    writeFileSync(path, damaged);
    const found = await read(path);
    const others = Array.from({ length: RECORDS }, (_, index) => index).filter(
      (index) => index < firsts[member]! || index >= firsts[member + 1]!,
    );
    const given = new Set(found.given);
    expect({ at, missing: others.filter((index) => !given.has(index)) }).toEqual({ at, missing: [] });
    expect(found.lostBytes).toBeLessThan(1.5 * 2 ** 20);
    saved += found.given.length;
    if (round % 6 === 0) expect(await read(pieces(damaged, 50_000))).toEqual(found);
  }
  expect(saved / ROUNDS).toBeGreaterThan(0.8 * RECORDS);
});
