/**
 * TensorFlow reads 2,000 layouts of our GZIP in full. Members end at 262,144·k + d, for k from 1 to 8 and d from −16 to
 * 16. TensorFlow loses what follows a member that ends 1 to 8 bytes past such a multiple, so the writer must lengthen
 * the member there; everywhere else it must end where the test aimed.
 */
import { openSync, closeSync, readSync, rmSync, statSync } from 'node:fs';

import { RecordWriter } from '../../../lib';
import { RecordPeer } from './peer';
import { RecordDigest, noise, read, temporaryFolder } from './support';

const BUFFER = 262_144;
/** Sizes of the records after the tuned member: within TensorFlow's input buffer, several members, beyond its buffer. */
const TAILS = [[10], [0], [100, 2_000, 30_000], [400_000]] as const;
/** How the members before the end are made: as few as possible, or some, each ended by a flush. */
const HEADS = ['one', 'several'] as const;

interface Layout {
  readonly k: number;
  readonly d: number;
  readonly level: number;
  readonly head: (typeof HEADS)[number];
  readonly tail: readonly number[];
}

function* layouts(): Generator<Layout> {
  for (let k = 1; k <= 8; k += 1)
    for (let d = -16; d <= 16; d += 1)
      for (const [index, tail] of TAILS.entries())
        for (const head of HEADS) yield { k, d, level: (k + d + index) % 2 === 0 ? 0 : 6, head, tail };
}

const at = temporaryFolder();
let peer: RecordPeer;
beforeAll(() => (peer = new RecordPeer()));
afterAll(() => peer.close());

/** Returns the ends of the members of one of our files, from the sizes in their headers. */
function memberEnds(file: string): number[] {
  const size = statSync(file).size;
  const descriptor = openSync(file, 'r');
  const header = Buffer.alloc(28);
  const ends: number[] = [];
  for (let end = 0; end < size; ends.push(end)) {
    readSync(descriptor, header, 0, header.length, end);
    expect(header.toString('latin1', 12, 14)).toBe('TR');
    end += Number(header.readBigUInt64LE(16));
  }
  closeSync(descriptor);
  return ends;
}

const records = noise(3 << 20, 1);

interface Written {
  /** The end of the tuned member. */
  readonly end: number;
  readonly digest: RecordDigest;
}

/** Writes a head whose last record has `last` bytes, flushes, and writes the tail, one member per record. */
async function write(file: string, { k, level, head, tail }: Layout, last: number): Promise<Written> {
  const writer = await RecordWriter.open(file, { compression: 'gzip', level, atomic: false });
  const digest = new RecordDigest();
  const add = async (size: number): Promise<void> => {
    const record = records.subarray(size % 1000, (size % 1000) + size);
    digest.add(record);
    await writer.write(record);
  };
  if (head === 'several') {
    for (let i = 1; i < k * 2; i += 1) {
      await add(100_000);
      await writer.flush();
    }
  }
  // The start of `records` must not depend on the size that is tuned.
  const record = records.subarray(0, last);
  digest.add(record);
  await writer.write(record);
  await writer.flush();
  const end = statSync(file).size;
  for (const size of tail) {
    await add(size);
    await writer.flush();
  }
  await writer.close();
  return { end, digest };
}

/** Sizes of the last record with which the member ended 20 bytes before 262,144·k, by the rest of the layout. */
const tuned = new Map<string, number>();

async function tune(file: string, layout: Layout): Promise<number> {
  const key = `${layout.k} ${layout.level} ${layout.head}`;
  const known = tuned.get(key);
  if (known !== undefined) return known;
  const target = layout.k * BUFFER - 20;
  let last = layout.head === 'one' ? target - 100 : target - (2 * layout.k - 1) * 100_100;
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const { end } = await write(file, { ...layout, tail: [] }, last);
    if (end === target) {
      tuned.set(key, last);
      return last;
    }
    last += target - end;
  }
  throw new Error(`no size ends a member at ${target} (${key})`);
}

test('layouts are many', () => {
  expect([...layouts()].length).toBeGreaterThanOrEqual(2_000);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('member ends around %i times 262,144', async (k) => {
  const failures: string[] = [];
  const file = at(`layout-${k}`);
  let aimed = 0;
  let lengthened = 0;
  for (const layout of layouts()) {
    if (layout.k !== k) continue;
    const last = await tune(file, layout);
    rmSync(file, { force: true });
    const { end, digest } = await write(file, layout, last + 20 + layout.d);
    const expected = digest.done();
    const name = JSON.stringify(layout);
    const ends = memberEnds(file);
    for (const position of ends) {
      const past = position % BUFFER;
      if (past >= 1 && past <= 8) failures.push(`${name}: a member ends ${past} bytes past a multiple`);
    }
    if (!ends.includes(end)) failures.push(`${name}: the flush at ${end} ended no member`);
    const wanted = k * BUFFER + layout.d;
    const moved = layout.d >= 1 && layout.d <= 8;
    if (!moved && end !== wanted) failures.push(`${name}: ends at ${end}, not ${wanted}`);
    if (moved && end <= wanted) failures.push(`${name}: ends at ${end}, not behind ${wanted}`);
    if (end === wanted) aimed += 1;
    if (moved) lengthened += 1;
    const answer = await peer.ask({ op: 'read', file, compression: 'GZIP' });
    if (answer.error !== null || answer.records !== expected.records || answer.sha256 !== expected.sha256)
      failures.push(`${name}: TensorFlow reads ${answer.records} of ${expected.records}: ${answer.message ?? 'end'}`);
    const ours = await read(file);
    if (ours.error !== undefined || ours.sha256 !== expected.sha256)
      failures.push(`${name}: we read ${ours.records} of ${expected.records}: ${ours.error?.message ?? 'end'}`);
  }
  expect(failures.slice(0, 20)).toEqual([]);
  expect({ aimed, lengthened }).toEqual({ aimed: 25 * 8, lengthened: 8 * 8 });
});
