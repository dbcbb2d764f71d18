import type { ErrorPolicy } from './error-policy';
import type { Bytes, Origin } from './origin';
import { bytesBefore, dropFirst, partsOf, type RecordBatch } from './record-batch';
import type { RecordFlow } from './record-flow';
import { TURN_MS } from './source-flow';
import { transferredError } from './transferred';

/** How far a reader is. Counts what was handed out, over all files. */
export interface ReadStats {
  /** Records handed out. */
  readonly records: number;
  /** Sum of their lengths, in bytes. */
  readonly bytes: number;
  /** Bytes of the source consumed so far, compressed if they are. */
  readonly compressedBytes: number;
  /** Size of the source in bytes; undefined while or when it is not known. */
  readonly totalBytes: number | undefined;
  /** What the file read last was found to be, by its content; undefined before its first bytes were read. */
  readonly compression: 'none' | 'gzip' | 'zlib' | undefined;
  /** Damaged records, and files or rests of files, that `onError` skipped. */
  readonly skipped: number;
}

/** Records between two looks at the clock, at most: a look costs a microsecond. */
const MAX_BUDGET = 512;
const NO_FRAMES = new Uint32Array(0);
const NO_BYTES = new ArrayBuffer(0);

/**
 * The one position of a reader, shared by its records and its batches. Steps are answered in the order of their calls,
 * at once while the batch in hand lasts.
 */
export class RecordCursor {
  readonly #flow: RecordFlow;
  readonly #policy: ErrorPolicy;
  #batch: RecordBatch | undefined;
  /** Next record of the batch, and how many there are. */
  #index = 0;
  #count = 0;
  /** `take` serves records below this one: it looks at neither clock nor queue. */
  #limit = 0;
  #buffer: ArrayBuffer = NO_BYTES;
  #frames: Uint32Array = NO_FRAMES;
  #firstFrame = 0;
  /** Steps that wait, the last of them, and the reader, which must not count as forgotten while somebody waits. */
  #waiting = 0;
  readonly #inUse = new Set<object>();
  #tail: Promise<unknown> = Promise.resolve();
  /** Records between two looks at the clock, adapted to what the caller does with them. */
  #budget = 1;
  #lookedAt = performance.now();
  #lookedAfter = 0;
  #records = 0;
  #bytes = 0;
  #origin: Origin | undefined;

  constructor(flow: RecordFlow, policy: ErrorPolicy) {
    this.#flow = flow;
    this.#policy = policy;
    flow.onClosed = () => this.#drop();
  }

  /** The next record if it is in hand and nobody waits; else undefined, and `nextRecord` is to be asked. */
  take(): Bytes | undefined {
    if (this.#index >= this.#limit) return undefined;
    try {
      return this.#view();
    } catch {
      return undefined; // `nextRecord` meets the same, and rejects.
    }
  }

  /** `owner`: the reader. */
  nextRecord(owner: object): Promise<IteratorResult<Bytes>> {
    return this.#inTurn(owner, async () => {
      while (this.#index < this.#count || (await this.#loadNext())) {
        await this.#lookAtTheClock();
        // A close or an abort meanwhile took the batch away.
        if (this.#batch !== undefined) return { value: await this.#viewOrClose(this.#batch), done: false };
      }
      return { value: undefined, done: true };
    });
  }

  /** `owner`: the reader. */
  nextBatch(owner: object): Promise<IteratorResult<RecordBatch>> {
    return this.#inTurn(owner, async () => {
      if (this.#index >= this.#count && !(await this.#loadNext())) return { value: undefined, done: true };
      const value = dropFirst(this.#batch as RecordBatch, this.#index);
      this.#index = this.#count;
      return { value, done: false };
    });
  }

  get origin(): Origin | undefined {
    return this.#index > 0 ? this.#batch?.origin(this.#index - 1) : this.#origin;
  }

  get stats(): ReadStats {
    return {
      records: this.#records + this.#index,
      bytes: this.#bytes + this.#bytesOfBatch(),
      compressedBytes: this.#flow.compressedBytes,
      totalBytes: this.#flow.totalBytes,
      compression: this.#flow.compression,
      skipped: this.#policy.skipped,
    };
  }

  close(): Promise<void> {
    return this.#flow.close();
  }

  #view(): Bytes {
    const at = 2 * (this.#firstFrame + this.#index);
    const record = new Uint8Array(this.#buffer, this.#frames[at], this.#frames[at + 1]);
    this.#index++;
    return record;
  }

  /** @throws TFRecordError, closed, when the memory of the batch was transferred away. */
  async #viewOrClose(batch: RecordBatch): Promise<Bytes> {
    try {
      return this.#view();
    } catch (cause) {
      const error = transferredError(batch.origin(this.#index) as Origin, cause);
      await this.close().catch(() => undefined);
      throw error;
    }
  }

  #bytesOfBatch(): number {
    return this.#batch === undefined ? 0 : bytesBefore(this.#batch, this.#index);
  }

  /** Runs `step` when those before it are done. */
  #inTurn<T>(owner: object, step: () => Promise<T>): Promise<T> {
    this.#waiting++;
    this.#inUse.add(owner);
    this.#limit = 0;
    const result = this.#tail.then(step).finally(() => {
      if (--this.#waiting === 0) this.#inUse.clear();
      this.#setLimit();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  #setLimit(): void {
    this.#limit = this.#waiting > 0 ? 0 : Math.min(this.#count, this.#index + this.#budget);
  }

  async #lookAtTheClock(): Promise<void> {
    const records = this.#records + this.#index;
    const each = (performance.now() - this.#lookedAt) / Math.max(1, records - this.#lookedAfter);
    this.#budget = Math.max(1, Math.min(2 * this.#budget, MAX_BUDGET, Math.floor(TURN_MS / 2 / each)));
    await this.#flow.breathe();
    this.#lookedAt = performance.now();
    this.#lookedAfter = records;
  }

  /** False at the end, and when closed. */
  async #loadNext(): Promise<boolean> {
    for (;;) {
      const batch = await this.#flow.next();
      if (batch === undefined) return false;
      // Closed or aborted since: the flow knows which.
      if (this.#flow.closed) continue;
      this.#settle();
      this.#batch = batch;
      this.#count = batch.length;
      const { source, begin } = partsOf(batch);
      this.#buffer = source.slab.buffer;
      this.#frames = source.frames;
      this.#firstFrame = begin;
      return true;
    }
  }

  #drop(): void {
    this.#settle();
    this.#batch = undefined;
    this.#buffer = NO_BYTES;
    this.#frames = NO_FRAMES;
    this.#limit = this.#count = 0;
  }

  /** Books what was handed out of the batch in hand. */
  #settle(): void {
    this.#origin = this.origin;
    this.#records += this.#index;
    this.#bytes += this.#bytesOfBatch();
    this.#index = 0;
  }
}
