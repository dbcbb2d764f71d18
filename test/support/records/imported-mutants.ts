import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { TFRecordError } from '../../../lib';
import { RecordIndex } from '../../../lib/record';
import { randoms } from '../randoms';
import { letters } from './letters';
import { Folder } from './record-files';
import { tfrecord } from './tfrecord';

export const IMPORT_FORMS = ['indexed_gzip', 'gztool', 'bgzip', 'tfrecord2idx'] as const;
export type ImportForm = (typeof IMPORT_FORMS)[number];

const RECORDS = letters(400, 900);
const CONTENT = Buffer.from(tfrecord(RECORDS));
const CUTS = [0, 100_000, 200_001];

/** The path of a file and that of a mutant of its index. */
export interface Mutant {
  readonly path: string;
  readonly other: string;
}

/** Yields mutants of an index of another program, one after the other in the same file, which it removes. */
export async function* mutants(form: ImportForm, count: number, seed: number): AsyncGenerator<Mutant> {
  const folder = new Folder();
  const [path, other] = [folder.at('file'), folder.at('index')];
  const members = CUTS.map((at, i) => gzipSync(CONTENT.subarray(at, CUTS[i + 1])));
  writeFileSync(path, form === 'tfrecord2idx' ? CONTENT : Buffer.concat(members));
  if (form === 'bgzip') {
    const [first, second] = [members[0]!.length, members[0]!.length + members[1]!.length];
    writeFileSync(other, new Uint8Array(BigUint64Array.from([2, first, CUTS[1]!, second, CUTS[2]!], BigInt).buffer));
  } else {
    await using index = RecordIndex.scan(path, { checkpointBytes: 65_536 });
    await index.export(other, form);
  }
  const right = readFileSync(other);
  const random = randoms(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  try {
    for (let i = 0; i < count; i++) {
      // Half of them where numbers are, not windows.
      const at = below(i % 2 === 0 ? Math.min(right.length, 200) : right.length);
      writeFileSync(other, mutated(right, at, below));
      yield { path, other };
    }
  } finally {
    folder.remove();
  }
}

function mutated(right: Buffer, at: number, below: (limit: number) => number): Buffer {
  const after = at + 1 + below(9);
  switch (below(5)) {
    case 0:
      return right.subarray(0, at);
    case 1:
      return Buffer.concat([right.subarray(0, at), right.subarray(after)]);
    case 2:
      return Buffer.concat([right.subarray(0, at), Buffer.alloc(after - at, below(256)), right.subarray(at)]);
    case 3:
      return Buffer.concat([right.subarray(0, at), Buffer.alloc(4, 0xff), right.subarray(at + 4)]);
    default: {
      const flipped = Buffer.from(right);
      flipped[at]! ^= 1 << below(8);
      return flipped;
    }
  }
}

/** Imports a mutant: expects all records, or TFR_STATE_MISMATCH. Resolves with 1 for an error. */
export async function expectSafe({ path, other }: Mutant): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  try {
    await using index = await RecordIndex.import(other, path, { checkpointBytes: 65_536 });
    expect([index.records, index.faults]).toEqual([RECORDS.length, []]);
    const batch = await index.readBatch([399, 0, 200]);
    for (const [at, number] of [399, 0, 200].entries()) {
      expect(Buffer.from(batch.at(at)!).equals(Buffer.from(RECORDS[number]!))).toBe(true);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof TFRecordError)) throw error;
    expect(error).toMatchObject({ code: 'TFR_STATE_MISMATCH', file: other });
    return 1;
  } finally {
    // A forged length allocates nothing: the file has 360 KB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
  }
}
