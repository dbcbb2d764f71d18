import { Cursor } from './cursor';
import type { Bytes } from './origin';
import { bytesBefore, dropFirst, partsOf, type RecordBatch } from './record-batch';
import { resolveReadOptions, type ReadOptions } from './read-options';
import { recordFlow } from './record-flow';
import type { ClassifiedSource } from './source';
import { transferredError } from './transferred';

const NO_FRAMES = new Uint32Array(0);
const NO_BYTES = new ArrayBuffer(0);

/** The position of a reader of records, shared by its records and its batches. */
export class RecordCursor extends Cursor<Bytes, RecordBatch> {
  #buffer: ArrayBuffer = NO_BYTES;
  #frames: Uint32Array = NO_FRAMES;
  #firstFrame = 0;

  /** `owner`: the reader. */
  nextBatch(owner: object): Promise<IteratorResult<RecordBatch>> {
    return this.inTurn(owner, async () => {
      if (this.index >= this.count && !(await this.loadNext())) return { value: undefined, done: true };
      const value = dropFirst(this.held!, this.index);
      this.index = this.count;
      return { value, done: false };
    });
  }

  protected view(): Bytes {
    const at = 2 * (this.#firstFrame + this.index);
    return new Uint8Array(this.#buffer, this.#frames[at], this.#frames[at + 1]);
  }

  /** The memory of the batch was transferred away. */
  protected lost(cause: unknown): unknown {
    return transferredError(this.held!.origin(this.index)!, cause);
  }

  protected exchanged(batch: RecordBatch | undefined): void {
    const parts = batch === undefined ? undefined : partsOf(batch);
    this.#buffer = parts?.source.slab.buffer ?? NO_BYTES;
    this.#frames = parts?.source.frames ?? NO_FRAMES;
    this.#firstFrame = parts?.begin ?? 0;
  }

  protected bytesBefore(batch: RecordBatch, count: number): number {
    return bytesBefore(batch, count);
  }
}

/**
 * The position before the first record of `source`, which is not open yet. @throws TypeError, RangeError for options.
 */
export function newCursor(source: ClassifiedSource, options: ReadOptions | undefined): RecordCursor {
  const plan = resolveReadOptions(options);
  return new RecordCursor(recordFlow(source, plan), plan.policy);
}
