import {
  TFRecordError,
  COMPRESSION_OPTIONS,
  compressionNumber,
  type CompressionOption,
  checkCallback,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  fullPath,
  workingFolder,
  LoopTurns,
  callNative,
  faultError,
  startNative,
  DEFAULT_MAX_RECORD_BYTES,
  MAX_RECORD_BYTES,
  onAbort,
} from '../../base';
import { native, type IndexProgress, type IndexHandle } from '../../native';
import { verificationNumber, type Verification } from '../read/read-options';
import { scanSpec } from '../read/reader-spec';
import { lostBehind } from '../read/splitter';
import { Identity } from '../../io';
import { PlacesRead, type PlacedRecord } from './places-read';

export type { PlacedRecord } from './places-read';

/** The progress of a scan. */
export interface PlacesProgress {
  /** Number of records that are known, damaged ones included. */
  readonly records: number;
  /** Bytes of the file that were read. */
  readonly compressedBytes: number;
  /** Size of the file; 0 until the scan has opened it. */
  readonly totalBytes: number;
  /** The scan is over: at the end of the file, or where damage ends it. */
  readonly complete: boolean;
}

export interface PlacesOptions {
  /** As for `readRecords`. Default: `auto`. */
  readonly compression?: CompressionOption | undefined;
  /** As for `readRecords`. Default: `all`. */
  readonly verify?: Verification | undefined;
  /** As for `readRecords`. Longer records have no data, but an error. Default: 2^31 - 1. */
  readonly maxRecordBytes?: number | undefined;
  /** Closes the places when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Called about 20 times a second while the scan finds more, and once at its end. */
  readonly onProgress?: ((progress: PlacesProgress) => void) | undefined;
}

export interface PlacesRange {
  /** Ends the read when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Stops before the record that would make more bytes of data; the first record always comes. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

/** Time between two reports of progress. */
const PROGRESS_MS = 50;
/** The first records are known as soon as possible. */
const FIRST_MS = 5;

const NONE: PlacesProgress = { records: 0, compressedBytes: 0, totalBytes: 0, complete: false };

/**
 * The places of the records of a file, so that any of them can be read at once. Native threads scan the file, and
 * remember a place each 64 KiB or 1,024 records, and for GZIP and ZLIB a checkpoint of the inflater each MiB: a few MiB of
 * memory for each GiB of content, and 80 MiB at most, since the distances grow with the file.
 *
 * By default all checksums are verified while the file is scanned, except those of the data of plain records over 64 MiB,
 * and again when records are read.
 */
export class RecordPlaces {
  /**
   * Resolves when the scan is over, with damage, too, and after `close()`. Rejects if the file cannot be read, or is
   * changed meanwhile (TFR_STATE_MISMATCH), and with `signal.reason`.
   */
  readonly done: Promise<void>;
  readonly #file: string;
  readonly #at: string;
  readonly #handle: IndexHandle;
  readonly #maxRecordBytes: number;
  readonly #onProgress: ((progress: PlacesProgress) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #faults: TFRecordError[] = [];
  readonly #reads = new Set<PlacesRead>();
  readonly #identity: Promise<Identity>;
  #progress = NONE;
  #heldBytes = 0;
  #closed: Promise<void> | undefined;

  /**
   * Starts to scan the regular file at `path`.
   * @throws TypeError or RangeError for wrong arguments
   */
  constructor(path: string, options?: PlacesOptions) {
    const given = checkOptions(options, ['compression', 'verify', 'maxRecordBytes', 'signal', 'onProgress']);
    const compression = checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto');
    const verify = verificationNumber(given.verify);
    this.#maxRecordBytes = checkInteger(
      'options.maxRecordBytes',
      given.maxRecordBytes,
      0,
      MAX_RECORD_BYTES,
      DEFAULT_MAX_RECORD_BYTES,
    );
    this.#onProgress = checkCallback('options.onProgress', given.onProgress);
    this.#signal = checkSignal('options.signal', given.signal);
    this.#file = path;
    this.#at = fullPath(path, workingFolder());
    const spec = scanSpec({
      compression: compressionNumber(compression),
      verify,
      maxRecordBytes: this.#maxRecordBytes,
    });
    this.#handle = callNative(path, () => native().indexOpen(this.#at, spec));
    this.#identity = Identity.ofRegular(path, this.#at);
    this.done = this.#scan();
    // Whoever only reads records learns of a failure there. A scan that is aborted at once asks for no identity.
    this.done.catch(() => undefined);
    this.#identity.catch(() => undefined);
  }

  /** The state of the scan now. */
  get progress(): PlacesProgress {
    return this.#progress;
  }

  /** Native memory that the places and checkpoints take, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The damage found so far, in the order of the file; at most 10,000 damaged records. */
  get faults(): readonly TFRecordError[] {
    return this.#faults;
  }

  /**
   * Reads the records from number `first` to before `first + count`, as far as they are known by now. Reads little more
   * than it returns. A record whose data is damaged has an `error`.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the file has changed since
   *   the scan, TFR_CLOSED after `close()`, or if the file cannot be read
   */
  async read(first: number, count: number, options?: PlacesRange): Promise<PlacedRecord[]> {
    checkInteger('first', first, 0, Number.MAX_SAFE_INTEGER, 0);
    checkInteger('count', count, 0, Number.MAX_SAFE_INTEGER, 0);
    const given = checkOptions(options, ['signal', 'maxBytes']);
    const signal = checkSignal('options.signal', given.signal);
    const maxBytes = checkInteger('options.maxBytes', given.maxBytes, 0, Number.MAX_SAFE_INTEGER, Infinity);
    signal?.throwIfAborted();
    const identity = await this.#identity;
    signal?.throwIfAborted();
    this.#signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closedError();
    const last = Math.min(first + count, this.#progress.records);
    if (first >= last) return [];
    const opened = callNative(this.#file, () => native().indexReader(this.#handle, first, last));
    if (opened === undefined) return [];
    const read = new PlacesRead(this.#file, opened, first, last, maxBytes);
    const forget = signal === undefined ? undefined : onAbort(signal, () => void read.close());
    this.#reads.add(read);
    try {
      const found = await read.records(() => identity.check());
      signal?.throwIfAborted();
      this.#signal?.throwIfAborted();
      if (found === undefined) throw this.#closedError();
      return found;
    } finally {
      forget?.();
      await read.close();
      this.#reads.delete(read);
    }
  }

  /** Ends the scan and all reads. Resolves when the file is closed. May be called again. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const scan = startNative(this.#file, () => native().indexClose(this.#handle));
    await Promise.all([scan, ...[...this.#reads].map((read) => read.close())]);
  }

  async #scan(): Promise<void> {
    const signal = this.#signal;
    const forget = signal === undefined ? undefined : onAbort(signal, () => void this.close());
    try {
      signal?.throwIfAborted();
      const identity = await this.#identity;
      let found: IndexProgress | undefined;
      for (let time = FIRST_MS; found?.complete !== true; time = PROGRESS_MS) {
        if (this.#closed !== undefined) break;
        found = await startNative(this.#file, () => native().indexAdvance(this.#handle, time));
        signal?.throwIfAborted();
        if (found.complete) await this.#end(identity, found);
        await this.#took(found);
      }
      signal?.throwIfAborted();
    } finally {
      forget?.();
    }
  }

  /** Checks the end of the scan. @throws TFRecordError if the file could not be read to it */
  async #end(identity: Identity, { halt }: IndexProgress): Promise<void> {
    const error = halt === undefined ? undefined : faultError(halt, { file: this.#file });
    if (error !== undefined && !error.code.startsWith('TFR_')) throw error;
    await identity.check();
  }

  async #took(found: IndexProgress): Promise<void> {
    const { records, compressedBytes, totalBytes, complete, faults, halt, heldBytes } = found;
    const turns = new LoopTurns();
    for (const fault of faults) {
      this.#faults.push(faultError(fault, { file: this.#file }));
      await turns.breathe();
    }
    if (halt !== undefined) this.#faults.push(faultError(halt, { file: this.#file, ...lostBehind(halt, found) }));
    this.#progress = { records, compressedBytes, totalBytes: Math.max(totalBytes, 0), complete };
    this.#heldBytes = heldBytes;
    this.#onProgress?.(this.#progress);
  }

  #closedError(): TFRecordError {
    return new TFRecordError('TFR_CLOSED', `The places of ${this.#file} are closed.`, { file: this.#file });
  }
}
