import type { Bytes, Origin } from './origin';

/** Bytes of a record before its payload: length and checksum of the length. */
const HEADER_BYTES = 12;

/** Where a batch's records lie: pairs (offset in the slab, length), and the place of the slab in the stream. */
export interface BatchFrames {
  readonly file: string;
  readonly slab: Bytes;
  readonly frames: Uint32Array;
  /** Number of the record of frame 0 in its file. */
  readonly firstRecord: number;
  /** Stream offset of the slab's first byte. */
  readonly base: number;
}

/**
 * Whole records of one file, in order. Records are views into one slab (1 MiB by default) that is never written again:
 * they are valid for ever, and each keeps the slab alive; `record.slice()` copies.
 */
export class RecordBatch implements Iterable<Bytes> {
  /** Number of records; never 0. */
  readonly length: number;
  readonly #buffer: ArrayBuffer;
  readonly #source: BatchFrames;
  readonly #begin: number;
  #byteLength = -1;

  /** @internal Batches come from readers: frames `begin` to `end` of `source`. */
  constructor(source: BatchFrames, begin: number, end: number) {
    this.length = end - begin;
    this.#buffer = source.slab.buffer;
    this.#source = source;
    this.#begin = begin;
  }

  /** Sum of the records' lengths, in bytes. */
  get byteLength(): number {
    if (this.#byteLength < 0) this.#byteLength = this.bytesBefore(this.length);
    return this.#byteLength;
  }

  /** The record at `index`, counted from the end when negative; undefined when there is none. */
  at(index: number): Bytes | undefined {
    const frame = this.#frame(index);
    return frame < 0 ? undefined : this.#view(frame);
  }

  /** Where the record at `index` lies in its file. */
  origin(index: number): Origin | undefined {
    const frame = this.#frame(index);
    if (frame < 0) return undefined;
    const { file, frames, firstRecord, base } = this.#source;
    const payload = frames[2 * frame] as number;
    return {
      file,
      record: firstRecord + frame,
      offset: base + payload - HEADER_BYTES,
      bytes: frames[2 * frame + 1] as number,
    };
  }

  /** The records, in order. */
  [Symbol.iterator](): IterableIterator<Bytes> {
    return new BatchIterator(this.#buffer, this.#source.frames, this.#begin, this.#begin + this.length);
  }

  /** @internal The memory that the frames point into. */
  get buffer(): ArrayBuffer {
    return this.#buffer;
  }

  /** @internal Pairs (offset in `buffer`, length), of this batch from pair `firstFrame` on. */
  get frames(): Uint32Array {
    return this.#source.frames;
  }

  /** @internal */
  get firstFrame(): number {
    return this.#begin;
  }

  /** @internal The record at `index`, which is in range. */
  viewAt(index: number): Bytes {
    return this.#view(this.#begin + index);
  }

  /** @internal Sum of the lengths of the first `count` records. */
  bytesBefore(count: number): number {
    const { frames } = this.#source;
    let sum = 0;
    for (let i = this.#begin; i < this.#begin + count; i++) sum += frames[2 * i + 1] as number;
    return sum;
  }

  /** @internal The batch without its first `count` records, of which there are more. */
  dropFirst(count: number): RecordBatch {
    return count === 0 ? this : new RecordBatch(this.#source, this.#begin + count, this.#begin + this.length);
  }

  #view(frame: number): Bytes {
    const { frames } = this.#source;
    return new Uint8Array(this.#buffer, frames[2 * frame], frames[2 * frame + 1]);
  }

  /** Frame of `index`, with the rounding of Array.prototype.at, or -1. */
  #frame(index: number): number {
    const position = Math.trunc(index) || 0;
    const wanted = position < 0 ? position + this.length : position;
    return wanted < 0 || wanted >= this.length ? -1 : this.#begin + wanted;
  }
}

class BatchIterator implements IterableIterator<Bytes> {
  readonly #buffer: ArrayBuffer;
  readonly #frames: Uint32Array;
  readonly #end: number;
  #next: number;

  constructor(buffer: ArrayBuffer, frames: Uint32Array, begin: number, end: number) {
    this.#buffer = buffer;
    this.#frames = frames;
    this.#next = begin;
    this.#end = end;
  }

  next(): IteratorResult<Bytes> {
    const frame = this.#next;
    if (frame >= this.#end) return { value: undefined, done: true };
    this.#next = frame + 1;
    const value = new Uint8Array(this.#buffer, this.#frames[2 * frame], this.#frames[2 * frame + 1]);
    return { value, done: false };
  }

  return(): IteratorResult<Bytes> {
    this.#next = this.#end;
    return { value: undefined, done: true };
  }

  [Symbol.iterator](): this {
    return this;
  }
}
