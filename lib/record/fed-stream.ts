import { FillOutcome, native, type ReaderHandle } from '../native';
import { Feeder } from './feeder';
import type { Bytes } from './origin';
import type { ReadPlan } from './read-options';
import type { Filled, RecordStream } from './record-stream';
import { newSlab, slabSize } from './slab';
import type { ChunkPull } from './source';

/** A slab holds a few times what is queued, for it may be compressed; what does not fit comes with the next. */
const SLAB_PER_QUEUED = 4;

/**
 * Chunks from JavaScript, framed by native threads. One fill is under way at a time; the feeder tops up native's queue
 * beside it.
 */
export class FedRecordStream implements RecordStream {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #plan: ReadPlan;
  readonly #handle: ReaderHandle;
  readonly #feeder: Feeder;
  #closed: Promise<void> | undefined;

  constructor(file: string, pull: ChunkPull, inputBytes: number | undefined, plan: ReadPlan) {
    this.file = file;
    this.inputBytes = inputBytes;
    this.#plan = plan;
    const handle = native().readerOpenFed(plan.compression, plan.verify, plan.maxRecordBytes);
    this.#handle = handle;
    this.#feeder = new Feeder(pull, (chunk, last) => native().readerFeed(handle, chunk, last));
  }

  prime(): void {
    this.#feeder.start();
  }

  async next(): Promise<Filled | undefined> {
    this.#feeder.start();
    let slab: Bytes | undefined;
    let need = 0;
    let seen = 0;
    for (;;) {
      await this.#feeder.gathered(seen);
      if (this.#closed !== undefined) return undefined;
      seen = this.#feeder.fedChunks;
      slab = this.#slab(slab, need);
      const result = await native().readerFill(this.#handle, slab);
      if (this.#closed !== undefined || result.outcome === FillOutcome.Cancelled) return undefined;
      this.#feeder.consumed(result.compressedBytes);
      if (result.outcome === FillOutcome.Grow) {
        need = result.growTo;
        seen = 0;
      } else if (result.outcome === FillOutcome.Input) {
        // All that came before a failure of the source was delivered, unless it came beside this fill.
        const { failure, fedChunks } = this.#feeder;
        if (failure !== undefined && fedChunks === seen) throw failure.error;
      } else {
        return { slab, result: { ...result, totalBytes: this.inputBytes ?? -1 } };
      }
    }
  }

  passOver(): void {
    native().readerPassOver(this.#handle);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const closing = native().readerClose(this.#handle);
    try {
      await this.#feeder.close();
    } finally {
      await closing;
    }
  }

  #slab(held: Bytes | undefined, need: number): Bytes {
    const size = Math.max(need, slabSize(this.#plan.batchBytes, this.#feeder.queuedBytes * SLAB_PER_QUEUED));
    return held !== undefined && held.length >= size ? held : newSlab(size, this.file);
  }
}
