import { type Bytes, transferredError } from '../../base';
import type { ClassifiedSource } from '../../io';
import { bytesBefore, dropFirst, partsOf, type RecordBatch } from '../batch/record-batch';
import { findStart } from '../index/known-indexes';
import { Cursor } from './cursor';
import { InputSequence, type SequenceStart } from './input-sequence';
import type { FilledSlab, StreamOpener } from './input-stream';
import type { ReadPlan } from './read-options';
import { readerSpec } from './reader-spec';
import { SlabRequests } from './slab-requests';
import { SlabSizer } from './slab-sizer';
import { FaultSplitter } from './splitter';
import { streamOpener } from './stream-opener';

const NO_FRAMES = new Uint32Array(0);
const NO_BYTES = new ArrayBuffer(0);

/** The position of a reader of records, shared by its records and its batches. */
export class RecordCursor extends Cursor<Bytes, RecordBatch> {
  readonly #shown: ReadPlan['shown'];
  #buffer: ArrayBuffer = NO_BYTES;
  #frames: Uint32Array = NO_FRAMES;
  #firstFrame = 0;

  /** Returns the position before the first record of `source`, which it does not open. */
  static at(source: ClassifiedSource, plan: ReadPlan): RecordCursor {
    return new RecordCursor(recordSequence(source, plan), plan);
  }

  private constructor(inputs: RecordSequence, { policy, shown }: ReadPlan) {
    super(inputs, policy);
    this.#shown = shown;
  }

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

  /** Elements cannot be made if the memory of the batch was transferred away. */
  protected lost(cause: unknown): unknown {
    return transferredError(this.held!.origin(this.index)!, cause);
  }

  protected exchanged(batch: RecordBatch | undefined): void {
    if (batch === undefined) this.#shown?.close();
    const parts = batch === undefined ? undefined : partsOf(batch);
    this.#buffer = parts?.source.slab.buffer ?? NO_BYTES;
    this.#frames = parts?.source.frames ?? NO_FRAMES;
    this.#firstFrame = parts?.begin ?? 0;
  }

  protected bytesBefore(batch: RecordBatch, count: number): number {
    return bytesBefore(batch, count);
  }
}

/** The batches of records of a source. */
export type RecordSequence = InputSequence<FilledSlab, RecordBatch>;

/** Returns the batches of `source`. `start`: the first input to read, and the place in it where reading begins. */
export function recordSequence(source: ClassifiedSource, plan: ReadPlan, start?: SequenceStart): RecordSequence {
  return new InputSequence(source, plan, slabStreams(plan), new FaultSplitter(plan.policy), start);
}

/** Returns the opener of inputs as streams of slabs. */
export function slabStreams(plan: ReadPlan): StreamOpener<FilledSlab> {
  const sizer = new SlabSizer(plan.batchBytes, plan.shown !== undefined);
  return streamOpener<FilledSlab>(
    plan,
    {
      ofFile: (file, bytes, start, at, members, identity) =>
        SlabRequests.ofFile(file, bytes, plan, sizer, start, at, members, identity),
      ofFed: (source, start) => SlabRequests.ofFed(source, plan, sizer, start),
      ofRanges: (source, start, reach, identity) => SlabRequests.ofRanges(source, plan, sizer, start, reach, identity),
    },
    plan.notes === true
      ? (at, identity, start) => findStart(at, identity, start.record, readerSpec(plan, { bytes: identity.size }))
      : undefined,
  );
}
