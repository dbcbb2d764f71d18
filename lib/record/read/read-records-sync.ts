import { statSync } from 'node:fs';
import { inspect } from 'node:util';

import {
  invalidArgType,
  invalidState,
  TFRecordError,
  fullPath,
  workingFolder,
  folderError,
  fromNodeError,
  callNative,
  startNative,
  inspected,
  type InspectArguments,
  type Phase,
  type Bytes,
  type Origin,
} from '../../base';
import { FillOutcome, native, type SlabFill, type ReaderHandle } from '../../native';
import type { RecordBatch } from '../batch/record-batch';
import {
  newSlab,
  expandPathSync,
  type ExpandedPath,
  sourceName,
  pullBytesSync,
  pullDescriptorSync,
  type SyncPull,
  readableSource,
  type ClassifiedSource,
} from '../../io';
import { SlabSizer } from './slab-sizer';
import { isRepeatable, readerClosed } from './cursor-iterators';
import type { FilledSlab } from './input-stream';
import { resolveReadOptions, type ReadOptions, type ReadPlan } from './read-options';
import { readerSpec } from './reader-spec';
import { FaultSplitter } from './splitter';

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
  options?: ReadOptions,
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
  options?: ReadOptions,
): PlacedRecords {
  const classified = readableSource(source);
  if (classified.kind === 'chunks') {
    throw invalidArgType(
      'source',
      'a path, a file URL, a list of these or a Uint8Array: streams need promises',
      source,
    );
  }
  return new SyncRecords(classified, options);
}

type SyncSource = Exclude<ClassifiedSource, { kind: 'chunks' }>;

class SyncRecords implements PlacedRecords {
  readonly #source: SyncSource;
  readonly #options: ReadOptions | undefined;
  #plan: ReadPlan;
  #splitter: FaultSplitter;
  #paths: ExpandedPath[] | undefined;
  /** The folder to which relative paths are relative. */
  #folder: string | undefined;
  #nextPath = 0;
  #stream: SyncRecordStream | undefined;
  #closed = false;
  #loading = false;
  #batch: RecordBatch | undefined;
  #index = 0;
  #count = 0;
  /** Number of records handed out from earlier batches. */
  #records = 0;

  constructor(source: SyncSource, options: ReadOptions | undefined) {
    this.#source = source;
    this.#options = options;
    this.#plan = resolveReadOptions(options);
    this.#splitter = new FaultSplitter(this.#plan.policy);
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
    if (!this.#closed) return this;
    if (!isRepeatable(this.#source)) throw readerClosed();
    this.#plan = resolveReadOptions(this.#options);
    this.#splitter = new FaultSplitter(this.#plan.policy);
    this.#paths = undefined;
    this.#nextPath = 0;
    this.#records = 0;
    this.#closed = false;
    return this;
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  [inspect.custom](...args: InspectArguments): string {
    return inspected('SyncRecordIterator', args, () => {
      const open: Phase = this.#paths === undefined ? 'new' : 'open';
      const { skipped, lostBytes } = this.#plan.policy;
      return {
        source: sourceName(this.#source),
        state: this.#closed ? 'closed' : open,
        records: this.#records + this.#index,
        skipped,
        lostBytes,
      };
    });
  }

  #load(): boolean {
    if (this.#closed) return false;
    if (this.#loading) throw invalidState('next() was called while next() runs, from within onError or report');
    this.#loading = true;
    try {
      this.#batch = this.#find();
    } catch (error) {
      this.#close();
      throw error;
    } finally {
      this.#loading = false;
    }
    if (this.#batch === undefined) this.#close();
    this.#settle();
    this.#count = this.#batch?.length ?? 0;
    return this.#count > 0;
  }

  #find(): RecordBatch | undefined {
    for (;;) {
      // Checked here, because skipping may take long between two batches.
      this.#plan.signal?.throwIfAborted();
      const step = this.#splitter.next();
      // onError and report may have called return().
      if (this.#closed) return undefined;
      if (typeof step === 'object') return step;
      if (step === 'stop') return undefined;
      if (step === 'skipped') continue;
      if (step === 'pass-over') this.#stream?.passOver();
      if (step === 'done') {
        this.#stream?.close();
        this.#stream = undefined;
      }
      if (this.#stream === undefined && !this.#openNext()) return undefined;
      const stream = this.#stream;
      if (stream !== undefined) this.#splitter.load(stream.file, stream.next());
    }
  }

  /** Opens the next file. Returns false after the last one. Sets no stream if the file cannot be opened and is skipped. */
  #openNext(): boolean {
    this.#paths ??= this.#expand();
    const next = this.#paths.at(this.#nextPath++);
    if (next === undefined) {
      this.#plan.policy.ended();
      return false;
    }
    try {
      this.#stream = this.#open(next);
      return true;
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return this.#plan.policy.resolve(error) === 'skip' && !this.#closed;
    }
  }

  #expand(): ExpandedPath[] {
    this.#folder = workingFolder();
    // Bytes are one input without a path.
    return this.#source.kind === 'bytes' ? [{ path: '<bytes>' }] : this.#source.paths.flatMap(expandPathSync);
  }

  #open({ path: file, error }: ExpandedPath): SyncRecordStream {
    if (this.#source.kind === 'bytes') {
      const { bytes, length } = this.#source;
      return new SyncRecordStream(file, length, pullBytesSync(bytes, length, file), this.#plan);
    }
    if (error !== undefined) throw error;
    const at = file === '-' ? file : fullPath(file, this.#folder);
    try {
      if (file === '-') return new SyncRecordStream(file, undefined, pullDescriptorSync(at, file), this.#plan);
      const stats = statSync(at);
      if (stats.isDirectory()) throw folderError(file);
      if (stats.isFile()) return new SyncRecordStream(file, stats.size, at, this.#plan);
      return new SyncRecordStream(file, undefined, pullDescriptorSync(at, file), this.#plan);
    } catch (cause) {
      throw fromNodeError(cause, file, 'open');
    }
  }

  #settle(): void {
    this.#records += this.#index;
    this.#index = 0;
  }

  #close(): void {
    this.#closed = true;
    this.#batch = undefined;
    this.#settle();
    this.#count = 0;
    this.#stream?.close();
    this.#stream = undefined;
  }
}

/** Reads one file or stream on the calling thread: an InputStream without promises. */
class SyncRecordStream {
  readonly file: string;
  readonly #inputBytes: number | undefined;
  readonly #sizer: SlabSizer;
  readonly #pull: SyncPull | undefined;
  readonly #handle: ReaderHandle;
  #closed = false;

  /** `input`: the path of a regular file, or the chunks of a stream. `file`: the name in errors. */
  constructor(file: string, inputBytes: number | undefined, input: string | SyncPull, plan: ReadPlan) {
    const spec = readerSpec(plan, { bytes: inputBytes });
    this.file = file;
    this.#inputBytes = inputBytes;
    this.#sizer = new SlabSizer(plan.batchBytes);
    this.#pull = typeof input === 'string' ? undefined : input;
    this.#handle = callNative(file, () =>
      typeof input === 'string' ? native().readerOpenFile(input, spec) : native().readerOpenFed(spec),
    );
  }

  /** Returns the next slab, with outcome More, End or Halt. */
  next(): FilledSlab {
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
    return { slab, result: this.#pull === undefined ? result : { ...result, totalBytes: this.#inputBytes ?? -1 } };
  }

  #slab(need: number): Bytes {
    return newSlab(this.#sizer.next(this.#inputBytes, need), this.file);
  }
}
