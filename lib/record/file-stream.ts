import { FillOutcome, native, type FillResult, type ReaderHandle } from '../native';
import type { Bytes } from './origin';
import type { ReadPlan } from './read-options';
import type { Filled, RecordStream } from './record-stream';
import { newSlab, slabSize } from './slab';

interface Fill {
  readonly slab: Bytes;
  readonly result: Promise<FillResult>;
}

/** Slabs grow to the longest record, so that native can read ahead of it, but not beyond this. */
const MAX_KEPT_SLAB = 8 * 1024 * 1024;

/**
 * A regular file, read by native threads, `readAhead` slabs ahead of the one that was asked for.
 *
 * Fills settle in order. Behind an outcome other than More, those already under way repeat it and leave their slabs
 * untouched, so the slabs serve again.
 */
export class FileRecordStream implements RecordStream {
  readonly file: string;
  readonly inputBytes: number;
  readonly #plan: ReadPlan;
  readonly #handle: ReaderHandle;
  readonly #fills: Fill[] = [];
  readonly #spare: Bytes[] = [];
  #slabBytes: number;
  /** Fills that the rest of the file is likely to need. */
  #useful: number;
  #growTo = 0;
  #closed: Promise<void> | undefined;

  /** `inputBytes`: the file's size, as `stat` tells it. */
  constructor(file: string, inputBytes: number, plan: ReadPlan) {
    this.file = file;
    this.inputBytes = inputBytes;
    this.#plan = plan;
    this.#slabBytes = slabSize(plan.batchBytes, inputBytes);
    this.#useful = inputBytes < this.#slabBytes ? 1 : Infinity;
    this.#handle = native().readerOpenFile(file, plan.compression, plan.verify, plan.maxRecordBytes);
  }

  prime(): void {
    this.#submit(Math.min(this.#plan.readAhead, this.#useful));
  }

  async next(): Promise<Filled | undefined> {
    while (this.#closed === undefined) {
      this.#submit(Math.min(this.#plan.readAhead + 1, this.#useful));
      const { slab, result: pending } = this.#fills.shift() as Fill;
      const result = await pending;
      if (this.#closed !== undefined || result.outcome === FillOutcome.Cancelled) return undefined;
      if (result.outcome === FillOutcome.More) {
        // What a file holds beyond its size was compressed, so there is more to come.
        this.#useful = Infinity;
        return { slab, result };
      }
      await this.#drain(result.outcome);
      if (result.outcome !== FillOutcome.Grow) return { slab, result };
      this.#spare.push(slab);
      this.#growTo = result.growTo;
    }
    return undefined;
  }

  passOver(): void {
    native().readerPassOver(this.#handle);
  }

  close(): Promise<void> {
    this.#spare.length = 0;
    return (this.#closed ??= native().readerClose(this.#handle));
  }

  /** Tops up the fills under way to `count`. */
  #submit(count: number): void {
    while (this.#fills.length < count) {
      const slab = this.#nextSlab();
      this.#fills.push({ slab, result: native().readerFill(this.#handle, slab) });
    }
  }

  #nextSlab(): Bytes {
    if (this.#growTo === 0) return this.#spare.pop() ?? newSlab(this.#slabBytes, this.file);
    const size = Math.max(this.#growTo, this.#slabBytes);
    this.#growTo = 0;
    if (size > this.#slabBytes && size <= MAX_KEPT_SLAB) {
      this.#slabBytes = size;
      this.#spare.length = 0;
    }
    return newSlab(size, this.file);
  }

  /** Waits for the fills behind `outcome`, which did nothing, and keeps their slabs. */
  async #drain(outcome: FillOutcome): Promise<void> {
    for (const { slab, result } of this.#fills.splice(0)) {
      const behind = await result;
      if (behind.frames.length > 0 || (behind.outcome !== outcome && this.#closed === undefined)) {
        throw new Error(`tfrecord-native: a fill behind outcome ${outcome} settled as ${behind.outcome}`);
      }
      if (slab.length >= this.#slabBytes) this.#spare.push(slab);
    }
  }
}
