import { FillOutcome, native, type FillResult, type ReaderHandle } from '../native';
import { callNative, startNative } from './call-native';
import type { Filled } from './filled';
import type { Bytes } from './origin';
import type { ReadPlan } from './read-options';
import { newSlab } from './slab';
import { SlabSizer } from './slab-sizer';
import type { SyncPull } from './sync-pull';

/** The framed bytes of one file or stream, read on the calling thread: an InputStream without promises. */
export class SyncRecordStream {
  readonly file: string;
  readonly #inputBytes: number | undefined;
  readonly #sizer: SlabSizer;
  readonly #pull: SyncPull | undefined;
  readonly #handle: ReaderHandle;
  #closed = false;

  /** Reads the regular file at the path `input`, of `inputBytes`, or the chunks of `input`. `file`: the name in errors. */
  constructor(file: string, inputBytes: number | undefined, input: string | SyncPull, plan: ReadPlan) {
    const { compression, verify, maxRecordBytes } = plan;
    const goesOn = !plan.policy.endsAtFirst;
    const countsLost = plan.policy.countsLost(inputBytes);
    this.file = file;
    this.#inputBytes = inputBytes;
    this.#sizer = new SlabSizer(plan.batchBytes);
    this.#pull = typeof input === 'string' ? undefined : input;
    this.#handle = callNative(file, () =>
      typeof input === 'string'
        ? native().readerOpenFile(input, compression, verify, maxRecordBytes, 0, 0, goesOn, countsLost, true)
        : native().readerOpenFed(compression, verify, maxRecordBytes, goesOn, countsLost),
    );
  }

  /** The next slab, with outcome More, End or Halt. */
  next(): Filled {
    let slab = this.#slab(0);
    for (;;) {
      const into = slab;
      const result = callNative(this.file, () => native().readerFillSync(this.#handle, into));
      if (result.outcome === FillOutcome.Grow) slab = this.#slab(result.growTo);
      else if (result.outcome === FillOutcome.Input) this.#feed();
      else return this.#filled(slab, result);
    }
  }

  passOver(): void {
    native().readerPassOver(this.#handle);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Nothing is pending, so that the file is closed when the call returns.
    startNative(this.file, () => native().readerClose(this.#handle)).catch(() => undefined);
    this.#pull?.close();
  }

  #feed(): void {
    const chunk = this.#pull?.next();
    callNative(this.file, () => {
      native().readerFeed(this.#handle, chunk ?? new Uint8Array(0), chunk === undefined);
    });
  }

  #filled(slab: Bytes, result: FillResult): Filled {
    this.#sizer.learn(result);
    return { slab, result: this.#pull === undefined ? result : { ...result, totalBytes: this.#inputBytes ?? -1 } };
  }

  #slab(need: number): Bytes {
    return newSlab(this.#sizer.next(this.#inputBytes, need), this.file);
  }
}
