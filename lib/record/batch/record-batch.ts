import { inspect } from 'node:util';

import {
  FRAME_BYTES,
  HEADER_BYTES,
  inspected,
  type InspectArguments,
  type Bytes,
  type Origin,
  transferredError,
} from '../../base';
import { frameOrigin, frameRecord, type BatchFrames, type SlabHold } from './batch-frames';
import { framesOfShared, shareFrames, type SharedRecords } from './shared-records';

/** `Origin.file` of records that were encoded, not read. */
export const ENCODED = '<encoded>';

let create: (source: BatchFrames, begin: number, end: number) => RecordBatch;
let inside: (batch: RecordBatch) => { readonly source: BatchFrames; readonly begin: number };

/**
 * Whole records of one file, or encoded records, in order. The records are views into one slab (up to 384 KiB by
 * default). The slab is never overwritten, so they stay valid, unless the reader is `transient`, or the batch is passed to
 * `encodeExamples` as `reuse`. Each record keeps the whole slab alive; `record.slice()` makes an independent copy.
 *
 * @example
 * const reader = await RecordReader.open('train.tfrecord.gz');
 * for await (const batch of reader.batches()) console.log(batch.length, batch.at(0), batch.origin(0)?.offset);
 */
export class RecordBatch implements Iterable<Bytes> {
  /** Number of records. 0 only if no rows were encoded. */
  readonly length: number;
  readonly #source: BatchFrames;
  readonly #begin: number;
  #byteLength = -1;

  static {
    create = (source, begin, end) => new RecordBatch(source, begin, end);
    inside = (batch) => ({ source: batch.#source, begin: batch.#begin });
  }

  private constructor(source: BatchFrames, begin: number, end: number) {
    this.length = end - begin;
    this.#source = source;
    this.#begin = begin;
  }

  /** Sum of the records' lengths, in bytes. */
  get byteLength(): number {
    if (this.#byteLength < 0) this.#byteLength = bytesBefore(this, this.length);
    return this.#byteLength;
  }

  /**
   * Returns the record at `index`, or undefined if there is none. A negative index counts from the end.
   *
   * @throws TFRecordError TFR_CLOSED if the caller has transferred the batch's memory away.
   *
   * @example
   * batch.at(-1); // the last record
   */
  at(index: number): Bytes | undefined {
    const frame = this.#frame(index);
    return frame < 0 ? undefined : frameRecord(this.#source, frame);
  }

  /**
   * Returns the place in its file of the record at `index` (as in {@link at}), or undefined if there is none.
   *
   * @example
   * const { file, record, offset } = batch.origin(0) ?? {};
   */
  origin(index: number): Origin | undefined {
    const frame = this.#frame(index);
    return frame < 0 ? undefined : frameOrigin(this.#source, frame);
  }

  /**
   * Copies the records into shared memory, to be posted to a worker thread.
   *
   * @throws TFRecordError ENOMEM if there is no memory; TFR_CLOSED if the caller has transferred the batch's memory away.
   *
   * @example
   * const shared = batch.share(); // for a worker: postMessage(shared)
   */
  share(): SharedRecords {
    const source = this.#source;
    if (this.length > 0) frameRecord(source, this.#begin);
    return shareFrames(source, this.#begin, this.#begin + this.length);
  }

  /**
   * Returns a batch over the memory that `share()` returned, in any thread. Nothing is copied.
   *
   * @throws TypeError for anything that `share()` did not return.
   *
   * @example
   * const copy = RecordBatch.from(batch.share());
   */
  static from(shared: SharedRecords): RecordBatch {
    const source = framesOfShared(shared);
    return new RecordBatch(source, 0, source.frames.length / 2);
  }

  /** Iterates over the records, in order. */
  [Symbol.iterator](): IterableIterator<Bytes> {
    return new BatchIterator(this.#source, this.#begin, this.#begin + this.length);
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected('RecordBatch', args, () => {
      const { length, byteLength } = this;
      return { length, byteLength, file: this.origin(0)?.file ?? this.#source.file };
    });
  }

  /** Returns the frame at `index`, rounded as by Array.prototype.at, or -1. */
  #frame(index: number): number {
    const position = Math.trunc(index) || 0;
    const wanted = position < 0 ? position + this.length : position;
    return wanted < 0 || wanted >= this.length ? -1 : this.#begin + wanted;
  }
}

/** Returns the batch of frames `begin` to `end` of `source`: at least one. */
export function newBatch(source: BatchFrames, begin: number, end: number): RecordBatch {
  return create(source, begin, end);
}

/** Returns the batch of encoded records in `slab`. `Origin.offset` is the record's offset in the slab. */
export function encodedBatch(slab: Bytes, frames: Uint32Array): RecordBatch {
  return create({ file: ENCODED, slab, frames, firstRecord: 0, base: 0 }, 0, frames.length / 2);
}

/** Returns `batch` as one whose records lie in whole frames: see `BatchFrames.framed`. */
export function framedBatch(batch: RecordBatch, framed: SlabHold): RecordBatch {
  const { source, begin } = inside(batch);
  return create({ ...source, framed }, begin, begin + batch.length);
}

/** Whole frames that lie one after another. */
export interface FrameSpan {
  readonly bytes: Bytes;
  readonly records: number;
  /** Sum of the records' lengths. */
  readonly payloadBytes: number;
  readonly hold: SlabHold;
}

/**
 * Returns the frames of `batch`, which has records; undefined if their checksums may be wrong, if they do not lie one after
 * another, or if they have less than `least` bytes (default: 0).
 */
export function spanOf(batch: RecordBatch, least = 0): FrameSpan | undefined {
  const { source, begin } = inside(batch);
  const { framed, frames, slab } = source;
  if (framed === undefined) return undefined;
  const last = 2 * (begin + batch.length - 1);
  const start = frames[2 * begin]! - HEADER_BYTES;
  const end = frames[last]! + frames[last + 1]! + FRAME_BYTES - HEADER_BYTES;
  if (end - start < least) return undefined;
  // Frames are in order and do not overlap, so nothing lies between those that fill the span.
  const { length: records, byteLength: payloadBytes } = batch;
  if (end - start !== payloadBytes + FRAME_BYTES * records) return undefined;
  return { bytes: slab.subarray(start, end), records, payloadBytes, hold: framed };
}

/** Returns the memory of a batch. Its records are the frames of `source` from `begin` on. */
export function partsOf(batch: RecordBatch): { readonly source: BatchFrames; readonly begin: number } {
  return inside(batch);
}

/** Returns `batch` without its first `count` records. It must have more than `count`. */
export function dropFirst(batch: RecordBatch, count: number): RecordBatch {
  if (count === 0) return batch;
  const { source, begin } = inside(batch);
  return create(source, begin + count, begin + batch.length);
}

/** Returns the first `count` records of `batch`, at least one. */
export function keepFirst(batch: RecordBatch, count: number): RecordBatch {
  const { source, begin } = inside(batch);
  return create(source, begin, begin + count);
}

/** Returns the number in its file of the first record of `batch`, which was read. */
export function firstNumber(batch: RecordBatch): number {
  const { source, begin } = inside(batch);
  return source.firstRecord + begin;
}

/**
 * Default of the maximum size of a part of {@link splitBatch}, in bytes: copying them takes far less than the time between
 * two turns of the event loop.
 */
const PART_BYTES = 4 * 1024 * 1024;

/** Splits `batch` into batches of at most `most` bytes (default: 4 MiB), or of one longer record. */
export function* splitBatch(batch: RecordBatch, most = PART_BYTES): Generator<RecordBatch> {
  const { source, begin } = inside(batch);
  const end = begin + batch.length;
  if (source.slab.length <= most) {
    yield batch;
    return;
  }
  for (let first = begin, next = begin; first < end; first = next) {
    for (let left = most; next < end && (next === first || source.frames[2 * next + 1]! <= left); next++) {
      left -= source.frames[2 * next + 1]!;
    }
    yield create(source, first, next);
  }
}

/** Returns the sum of the lengths of the first `count` records of `batch`. */
export function bytesBefore(batch: RecordBatch, count: number): number {
  const { source, begin } = inside(batch);
  let sum = 0;
  for (let frame = begin; frame < begin + count; frame++) sum += source.frames[2 * frame + 1]!;
  return sum;
}

class BatchIterator implements IterableIterator<Bytes> {
  readonly #source: BatchFrames;
  readonly #buffer: ArrayBuffer;
  readonly #frames: Uint32Array;
  readonly #end: number;
  #next: number;

  constructor(source: BatchFrames, begin: number, end: number) {
    this.#source = source;
    this.#buffer = source.slab.buffer;
    this.#frames = source.frames;
    this.#next = begin;
    this.#end = end;
  }

  next(): IteratorResult<Bytes> {
    const frame = this.#next;
    if (frame >= this.#end) return { value: undefined, done: true };
    this.#next = frame + 1;
    try {
      const value = new Uint8Array(this.#buffer, this.#frames[2 * frame], this.#frames[2 * frame + 1]);
      return { value, done: false };
    } catch (cause) {
      throw transferredError(frameOrigin(this.#source, frame), cause);
    }
  }

  return(): IteratorResult<Bytes> {
    this.#next = this.#end;
    return { value: undefined, done: true };
  }

  [Symbol.iterator](): this {
    return this;
  }
}
