/** Indexes that were damaged, or forged with right checksums: a reader gives the records of the file, or an error with a code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { crc32c, maskCrc32c, TFRecordError } from '../../../../lib';
import { RecordIndex } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { letters } from '../../../support/records/letters';
import { ownMember, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const MUTATIONS = 2000;
const HEAD = 20;
const SECTION_HEAD = 12;

/** Each has its number in its first four bytes. 3 MiB: several checkpoints and many places. */
const RECORDS = letters(4000, 1500);
const CONTENT = tfrecord(RECORDS);

function members(each: number): Buffer {
  const all: Buffer[] = [];
  for (let at = 0; at < RECORDS.length; at += each) {
    const part = RECORDS.slice(at, at + each);
    all.push(ownMember(tfrecord(part), part.length));
  }
  return Buffer.concat(all);
}

interface Section {
  readonly tag: Buffer;
  readonly payload: Buffer;
}

function sectionsOf(index: Buffer): Section[] {
  const sections: Section[] = [];
  for (let at = HEAD; at < index.length;) {
    const from = at + SECTION_HEAD;
    const end = from + Number(index.readBigUInt64LE(at + 4));
    sections.push({ tag: index.subarray(at, at + 4), payload: index.subarray(from, end) });
    at = end + 4;
  }
  return sections;
}

function summed(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(maskCrc32c(crc32c(bytes)));
  return Buffer.concat([bytes, sum]);
}

function joined(index: Buffer, sections: readonly Section[]): Buffer {
  const parts = sections.map(({ tag, payload }) => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(payload.length));
    return summed(Buffer.concat([tag, size, payload]));
  });
  return Buffer.concat([summed(index.subarray(0, HEAD - 4)), ...parts]);
}

type Below = (limit: number) => number;

/** Flips a bit, cuts, removes or inserts bytes. */
function mutated(bytes: Buffer, below: Below): Buffer {
  const at = below(bytes.length);
  switch (below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(9))]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + below(9), below(256)), bytes.subarray(at)]);
    default: {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << below(8);
      return flipped;
    }
  }
}

function swapped(index: Buffer, below: Below, only: 'payloads' | 'sections'): Buffer {
  const sections = sectionsOf(index);
  const [one, other] = [below(sections.length), below(sections.length)];
  const [first, second] = [sections[one]!, sections[other]!];
  sections[one] = only === 'sections' ? second : { tag: first.tag, payload: second.payload };
  sections[other] = only === 'sections' ? first : { tag: second.tag, payload: first.payload };
  return joined(index, sections);
}

function forged(index: Buffer, below: Below): Buffer {
  const kind = below(8);
  if (kind === 0) return swapped(index, below, 'payloads');
  if (kind === 1) return swapped(index, below, 'sections');
  const sections = sectionsOf(index);
  const at = below(sections.length);
  const { tag, payload } = sections[at]!;
  sections[at] = { tag, payload: mutated(payload, below) };
  return joined(index, sections);
}

interface Outcome {
  readonly loaded: boolean;
  /** Records that were read under their own numbers. */
  readonly right: number;
}

/** Returns the number of the record of the file that `data`, read as number `record`, is. */
function numberOf(data: Uint8Array, record: number): number {
  const number = data.length >= 4 ? Buffer.from(data.buffer, data.byteOffset).readUInt32LE() : -1;
  // One comparison for each record with `expect` would take longer than reading.
  if (RECORDS[number] === undefined || Buffer.compare(data, RECORDS[number]) !== 0) {
    throw new Error(`Record ${record} is no record of the file`);
  }
  return number;
}

/** Reads all records by the index at `indexPath`. Whatever is read must be records of the file, in their order. */
async function readAll(indexPath: string, path: string): Promise<Outcome> {
  let index: RecordIndex | undefined;
  let right = 0;
  try {
    index = await RecordIndex.load(indexPath, path);
    for (let first = 0; first < RECORDS.length; first += 500) {
      const start = index.place(first);
      if (start !== undefined) expect(start.record).toBeLessThanOrEqual(first);
      let before: number | undefined;
      for (const { record, data, error } of await index.read(first, 500)) {
        if (error !== undefined) {
          expect(error.code).toBe('TFR_CORRUPT_DATA');
          before = undefined;
          continue;
        }
        const number = numberOf(data, record);
        if (before !== undefined && number !== before + 1) throw new Error(`Record ${number} after ${before}`);
        before = number;
        if (number === record) right++;
      }
    }
    const wanted = Array.from({ length: Math.ceil(index.records / 37) }, (_, i) => index!.records - 1 - 37 * i);
    for (const [i, data] of [...(await index.readBatch(wanted))].entries()) numberOf(data, wanted[i]!);
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    expect(error.code).toMatch(
      /^TFR_(STATE_MISMATCH|CORRUPT_LENGTH|CORRUPT_DATA|COMPRESSION|TRUNCATED|TRAILING_DATA)$/,
    );
  } finally {
    await index?.close();
  }
  return { loaded: index !== undefined, right };
}

test.each([
  ['plain', CONTENT],
  ['GZIP, one member', gzipSync(CONTENT, { level: 1 })],
  ['GZIP, many members', members(50)],
])(
  '%s: 2,000 mutations of an index',
  async (_, bytes) => {
    const path = folder.fresh();
    writeFileSync(path, bytes);
    const indexPath = `${path}.tfindex`;
    const scanned = RecordIndex.scan(path);
    await scanned.save(indexPath);
    await scanned.close();
    expect(await readAll(indexPath, path)).toEqual({ loaded: true, right: RECORDS.length });
    const saved = readFileSync(indexPath);
    expect(joined(saved, sectionsOf(saved))).toEqual(saved);
    const random = randoms(29);
    const below: Below = (limit) => Math.floor(random() * limit);
    let loaded = 0;
    for (let i = 0; i < MUTATIONS; i++) {
      const isForged = i % 2 === 0;
      const changed = isForged ? forged(saved, below) : mutated(saved, below);
      writeFileSync(indexPath, changed);
      const outcome = await readAll(indexPath, path);
      if (outcome.loaded) loaded++;
      // Without right checksums, nothing but the saved index is used.
      if (!isForged) expect(outcome.loaded && !changed.equals(saved)).toBe(false);
    }
    // Many forgeries are not noticed before records are read.
    expect(loaded).toBeGreaterThan(MUTATIONS / 20);
  },
  600_000,
);
