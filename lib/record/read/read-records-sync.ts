import { inspect } from 'node:util';

import { inspected, invalidArgType, invalidState, type Bytes, type InspectArguments, type Origin } from '../../base';
import { readableSource, sourceName } from '../../io';
import type { RecordBatch } from '../batch/record-batch';
import { isRepeatable, readerClosed } from './cursor-iterators';
import type { FilledSlab } from './input-stream';
import { resolveRecordOptions, type ReadPlan, type RecordReadOptions } from './read-options';
import { FaultSplitter } from './splitter';
import { isSync, SyncSequence, type SyncSource } from './sync-sequence';
import { syncSlabStreams } from './sync-slab-stream';

/**
 * Reads the records of files, standard input or bytes on the calling thread, for scripts and tests. The order and the
 * errors are those of {@link readRecords}. `readAhead` has no effect, and `signal` is checked between batches and faults.
 * The end, `break`, `return()` and any error close the files. Iterating again starts from the first record, except for
 * standard input, which throws TFR_CLOSED.
 *
 * @throws TypeError or RangeError at once for wrong arguments; TFRecordError when the iteration reaches the error.
 *
 * @example
 * for (const record of readRecordsSync('small.tfrecord')) console.log(record.length);
 */
export function readRecordsSync(
  source: string | URL | readonly (string | URL)[] | Uint8Array,
  options?: RecordReadOptions,
): IterableIterator<Bytes> {
  return readPlacedRecordsSync(source, options);
}

/** Records that know their places. */
export interface PlacedRecords extends IterableIterator<Bytes> {
  /** The place of the record that `next` gave last. */
  origin(): Origin;
}

/** Reads as {@link readRecordsSync}. @throws as it does */
export function readPlacedRecordsSync(
  source: Parameters<typeof readRecordsSync>[0],
  options?: RecordReadOptions,
): PlacedRecords {
  const classified = readableSource(source);
  if (!isSync(classified)) {
    throw invalidArgType(
      'source',
      'a path, a file URL, a list of these or a Uint8Array: streams need promises',
      source,
    );
  }
  return new SyncRecords(classified, options);
}

export type SyncRecordSequence = SyncSequence<FilledSlab, RecordBatch>;

/** Opens the records of `source`, batch by batch. The calling thread reads them. */
export function syncRecordSequence(source: SyncSource, plan: ReadPlan): SyncRecordSequence {
  return new SyncSequence(source, plan, syncSlabStreams(plan), new FaultSplitter(plan.policy));
}

class SyncRecords implements PlacedRecords {
  readonly #source: SyncSource;
  readonly #options: RecordReadOptions | undefined;
  #plan: ReadPlan;
  #slabs: SyncRecordSequence;
  #loading = false;
  #batch: RecordBatch | undefined;
  #index = 0;
  #count = 0;
  /** Number of records handed out from earlier batches. */
  #records = 0;

  constructor(source: SyncSource, options: RecordReadOptions | undefined) {
    this.#source = source;
    this.#options = options;
    this.#plan = resolveRecordOptions(options);
    this.#slabs = this.#sequence();
  }

  next(): IteratorResult<Bytes> {
    if (this.#index >= this.#count && !this.#load()) return { value: undefined, done: true };
    try {
      const value = this.#batch!.at(this.#index)!;
      this.#index++;
      return { value, done: false };
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  origin(): Origin {
    return this.#batch!.origin(this.#index - 1)!;
  }

  return(value?: unknown): IteratorResult<Bytes> {
    this.#close();
    return { value, done: true };
  }

  throw(error?: unknown): IteratorResult<Bytes> {
    this.#close();
    throw error;
  }

  [Symbol.iterator](): this {
    if (this.#slabs.phase !== 'closed') return this;
    if (!isRepeatable(this.#source)) throw readerClosed();
    this.#plan = resolveRecordOptions(this.#options);
    this.#slabs = this.#sequence();
    this.#records = 0;
    return this;
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  [inspect.custom](...args: InspectArguments): string {
    return inspected('SyncRecordIterator', args, () => {
      const { skipped, lostBytes } = this.#plan.policy;
      return {
        source: sourceName(this.#source),
        state: this.#slabs.phase,
        records: this.#records + this.#index,
        skipped,
        lostBytes,
      };
    });
  }

  #sequence(): SyncRecordSequence {
    return syncRecordSequence(this.#source, this.#plan);
  }

  #load(): boolean {
    if (this.#slabs.phase === 'closed') return false;
    if (this.#loading) throw invalidState('next() was called while next() runs, from within onError or report');
    this.#loading = true;
    try {
      this.#batch = this.#slabs.next();
    } catch (error) {
      this.#close();
      throw error;
    } finally {
      this.#loading = false;
    }
    this.#settle();
    this.#count = this.#batch?.length ?? 0;
    return this.#count > 0;
  }

  #settle(): void {
    this.#records += this.#index;
    this.#index = 0;
  }

  #close(): void {
    this.#slabs.close();
    this.#plan.shown?.close();
    this.#batch = undefined;
    this.#settle();
    this.#count = 0;
  }
}
