/** Helpers of the interop tests: a temporary folder, our digest in TensorFlow's form, and our outcome of a file. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RecordReader, TFRecordError, type ReadOptions } from '../../../lib';
import type { Digest, TensorFlowCompression } from './peer';

export type Compression = 'none' | 'gzip' | 'zlib';

export const COMPRESSIONS: readonly { ours: Compression; theirs: TensorFlowCompression }[] = [
  { ours: 'none', theirs: '' },
  { ours: 'gzip', theirs: 'GZIP' },
  { ours: 'zlib', theirs: 'ZLIB' },
];

/** Makes a folder for a test file, which is removed after its tests. Returns a function that gives paths in it. */
export function temporaryFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'tfrecord-interop-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

export class RecordDigest {
  readonly #hash = createHash('sha256');
  #records = 0;

  add(record: Uint8Array): void {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(record.length));
    this.#hash.update(length).update(record);
    this.#records += 1;
  }

  done(): Digest {
    return { records: this.#records, sha256: this.#hash.digest('hex') };
  }
}

export function digestOf(records: Iterable<Uint8Array>): Digest {
  const digest = new RecordDigest();
  for (const record of records) digest.add(record);
  return digest.done();
}

export interface Outcome extends Digest {
  readonly error: TFRecordError | undefined;
}

/** Returns everything that we deliver from `path`, and the error after it. */
export async function read(path: string, options?: ReadOptions): Promise<Outcome> {
  const digest = new RecordDigest();
  let error: TFRecordError | undefined;
  try {
    const reader = await RecordReader.open(path, options);
    for await (const batch of reader.batches()) for (const record of batch) digest.add(record);
  } catch (thrown) {
    if (!(thrown instanceof TFRecordError)) throw thrown;
    error = thrown;
  }
  return { ...digest.done(), error };
}

/** Returns bytes that do not compress. The same seed gives the same bytes, whatever the size. */
export function noise(size: number, seed: number): Buffer {
  return createHash('shake128', { outputLength: Math.max(size, 1) })
    .update(`noise ${seed}`)
    .digest()
    .subarray(0, size);
}

export function text(size: number, seed: number): Buffer {
  return Buffer.alloc(size, `record ${seed}: all work and no play; `);
}

const EDGES = [-17, -16, -15, -13, -12, -5, -4, -1, 0, 1, 4, 12];
/** Sizes around every boundary that a reader or writer may have. */
export const SIZES: readonly number[] = [
  ...[0, 1, 2, 7, 8, 11, 12, 13, 15, 16, 255, 256],
  ...[65_536, 262_144, 1_048_576].flatMap((size) => EDGES.map((edge) => size + edge)),
  5 << 20,
];
