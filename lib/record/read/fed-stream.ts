import { FillOutcome, native, type FillResult, type ReaderHandle } from '../../native';
import { newSlab } from '../bytes';
import { callNative, startNative } from '../faults';
import { SlabSizer } from '../memory/slab-sizer';
import type { Bytes } from '../origin';
import type { ChunkPull } from '../source/pull-bytes';
import { Feeder } from './feeder';
import type { Filled, InputStream } from './input-stream';
import type { ReadPlan } from './read-options';

/** A slab holds a few times what is queued, for it may be compressed; what does not fit comes with the next. */
const SLAB_PER_QUEUED = 4;
/** With this much queued the next fill starts before anybody asks for it. */
const AHEAD_BYTES = 256 * 1024;

interface Fill {
  readonly slab: Bytes;
  /** Chunks that were fed when the fill started. */
  readonly seen: number;
  readonly result: Promise<FillResult>;
}

/**
 * Chunks from JavaScript, framed by native threads. One fill is under way at a time; the feeder tops up native's queue
 * beside it.
 */
export class FedRecordStream implements InputStream<Filled> {
  readonly file: string;
  readonly inputBytes: number | undefined;
  readonly #plan: ReadPlan;
  readonly #handle: ReaderHandle;
  readonly #feeder: Feeder;
  readonly #sizer: SlabSizer;
  #ahead: Fill | undefined;
  #closed: Promise<void> | undefined;

  /** `open` is called last: what it opens is closed by `close` only. */
  constructor(file: string, open: () => ChunkPull, inputBytes: number | undefined, plan: ReadPlan) {
    this.file = file;
    this.inputBytes = inputBytes;
    this.#plan = plan;
    this.#sizer = new SlabSizer(plan.batchBytes);
    const { compression, verify, maxRecordBytes, policy } = plan;
    const countsLost = policy.countsLost(inputBytes);
    const handle = callNative(file, () =>
      native().readerOpenFed(compression, verify, maxRecordBytes, !policy.endsAtFirst, countsLost),
    );
    this.#handle = handle;
    this.#feeder = new Feeder(file, open(), (chunk, last) => {
      callNative(file, () => native().readerFeed(handle, chunk, last));
    });
  }

  prime(): void {
    this.#feeder.start();
  }

  async next(): Promise<Filled | undefined> {
    this.#feeder.start();
    let fill = this.#ahead;
    this.#ahead = undefined;
    if (fill === undefined) await this.#feeder.gathered(0);
    while (this.#closed === undefined) {
      fill ??= this.#submit(undefined, 0);
      const { slab, seen } = fill;
      const result = await fill.result;
      if (this.#closed !== undefined || result.outcome === FillOutcome.Cancelled) return undefined;
      this.#feeder.consumed(result.compressedBytes);
      this.#sizer.learn(result);
      if (result.outcome === FillOutcome.Grow) {
        fill = this.#submit(undefined, result.growTo);
      } else if (result.outcome === FillOutcome.Input) {
        // All that came before a failure of the source was delivered, unless it came beside this fill.
        const { failure, fedChunks } = this.#feeder;
        if (failure !== undefined && fedChunks === seen) throw failure.error;
        await this.#feeder.gathered(seen);
        if (this.#closed === undefined) fill = this.#submit(slab, 0);
      } else {
        const ahead = result.outcome === FillOutcome.More && this.#plan.readAhead > 0;
        if (ahead && this.#feeder.queuedBytes >= AHEAD_BYTES) this.#ahead = this.#submit(undefined, 0);
        return { slab, result: { ...result, totalBytes: this.inputBytes ?? -1 } };
      }
    }
    return undefined;
  }

  passOver(): void {
    native().readerPassOver(this.#handle);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const closing = startNative(this.file, () => native().readerClose(this.#handle));
    try {
      await this.#feeder.close();
    } finally {
      await closing;
    }
  }

  /** Starts a fill of at least `need` bytes, of `held` if that is large enough. */
  #submit(held: Bytes | undefined, need: number): Fill {
    const size = this.#sizer.next(this.#feeder.queuedBytes * SLAB_PER_QUEUED, need);
    const slab = held !== undefined && held.length >= size ? held : newSlab(size, this.file);
    const result = callNative(this.file, () => native().readerFill(this.#handle, slab));
    return { slab, seen: this.#feeder.fedChunks, result };
  }
}
