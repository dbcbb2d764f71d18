/** Shuffles more records than memory holds, in two passes over temporary files (buckets). */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { fromNodeError, type Bytes } from '../../base';
import { Draws, nestedSeed, permutation, type Words } from '../../dataset';
import { commonSize, forgetTemporary, MemoryPool, temporaryName } from '../../io';
import {
  gatherRecords,
  type ListedSlab,
  partsOf,
  type RecordBatch,
  RecordReader,
  RecordWriter,
  subset,
} from '../../record';
import type { InputReader, InputBatch, PreparedInput } from '../format';
import type { Inputs } from '../input/inputs';

/** Maximum size of the records that are shuffled in memory together, in bytes. */
const BUCKET_BYTES = 64 * 1024 * 1024;
/** Maximum number of buckets for the records of one file. Each has a writer with about 2 MiB of memory. */
const MAX_BUCKETS = 48;
/** Size of a portion of records, in bytes. */
const PORTION_BYTES = 1024 * 1024;

/** A temporary file of records in their original order. */
interface Bucket {
  readonly path: string;
  readonly records: number;
  readonly bytes: number;
  /** The key of its order, and of the buckets into which it is divided. */
  readonly key: Words;
}

/** A source of batches to shuffle. */
export interface Batches {
  next(): Promise<RecordBatch | undefined>;
}

/**
 * Records in random order: all orders have the same probability. The order depends only on the seed, the number of
 * records, and their expected size.
 */
export class Shuffled implements PreparedInput {
  readonly #folder: string;
  readonly #buckets: readonly Bucket[];
  readonly #signal: AbortSignal | undefined;

  private constructor(folder: string, buckets: readonly Bucket[], signal: AbortSignal | undefined) {
    this.#folder = folder;
    this.#buckets = buckets;
    this.#signal = signal;
  }

  /**
   * Distributes the records of `batches` to temporary files, in a new folder beside `output`. `expectedBytes`:
   * approximate total size of the records.
   */
  static async of(
    batches: Batches,
    seed: Words,
    expectedBytes: number,
    output: string,
    signal: AbortSignal | undefined,
  ): Promise<Shuffled> {
    const folder = temporaryName(output, true);
    try {
      await mkdir(folder).catch((error: unknown) => {
        throw fromNodeError(error, folder, 'mkdir');
      });
      const count = bucketsFor(expectedBytes);
      return new Shuffled(folder, await deal(batches, seed, count, join(folder, 'a'), signal), signal);
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  }

  /** Number of records. */
  get records(): number {
    return this.#buckets.reduce((sum, { records }) => sum + records, 0);
  }

  open(): InputReader {
    return new ShuffledReader(this.#buckets, this.#signal);
  }

  /** Removes the temporary files. */
  remove(): Promise<void> {
    return removeFolder(this.#folder);
  }
}

async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  forgetTemporary(folder);
}

function bucketsFor(bytes: number): number {
  return Math.min(Math.max(Math.ceil(bytes / BUCKET_BYTES), 1), MAX_BUCKETS);
}

/** Distributes records to `count` files, whose names start with `prefix`. */
async function deal(
  batches: Batches,
  key: Words,
  count: number,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Bucket[]> {
  const draws = new Draws(key);
  const writers: RecordWriter[] = [];
  try {
    for (let i = 0; i < count; i++) {
      writers.push(
        await RecordWriter.open(`${prefix}${i}`, { compression: 'none', atomic: false, threads: 1, signal }),
      );
    }
    for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) {
      const places = writers.map((): number[] => []);
      for (let i = 0; i < batch.length; i++) places[count === 1 ? 0 : draws.below(count)]!.push(i);
      for (const [i, chosen] of places.entries()) {
        const part = subset(batch, chosen);
        const full = part && writers[i]!.writeBatch(part);
        if (full !== undefined) await full;
      }
    }
    const buckets: Bucket[] = [];
    for (const [i, writer] of writers.entries()) {
      const { records, bytes } = await writer.close();
      buckets.push({ path: `${prefix}${i}`, records, bytes, key: nestedSeed(key, i) });
    }
    return buckets;
  } catch (error) {
    await Promise.all(writers.map((writer) => writer.abort()));
    throw error;
  }
}

class ShuffledReader implements InputReader {
  bytes = 0;
  /** The buckets to read; the next one is the last in the list. */
  readonly #waiting: Bucket[];
  readonly #signal: AbortSignal | undefined;
  #portions: Iterator<RecordBatch> | undefined;
  #next = 0;
  /** The memory of the portions. Only the job sees it, one portion at a time. */
  readonly #memory = new MemoryPool();
  #leased: Bytes | undefined;

  constructor(buckets: readonly Bucket[], signal: AbortSignal | undefined) {
    this.#waiting = [...buckets].reverse();
    this.#signal = signal;
  }

  async next(): Promise<InputBatch | undefined> {
    for (;;) {
      this.#signal?.throwIfAborted();
      this.#giveBack();
      const step = this.#portions?.next();
      if (step?.done === false) {
        const batch = step.value;
        const numbers = this.#next;
        this.#next += batch.length;
        this.bytes += batch.byteLength;
        return { batch, input: 0, numbers };
      }
      const bucket = this.#waiting.pop();
      if (bucket === undefined) return undefined;
      // A single record cannot be divided, whatever its length.
      if (bucket.bytes > 2 * BUCKET_BYTES && bucket.records > 1) await this.#dealAgain(bucket);
      else this.#portions = await shuffle(bucket, (bytes) => this.#lease(bytes, bucket.path), this.#signal);
    }
  }

  close(): Promise<void> {
    this.#portions = undefined;
    this.#memory.close();
    return Promise.resolve();
  }

  #lease(bytes: number, file: string): Bytes {
    return (this.#leased = this.#memory.lease(commonSize(bytes), file));
  }

  #giveBack(): void {
    if (this.#leased !== undefined) this.#memory.end(this.#leased);
    this.#leased = undefined;
  }

  /** Divides a bucket that is too large for memory into smaller ones. */
  async #dealAgain({ path, bytes, key }: Bucket): Promise<void> {
    const reader = await RecordReader.open(path, { verify: 'length', batchBytes: PORTION_BYTES, signal: this.#signal });
    const steps = reader.batches();
    const next = async (): Promise<RecordBatch | undefined> => {
      const step = await steps.next();
      return step.done === true ? undefined : step.value;
    };
    try {
      const count = Math.max(bucketsFor(bytes), 2);
      const smaller = await deal({ next }, key, count, `${path}.`, this.#signal);
      this.#waiting.push(...smaller.reverse());
    } finally {
      await reader.close();
    }
    await rm(path, { force: true });
  }
}

/** The records of `bucket` in random order, each portion in memory that `memory` returns. */
async function shuffle(
  { path, key }: Bucket,
  memory: (bytes: number) => Bytes,
  signal: AbortSignal | undefined,
): Promise<Iterator<RecordBatch>> {
  const slabs: ListedSlab[] = [];
  const batches: RecordBatch[] = [];
  const reader = await RecordReader.open(path, { verify: 'length', batchBytes: PORTION_BYTES, signal });
  for await (const batch of reader.batches()) {
    batches.push(batch);
    slabs.push({ source: partsOf(batch).source, unseen: false, listing: 0, place: 0 });
  }
  return inOrder(batches, slabs, key, memory);
}

function* inOrder(
  batches: readonly RecordBatch[],
  slabs: readonly ListedSlab[],
  key: Words,
  memory: (bytes: number) => Bytes,
): Generator<RecordBatch> {
  const count = batches.reduce((sum, { length }) => sum + length, 0);
  // For each record its slab, and its frame there.
  const slabOf = new Uint32Array(count);
  const frameOf = new Uint32Array(count);
  const bytesOf = new Uint32Array(count);
  let filled = 0;
  for (const [i, batch] of batches.entries()) {
    const { begin, source } = partsOf(batch);
    slabOf.fill(i, filled, filled + batch.length);
    for (let frame = begin; frame < begin + batch.length; frame++) {
      bytesOf[filled] = source.frames[2 * frame + 1]!;
      frameOf[filled++] = frame;
    }
  }
  const order = permutation(count, key);
  for (let first = 0; first < count;) {
    let bytes = 0;
    let end = first;
    for (; end < count && bytes < PORTION_BYTES; end++) bytes += bytesOf[order.at(end)]!;
    const start = first;
    const record = (index: number): number => order.at(start + index);
    const origin = (index: number): ReturnType<RecordBatch['origin']> => {
      const batch = batches[slabOf[record(index)]!]!;
      return batch.origin(frameOf[record(index)]! - partsOf(batch).begin);
    };
    yield gatherRecords(
      {
        length: end - start,
        slab: (index) => slabs[slabOf[record(index)]!]!,
        frame: (index) => frameOf[record(index)]!,
      },
      { origin },
      memory,
    );
    first = end;
  }
}

/** Assumed ratio of compression. */
const USUAL_RATIO = 5;

/** Approximate size of the records in `files`. Depends only on the files' names and sizes. */
export function expectedBytes(files: Inputs['files']): number {
  return files.reduce(
    (all, { file, bytes = 2 ** 30 }) => all + (/\.(?:gz|zz|zlib)$/i.test(file) ? USUAL_RATIO * bytes : bytes),
    0,
  );
}
