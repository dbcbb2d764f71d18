import { inspect } from 'node:util';

import { HEADER_BYTES } from '../format';
import { inspected, type InspectArguments } from '../inspected';
import { type Bytes, type Origin, transferredError } from '../origin';
import { framesOfShared, shareFrames, type SharedRecords } from './shared-records';

/** Where a batch's records lie: pairs (offset in the slab, length), and the place of the slab in the stream. */
export interface BatchFrames {
  readonly file: string;
  readonly slab: Bytes;
  readonly frames: Uint32Array;
  /** Number of the record of frame 0 in its file. */
  readonly firstRecord: number;
  /** Stream offset of the slab's first byte. */
  readonly base: number;
  /** Where the record of a frame was read, for records that were gathered. */
  readonly origins?: ((frame: number) => Origin) | undefined;
}

/** What records are said to come from that were made, not read. */
export const ENCODED = '<encoded>';

let create: (source: BatchFrames, begin: number, end: number) => RecordBatch;
let inside: (batch: RecordBatch) => { readonly source: BatchFrames; readonly begin: number };

/**
 * Whole records of one file, or encoded records, in order. They are views into one slab (up to 384 KiB by default) that
 * is never overwritten, so they stay valid for ever, unless the batch is given to `encodeExamples` as `reuse`. Each
 * record keeps the slab alive; `record.slice()` copies it.
 */
export class RecordBatch implements Iterable<Bytes> {
  /** Number of records; 0 only where no rows were encoded. */
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
   * The record at `index`, counted from the end when negative; undefined when there is none. @throws TFRecordError
   * TFR_CLOSED when the caller has transferred the memory of the batch away.
   */
  at(index: number): Bytes | undefined {
    const frame = this.#frame(index);
    return frame < 0 ? undefined : frameRecord(this.#source, frame);
  }

  /** Where the record at `index` lies in its file. */
  origin(index: number): Origin | undefined {
    const frame = this.#frame(index);
    return frame < 0 ? undefined : frameOrigin(this.#source, frame);
  }

  /**
   * The records in memory that all threads see, copied once: to be posted to a worker thread. @throws TFRecordError ENOMEM;
   * TFR_CLOSED when the caller has transferred the memory of the batch away.
   */
  share(): SharedRecords {
    const source = this.#source;
    if (this.length > 0) frameRecord(source, this.#begin);
    return shareFrames(source, this.#begin, this.#begin + this.length);
  }

  /**
   * The batch of what `share()` gave, in whatever thread, over the same memory: nothing is copied. @throws TypeError for
   * anything else.
   */
  static from(shared: SharedRecords): RecordBatch {
    const source = framesOfShared(shared);
    return new RecordBatch(source, 0, source.frames.length / 2);
  }

  /** The records, in order. */
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

  /** Frame of `index`, with the rounding of Array.prototype.at, or -1. */
  #frame(index: number): number {
    const position = Math.trunc(index) || 0;
    const wanted = position < 0 ? position + this.length : position;
    return wanted < 0 || wanted >= this.length ? -1 : this.#begin + wanted;
  }
}

/** The batch of frames `begin` to `end` of `source`; at least one. */
export function newBatch(source: BatchFrames, begin: number, end: number): RecordBatch {
  return create(source, begin, end);
}

/** The batch of records that were made, and lie one behind the other in `slab`: `offset` is their place in it. */
export function encodedBatch(slab: Bytes, frames: Uint32Array): RecordBatch {
  return create({ file: ENCODED, slab, frames, firstRecord: 0, base: HEADER_BYTES }, 0, frames.length / 2);
}

/** What a batch is made of: its records are the frames of `source` from `begin` on. */
export function partsOf(batch: RecordBatch): { readonly source: BatchFrames; readonly begin: number } {
  return inside(batch);
}

/** `batch` without its first `count` records, of which it has more. */
export function dropFirst(batch: RecordBatch, count: number): RecordBatch {
  if (count === 0) return batch;
  const { source, begin } = inside(batch);
  return create(source, begin + count, begin + batch.length);
}

/** Sum of the lengths of the first `count` records of `batch`. */
export function bytesBefore(batch: RecordBatch, count: number): number {
  const { source, begin } = inside(batch);
  let sum = 0;
  for (let frame = begin; frame < begin + count; frame++) sum += source.frames[2 * frame + 1]!;
  return sum;
}

/** True if the memory of `source` was transferred away. Memory of empty records alone has no byte either. */
export function isTransferred({ slab, frames }: BatchFrames): boolean {
  return slab.length === 0 && frames.some((size, at) => at % 2 === 1 && size > 0);
}

/** The record in frame `frame`, as a view. @throws TFRecordError TFR_CLOSED where the memory was transferred away. */
export function frameRecord(source: BatchFrames, frame: number): Bytes {
  const { slab, frames } = source;
  try {
    return new Uint8Array(slab.buffer, frames[2 * frame], frames[2 * frame + 1]);
  } catch (cause) {
    throw transferredError(frameOrigin(source, frame), cause);
  }
}

/** Where the record in frame `frame` lies in its file. */
export function frameOrigin(source: Omit<BatchFrames, 'slab'>, frame: number): Origin {
  const { file, frames, firstRecord, base, origins } = source;
  if (origins !== undefined) return origins(frame);
  const payload = frames[2 * frame]!;
  return {
    file,
    record: firstRecord + frame,
    offset: base + payload - HEADER_BYTES,
    bytes: frames[2 * frame + 1]!,
  };
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
