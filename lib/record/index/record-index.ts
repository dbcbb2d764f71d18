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
import { Identity, type ClassifiedSource } from '../../io';
import { native, type IndexHandle, type IndexProgress, type IndexStart, type ReaderSpec } from '../../native';
import { verificationNumber, type Verification } from '../read/read-options';
import { scanSpec } from '../read/reader-spec';
import { lostAfter } from '../read/splitter';
import { checkIndex, endsOf, loadIndex, writeIndex } from './index-file';
import { IndexRead, type PlacedRecord } from './index-read';

export type { PlacedRecord } from './index-read';

/** The progress of a scan. */
export interface ScanProgress {
  /** Number of records that are known, damaged ones included. */
  readonly records: number;
  /** Bytes of the file that were read. */
  readonly compressedBytes: number;
  /** Size of the file; 0 until the scan has opened it. */
  readonly totalBytes: number;
  /** The scan is over: at the end of the file, or where damage ends it. */
  readonly complete: boolean;
}

export interface IndexOptions {
  /** As for `readRecords`. Default: `auto`. */
  readonly compression?: CompressionOption | undefined;
  /** As for `readRecords`. Default: `all`. */
  readonly verify?: Verification | undefined;
  /** As for `readRecords`. Longer records have no data, but an error. Default: 2^31 - 1. */
  readonly maxRecordBytes?: number | undefined;
  /** Closes the index when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Called about 20 times a second while the scan finds more, and once at its end. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

export interface RecordRange {
  /** Ends the read when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Stops before the record that would make more bytes of data; the first record always comes. Default: no limit. */
  readonly maxBytes?: number | undefined;
}

/** Time between two reports of progress. */
const PROGRESS_MS = 50;
/** The first records are known as soon as possible. */
const FIRST_MS = 5;

const NONE: ScanProgress = { records: 0, compressedBytes: 0, totalBytes: 0, complete: false };

interface Settings {
  /** The full path. */
  readonly at: string;
  readonly folder: string | undefined;
  readonly spec: ReaderSpec;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
}

function settingsOf(path: string, options: IndexOptions | undefined): Settings {
  const given = checkOptions(options, ['compression', 'verify', 'maxRecordBytes', 'signal', 'onProgress']);
  const compression = checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto');
  const verify = verificationNumber(given.verify);
  const maxRecordBytes = checkInteger(
    'options.maxRecordBytes',
    given.maxRecordBytes,
    0,
    MAX_RECORD_BYTES,
    DEFAULT_MAX_RECORD_BYTES,
  );
  const onProgress = checkCallback('options.onProgress', given.onProgress);
  const signal = checkSignal('options.signal', given.signal);
  const spec = scanSpec({ compression: compressionNumber(compression), verify, maxRecordBytes });
  const folder = workingFolder();
  return { at: fullPath(path, folder), folder, spec, signal, onProgress };
}

/**
 * The index of the records of a file, so that any of them can be read at once. Native threads scan the file, and
 * remember a place each 64 KiB or 1,024 records, and for GZIP and ZLIB a checkpoint of the inflater each MiB: a few MiB of
 * memory for each GiB of content, and 80 MiB at most, since the distances grow with the file.
 *
 * By default all checksums are verified while the file is scanned, except those of the data of plain records over 64 MiB,
 * and again when records are read.
 */
export class RecordIndex {
  /**
   * Resolves when the scan is over, with damage, too, and after `close()`. Rejects if the file cannot be read, or is
   * changed meanwhile (TFR_STATE_MISMATCH), and with `signal.reason`. There is nothing to wait for in a loaded index.
   */
  readonly done: Promise<void>;
  readonly #file: string;
  readonly #at: string;
  readonly #spec: ReaderSpec;
  readonly #source: ClassifiedSource;
  readonly #handle: IndexHandle;
  readonly #scans: boolean;
  readonly #onProgress: ((progress: ScanProgress) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #faults: TFRecordError[] = [];
  readonly #reads = new Set<IndexRead>();
  readonly #identity: Promise<Identity>;
  #progress = NONE;
  #heldBytes = 0;
  #closed: Promise<void> | undefined;

  /**
   * Starts to scan the regular file at `path`. The index grows while it is used.
   * @throws TypeError or RangeError for wrong arguments
   */
  static scan(path: string, options?: IndexOptions): RecordIndex {
    const settings = settingsOf(path, options);
    const handle = callNative(path, () => native().indexOpen(settings.at, settings.spec));
    return new RecordIndex(path, settings, handle, Identity.ofRegular(path, settings.at));
  }

  /**
   * Reads the index that was saved at `indexPath` for the regular file at `path`.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if it is damaged, or the index of
   *   another file, or if one of the files cannot be read
   */
  static async load(indexPath: string, path: string, options?: IndexOptions): Promise<RecordIndex> {
    const settings = settingsOf(path, options);
    settings.signal?.throwIfAborted();
    const identity = await Identity.ofRegular(path, settings.at);
    const { loaded, size } = await loadIndex(indexPath, settings.at, settings.spec);
    await checkIndex(indexPath, loaded, identity, settings.at);
    settings.signal?.throwIfAborted();
    const { records } = loaded;
    const progress = { records, compressedBytes: identity.size, totalBytes: identity.size, complete: true };
    return new RecordIndex(path, settings, loaded.handle, Promise.resolve(identity), { progress, heldBytes: size });
  }

  private constructor(
    path: string,
    { at, folder, spec, signal, onProgress }: Settings,
    handle: IndexHandle,
    identity: Promise<Identity>,
    loaded?: { readonly progress: ScanProgress; readonly heldBytes: number },
  ) {
    this.#file = path;
    this.#at = at;
    this.#spec = spec;
    // A file can have the name of standard input.
    this.#source = { kind: 'paths', paths: [{ path: path === '-' ? at : path, expands: false }], folder };
    this.#onProgress = onProgress;
    this.#signal = signal;
    this.#handle = handle;
    this.#identity = identity;
    this.#scans = loaded === undefined;
    this.#progress = loaded?.progress ?? NONE;
    this.#heldBytes = loaded?.heldBytes ?? 0;
    this.done = this.#scans ? this.#scan() : Promise.resolve();
    // Whoever only reads records learns of a failure there. A scan that is aborted at once asks for no identity.
    this.done.catch(() => undefined);
    this.#identity.catch(() => undefined);
  }

  /** Number of records that are known, damaged ones included. */
  get records(): number {
    return this.#progress.records;
  }

  /** The state of the scan now. */
  get progress(): ScanProgress {
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
  async read(first: number, count: number, options?: RecordRange): Promise<PlacedRecord[]> {
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
    const jump = native().indexJump(this.#handle, first, last);
    if (jump === undefined) return [];
    const read = new IndexRead(this.#source, this.#spec, jump, { first, last, maxBytes });
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

  /**
   * Returns where a reader of the file begins that needs the records from `record` on. Undefined: with the file, as far as
   * the index is known.
   */
  place(record: number): IndexStart | undefined {
    checkInteger('record', record, 0, Number.MAX_SAFE_INTEGER, 0);
    return native().indexStart(this.#handle, record);
  }

  /**
   * Saves the index at `path`, in the place of an older one, once the scan is over.
   *
   * @throws TFRecordError TFR_STATE_MISMATCH if the file has changed since the scan, TFR_CLOSED if `close()` ended the scan,
   *   or if the index cannot be written
   */
  async save(path: string): Promise<void> {
    await this.done;
    const identity = await this.#identity;
    const { headCrc, tailCrc } = await endsOf(this.#file, this.#at, identity.size);
    await identity.check();
    const bytes = native().indexSave(this.#handle, identity.size, headCrc, tailCrc, identity.time);
    if (bytes === undefined) throw this.#closedError();
    await writeIndex(path, bytes);
  }

  /** Ends the scan and all reads. Resolves when the file is closed. May be called again. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    const scan = this.#scans ? startNative(this.#file, () => native().indexClose(this.#handle)) : undefined;
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
    if (halt !== undefined) this.#faults.push(faultError(halt, { file: this.#file, ...lostAfter(halt, found) }));
    this.#progress = { records, compressedBytes, totalBytes: Math.max(totalBytes, 0), complete };
    this.#heldBytes = heldBytes;
    this.#onProgress?.(this.#progress);
  }

  #closedError(): TFRecordError {
    return new TFRecordError('TFR_CLOSED', `The index of ${this.#file} is closed.`, { file: this.#file });
  }
}
