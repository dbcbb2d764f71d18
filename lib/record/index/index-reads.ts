/** The ways to read records by an index. */
import {
  checkInteger,
  checkOptions,
  checkSignal,
  FRAME_BYTES,
  invalidArgType,
  neededInteger,
  onAbort,
  TFRecordError,
} from '../../base';
import { native, type IndexHandle } from '../../native';
import type { RecordBatch } from '../batch/record-batch';
import { gatherable, gatherByRanges } from './gather-ranges';
import { gatherByRuns, gatherFromFile, placedBatch, sampledNumbers } from './gather-records';
import type { CheckedIndexOptions } from './index-options';
import { IndexRead, type PlacedRecord } from './index-read';
import type { IndexSettings } from './index-scan';
import { slicePlan, sliceRange, sliceSequence, type SliceOptions } from './index-slice';
import type { SeenSource } from './index-source';
import type { IndexUses } from './index-uses';
import type { ScanState } from './scan-state';

/** Options of {@link RecordIndex.read}. Unknown names throw. */
export interface IndexReadOptions {
  /** Rejects the read when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum size of the data of all records, in bytes. The first record is returned whatever its size. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

/** Reads the records of one source. The methods of `RecordIndex` with the same names describe them. */
export class IndexReads {
  readonly #file: string;
  readonly #settings: CheckedIndexOptions;
  readonly #handle: IndexHandle;
  readonly #source: Promise<SeenSource>;
  readonly #state: ScanState;
  readonly #uses: IndexUses;

  constructor(
    file: string,
    settings: CheckedIndexOptions,
    handle: IndexHandle,
    source: Promise<SeenSource>,
    state: ScanState,
    uses: IndexUses,
  ) {
    this.#file = file;
    this.#settings = settings;
    this.#handle = handle;
    this.#source = source;
    this.#state = state;
    this.#uses = uses;
  }

  async read(first: number, count: number, options?: IndexReadOptions): Promise<PlacedRecord[]> {
    neededInteger('first', first, 0, Number.MAX_SAFE_INTEGER);
    neededInteger('count', count, 0, Number.MAX_SAFE_INTEGER);
    const given = checkOptions(options, ['signal', 'maxBytes']);
    const signal = checkSignal('options.signal', given.signal);
    const maxBytes = checkInteger('options.maxBytes', given.maxBytes, 0, Number.MAX_SAFE_INTEGER, Infinity);
    signal?.throwIfAborted();
    const { source, identity } = await this.#source;
    signal?.throwIfAborted();
    this.#uses.check();
    const last = Math.min(first + count, this.#state.progress.records);
    if (first >= last) return [];
    const jump = native().indexJump(this.#handle, first, last);
    if (jump === undefined) return [];
    const read = new IndexRead(source, this.#settings, jump, { first, last, maxBytes });
    const forget = signal === undefined ? undefined : onAbort(signal, () => void read.close());
    const close = this.#uses.add(read);
    try {
      const found = await read.records(async () => identity?.check());
      signal?.throwIfAborted();
      this.#settings.signal?.throwIfAborted();
      if (found === undefined) throw this.#uses.closedError();
      return found;
    } finally {
      forget?.();
      await close();
    }
  }

  /** Reads records by their numbers, which were checked. */
  async batch(numbers: Float64Array, settings: IndexSettings = this.#settings): Promise<RecordBatch> {
    const { source, identity, at } = await this.#source;
    const uses = this.#uses;
    uses.check();
    const gather = (): Promise<RecordBatch | undefined> => {
      if (at !== undefined) return gatherFromFile(this.#handle, { at, file: this.#file }, settings, numbers);
      const ranged = gatherable(source);
      if (ranged === undefined) return Promise.resolve(undefined);
      const indexed = { ...ranged, records: this.#state.progress.records, check: () => uses.check() };
      return gatherByRanges(this.#handle, indexed, settings, numbers);
    };
    const batch = await uses.run(async () => {
      try {
        return await gather();
      } finally {
        await identity?.check();
      }
    });
    this.#settings.signal?.throwIfAborted();
    if (batch === undefined) return gatherByRuns(numbers, this.#file, (first, count) => this.read(first, count));
    return placedBatch(batch, this.#file, numbers, (record) => this.offsetOf(record)!);
  }

  /** Iterates over a slice once `done` has resolved. */
  async *slice(
    done: Promise<void>,
    begin: number | undefined,
    end: number | undefined,
    options: SliceOptions | undefined,
  ): AsyncGenerator<RecordBatch, void, undefined> {
    const plan = { ...slicePlan(options, this.#settings), checkpoints: this.#handle };
    await done;
    const range = sliceRange(begin, end, this.#state.progress.records);
    const { source, identity } = await this.#source;
    this.#uses.check();
    plan.signal?.throwIfAborted();
    if (range.first >= range.last) return;
    const jump = native().indexJump(this.#handle, range.first, range.last);
    if (jump === undefined) throw this.#uses.closedError();
    await identity?.check();
    const sequence = sliceSequence(source, plan, jump.start, range);
    const close = this.#uses.add(sequence);
    try {
      for (;;) {
        this.#uses.check();
        const batch = await sequence.next();
        // It also ends when the index is closed.
        this.#uses.check();
        if (batch === undefined) return;
        yield batch;
      }
    } catch (error) {
      await identity?.check();
      throw error;
    } finally {
      await close();
    }
  }

  offsetOf(record: number): number | undefined {
    if (typeof record !== 'number') throw invalidArgType('record', 'a number', record);
    const start = native().indexJump(this.#handle, record, record + 1)?.start;
    return start?.record === record ? start.offset : undefined;
  }

  /** Reads some records, and verifies them as the scan did. Resolves with false if one of them is not where the index says. */
  async holdsSample(verify: number): Promise<boolean> {
    try {
      const numbers = sampledNumbers(this.#state.progress.records);
      const batch = await this.batch(numbers, { ...this.#settings, verify });
      return numbers.every((record, i) => this.#fits(record, batch.at(i)!.length));
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return false;
    }
  }

  /** False if the record has another length by the index. */
  #fits(record: number, length: number): boolean {
    const [begin, end] = [this.offsetOf(record), this.offsetOf(record + 1)];
    return begin === undefined || end === undefined || end - begin === length + FRAME_BYTES;
  }
}
