import { callNative, startNative, type Bytes } from '../../base';
import { newSlab, type SyncPull } from '../../io';
import { FillOutcome, native, type ReaderHandle, type SlabFill } from '../../native';
import type { FilledSlab } from './input-stream';
import type { ReadPlan } from './read-options';
import { readerSpec } from './reader-spec';
import { SlabSizer } from './slab-sizer';
import type { SyncOpener, SyncStream } from './sync-sequence';

/** Opens files, and streams that are fed, as streams of slabs that native code fills on the calling thread. */
export function syncSlabStreams(plan: ReadPlan): SyncOpener<FilledSlab> {
  return {
    openFile: (file, bytes, at) => new SyncSlabStream(file, bytes, at, plan),
    openFed: (file, open, bytes) => new SyncSlabStream(file, bytes, open(), plan),
  };
}

class SyncSlabStream implements SyncStream<FilledSlab> {
  readonly file: string;
  readonly #inputBytes: number | undefined;
  readonly #shown: ReadPlan['shown'];
  readonly #sizer: SlabSizer;
  readonly #pull: SyncPull | undefined;
  readonly #handle: ReaderHandle;
  #closed = false;

  /** `input`: the path of a regular file, or the chunks of a stream. `file`: the name in errors. */
  constructor(file: string, inputBytes: number | undefined, input: string | SyncPull, plan: ReadPlan) {
    const spec = readerSpec(plan, { bytes: inputBytes, at: typeof input === 'string' ? input : undefined });
    this.file = file;
    this.#inputBytes = inputBytes;
    this.#shown = plan.shown;
    this.#sizer = new SlabSizer(plan.batchBytes, plan.shown !== undefined);
    this.#pull = typeof input === 'string' ? undefined : input;
    this.#handle = callNative(file, () =>
      typeof input === 'string' ? native().readerOpenFile(input, spec) : native().readerOpenFed(spec),
    );
  }

  next(): FilledSlab {
    let slab = this.#slab(0);
    for (;;) {
      const into = slab;
      const result = callNative(this.file, () => native().readerFillSync(this.#handle, into));
      if (result.outcome === FillOutcome.Grow) {
        this.#shown?.pool.end(slab);
        slab = this.#slab(result.growTo);
      } else if (result.outcome === FillOutcome.Input) this.#feed();
      else return this.#filled(slab, result);
    }
  }

  skip(): void {
    native().readerSkip(this.#handle);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Nothing is pending, so the file is closed when the call returns.
    startNative(this.file, () => native().readerClose(this.#handle)).catch(() => undefined);
    this.#pull?.close();
  }

  #feed(): void {
    const chunk = this.#pull?.next();
    callNative(this.file, () => {
      native().readerFeed(this.#handle, chunk ?? new Uint8Array(0), chunk === undefined);
    });
  }

  #filled(slab: Bytes, result: SlabFill): FilledSlab {
    this.#sizer.learn(result);
    // A fill without records must not take the place of the last ones.
    if (result.frames.length > 0) this.#shown?.showInPlace(slab);
    else this.#shown?.pool.end(slab);
    return { slab, result: this.#pull === undefined ? result : { ...result, totalBytes: this.#inputBytes ?? -1 } };
  }

  #slab(need: number): Bytes {
    const bytes = this.#sizer.next(this.#inputBytes, need);
    return this.#shown?.pool.leaseToShow(bytes, this.file) ?? newSlab(bytes, this.file);
  }
}
