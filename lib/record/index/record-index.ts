import { inspect } from 'node:util';

import {
  type Bytes,
  illegalConstructor,
  type InspectArguments,
  inspected,
  isInstance,
  neededInteger,
  type TFRecordError,
} from '../../base';
import { native, type IndexHandle, type IndexKeys, type IndexStart } from '../../native';
import type { RecordBatch } from '../batch/record-batch';
import { checkFormat, type IndexFormat } from './export/export-index';
import { checkNumbers, copyNumbers, type RecordNumbers } from './gather-records';
import { readForeign } from './import/import-index';
import { checkIndex, loadIndex, notAFile, olderIndex, otherKeys, saveIndex, writeIndex } from './index-file';
import { newIndex } from './index-handle';
import { findByKey, keyBytes, type RecordKey } from './index-keys';
import { checkIndexOptions, type CheckedIndexOptions, type IndexOptions, type ScanProgress } from './index-options';
import type { PlacedRecord } from './index-read';
import { IndexReads, type RecordRange } from './index-reads';
import type { SliceOptions } from './index-slice';
import { findIndexed, pathOfIndex, type IndexedSource, type SeenSource } from './index-source';
import { IndexUses } from './index-uses';
import { ScanState } from './scan-state';

export type { PlacedRecord } from './index-read';
export type { RecordRange } from './index-reads';

/**
 * The index of the records of a source, by which any of them can be read at once: of a regular file, by its path or its
 * FileHandle, of a Blob, of bytes, of an object `{ byteLength, slice }`. {@link openIndexed} opens a file with its saved index.
 *
 * The offset of each record takes a byte or two of memory, and almost nothing where all records have one length; for GZIP and
 * ZLIB, a place each 4 MiB of content from which inflating can begin takes up to 32 KiB, 64 MiB at most: with more, the
 * distances double.
 *
 * By default all checksums are verified while the file is scanned, except those of the data of plain records over 64 MiB,
 * and again when records are read.
 *
 * @example
 * await using index = RecordIndex.scan('train.tfrecord.gz');
 * await index.done;
 * console.log(index.records, await index.at(-1));
 */
export class RecordIndex implements AsyncDisposable {
  /**
   * Resolves when the scan is over, with damage, too, and after `close()`. Rejects if the file cannot be read, or is
   * changed meanwhile (TFR_STATE_MISMATCH), and with `signal.reason`. There is nothing to wait for in a loaded index.
   */
  readonly done: Promise<void>;
  readonly #file: string;
  readonly #handle: IndexHandle;
  readonly #source: Promise<SeenSource>;
  readonly #state: ScanState;
  readonly #uses: IndexUses;
  readonly #reads: IndexReads;

  /**
   * Starts to scan `source`; a string is the path of a regular file. The index grows while it is used; `done` resolves when
   * it is complete. Damaged records are `faults`; where damage ends the scan, {@link RecordIndex.isCut} is true.
   *
   * @throws TypeError or RangeError for wrong arguments
   *
   * @example
   * const index = RecordIndex.scan('train.tfrecord');
   * await index.save('train.tfrecord.tfindex');
   */
  static scan(source: IndexedSource, options?: IndexOptions): RecordIndex {
    const found = findIndexed(source);
    const settings = checkIndexOptions(options);
    const handle = newIndex(found.name, settings);
    return new RecordIndex(found.name, settings, handle, found.look());
  }

  /**
   * Reads the index that was saved as `indexFile` for the regular file `source`. If the file has the same size and the same
   * bytes at both ends, but was changed later, 16 of its records are read and checked.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the index is damaged, or that of
   *   another file, or if its scan verified less than `options.verify`, or if it lacks `options.keys`, or if `source` is not a
   *   file; or if one of the files cannot be read
   *
   * @example
   * const index = await RecordIndex.load('train.tfrecord.tfindex', 'train.tfrecord');
   */
  static async load(indexFile: string | URL, source: IndexedSource, options?: IndexOptions): Promise<RecordIndex> {
    const indexPath = pathOfIndex(indexFile, 'indexFile');
    const found = findIndexed(source);
    const settings = checkIndexOptions(options);
    settings.signal?.throwIfAborted();
    const seen = await found.look();
    const { identity } = seen;
    if (identity === undefined) throw notAFile(found.name);
    const { loaded, size } = await loadIndex(indexPath, identity.size, settings.verify);
    const isCurrent = await checkIndex(indexPath, loaded, identity, seen.withRanges);
    const keys = native().keysOf(loaded.handle)?.feature;
    if (settings.keys !== undefined && keys !== settings.keys) throw otherKeys(indexPath, settings.keys, keys);
    settings.signal?.throwIfAborted();
    const state = ScanState.ofLoaded(loaded, identity.size, size);
    const index = new RecordIndex(found.name, settings, loaded.handle, Promise.resolve(seen), state);
    if (isCurrent || (await index.#reads.holdsSample(loaded.verified))) return index;
    await index.close();
    throw olderIndex(indexPath);
  }

  /**
   * Scans the file `source` by the index that another program saved as `indexFile`: indexed_gzip, gztool (`.gzi`) or bgzip
   * (`.gzi`) of a GZIP file, tfrecord2idx of DALI of a plain one. Its bytes show which. Resolves when the scan is over.
   *
   * The other index is never believed. Points of a GZIP file are used, to inflate on several threads, as far as inflating leads
   * to exactly the same ones; the places of records are found by the scan. Those of tfrecord2idx must be the same.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the other index is damaged, or that
   *   of another file, or of no known program; or if one of the files cannot be read; `options.signal`'s reason if aborted
   *
   * @example
   * await using index = await RecordIndex.import('train.tfrecord.gz.gzi', 'train.tfrecord.gz');
   * await index.save('train.tfrecord.gz.tfindex');
   */
  static async import(indexFile: string | URL, source: IndexedSource, options?: IndexOptions): Promise<RecordIndex> {
    const indexPath = pathOfIndex(indexFile, 'indexFile');
    const found = findIndexed(source);
    const settings = checkIndexOptions(options);
    settings.signal?.throwIfAborted();
    const seen = await found.look();
    const { points: checkpoints, check } = await readForeign(indexPath, seen);
    const handle = newIndex(found.name, settings);
    const index = new RecordIndex(found.name, { ...settings, checkpoints }, handle, Promise.resolve(seen));
    try {
      await index.done;
      await check(handle);
      settings.signal?.throwIfAborted();
      return index;
    } catch (error) {
      await index.close();
      throw error;
    }
  }

  private constructor(
    file: string,
    settings: CheckedIndexOptions,
    handle: IndexHandle,
    source: Promise<SeenSource>,
    loaded?: ScanState,
  ) {
    if (!isInstance(source, Promise)) throw illegalConstructor('RecordIndex.scan()');
    this.#file = file;
    this.#handle = handle;
    this.#source = source;
    this.#state = loaded ?? new ScanState();
    this.#uses = new IndexUses(file, settings.signal);
    this.#reads = new IndexReads(file, settings, handle, source, this.#state, this.#uses);
    this.done = loaded === undefined ? this.#state.scan(source, settings, handle, this.#uses) : Promise.resolve();
    // A caller who only reads records gets the error from `read`. A scan that is aborted at once never awaits the source.
    this.done.catch(() => undefined);
    this.#source.catch(() => undefined);
  }

  /** The name of the source: the path that was given, `<bytes>` and the like. */
  get file(): string {
    return this.#file;
  }

  /** Number of records that are known, damaged ones included. */
  get records(): number {
    return this.#state.progress.records;
  }

  /** The state of the scan now. */
  get progress(): ScanProgress {
    return this.#state.progress;
  }

  /** Native memory that the places and checkpoints take, in bytes. */
  get heldBytes(): number {
    return this.#state.heldBytes;
  }

  /** Number of records whose data has a wrong checksum, once the scan is complete. To read one of them rejects. */
  get damaged(): number {
    return this.#state.damaged;
  }

  /** True if damage ended the scan, also that of a loaded index: then the file may have more records than `records`. */
  get isCut(): boolean {
    return this.#state.isCut;
  }

  /** The feature whose values {@link RecordIndex.find} finds, and their number; undefined if there are none. */
  get keys(): IndexKeys | undefined {
    return native().keysOf(this.#handle);
  }

  /**
   * The damage found so far, in the order of the file; at most 10,000 damaged records. With `keys`, also the records that are
   * not Examples. A loaded index has none: see `damaged` and `isCut`.
   */
  get faults(): readonly TFRecordError[] {
    return this.#state.faults;
  }

  /** The damage after which the scan found no records; undefined if it has reached the end of the source, or was loaded. */
  get cut(): TFRecordError | undefined {
    return this.#state.cut;
  }

  /**
   * Reads the records from number `first` to before `first + count`, as far as they are known by now. Reads little more
   * than it returns. A record whose data is damaged has an `error`.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the file has changed since
   *   the scan, TFR_CLOSED after `close()`, or if the file cannot be read
   *
   * @example
   * for (const { record, offset, data } of await index.read(1000, 10)) console.log(record, offset, data.length);
   */
  async read(first: number, count: number, options?: RecordRange): Promise<PlacedRecord[]> {
    return this.#reads.read(first, count, options);
  }

  /**
   * Returns where a reader begins that needs the records from `record` on, as far as the index is known. Undefined: at the
   * beginning of the file.
   * @internal
   */
  place(record: number): IndexStart | undefined {
    neededInteger('record', record, 0, Number.MAX_SAFE_INTEGER);
    return native().indexStart(this.#handle, record);
  }

  /**
   * Returns the offset of record number `record` in the uncompressed stream; undefined if it is not known.
   *
   * @throws TypeError unless `record` is a number
   *
   * @example
   * console.log(index.offsetOf(1000));
   */
  offsetOf(record: number): number | undefined {
    return this.#reads.offsetOf(record);
  }

  /**
   * Reads the record at `index`; a negative index counts from the end. Resolves with undefined if there is none. Waits for
   * the end of the scan.
   *
   * @throws TFRecordError as {@link RecordIndex.readBatch}
   *
   * @example
   * const last = await index.at(-1);
   */
  async at(index: number): Promise<Bytes | undefined> {
    neededInteger('index', index, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    await this.done;
    const record = index < 0 ? index + this.records : index;
    return record < 0 || record >= this.records ? undefined : (await this.readBatch([record])).at(0);
  }

  /**
   * Reads `records`, numbers in any order, as one batch in this order; `origin(i)` of the batch has the number and the place of
   * each. The numbers are copied at once. Waits for the end of the scan.
   *
   * @throws TypeError or RangeError for anything but numbers of records; TFRecordError if one of them is damaged,
   *   TFR_STATE_MISMATCH if the file has changed since the scan, TFR_CLOSED after `close()`, or if the file cannot be read
   *
   * @example
   * const batch = await index.readBatch([12, 5, 12]);
   */
  async readBatch(records: RecordNumbers): Promise<RecordBatch> {
    const copy = copyNumbers(records);
    await this.done;
    return this.#reads.batch(checkNumbers(copy, this.records));
  }

  /**
   * Finds the numbers of the records of which a value of the feature `keys` is `key`, in rising order. Waits for the end of the
   * scan. Each record found is read, and checked to hold the key.
   *
   * @throws TypeError for another type; TFRecordError TFR_FEATURE if the index has no keys; as {@link RecordIndex.readBatch}
   *
   * @example
   * const [record] = await index.find('images/0017.png');
   */
  async find(key: RecordKey): Promise<number[]> {
    const bytes = keyBytes(key);
    await this.done;
    return findByKey(this.#handle, this.#file, bytes, (records) => this.readBatch(records));
  }

  /**
   * Iterates over the records from number `begin` to before `end`, in batches, at the speed of a reader; a compressed file is
   * inflated between its checkpoints on several threads at once, which changes no result. Arguments are those of
   * `Array.prototype.slice`: a negative one counts from the end. Waits for the end of the scan. Read the whole slice, or leave
   * its loop.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError at damage, unless `onError` says otherwise;
   *   TFR_STATE_MISMATCH if the file has changed since the scan, TFR_CLOSED after `close()`, or if the file cannot be read
   *
   * @example
   * for await (const batch of index.slice(1000, 2000)) for (const record of batch) console.log(record.length);
   */
  slice(begin?: number, end?: number, options?: SliceOptions): AsyncGenerator<RecordBatch, void, undefined> {
    return this.#reads.slice(this.done, begin, end, options);
  }

  /**
   * Saves the index as `file`, in the place of an older one, once the scan is over.
   *
   * @throws TypeError if `file` is the source itself; TFRecordError TFR_STATE_MISMATCH if the source is not a file, or has
   *   changed since the scan, TFR_CLOSED if `close()` ended the scan, or if the index cannot be written
   *
   * @example
   * await index.save('train.tfrecord.tfindex');
   */
  async save(file: string | URL): Promise<void> {
    const path = pathOfIndex(file, 'file');
    await this.done;
    const source = await this.#source;
    const result = await this.#uses.run(() => saveIndex(this.#handle, this.#file, source, path));
    if (result === 'incomplete') throw this.#uses.closedError();
  }

  /**
   * Writes the index as `file` in the form of another program, in the place of an older file, once the scan is over:
   * `indexed_gzip`, `gztool` and `bgzip` for GZIP files (`bgzip` only for those that it wrote), `tfrecord2idx` for plain ones.
   *
   * @throws TypeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the file is of another kind, is damaged, or has
   *   changed since the scan, TFR_CLOSED after `close()`, or if a file cannot be read or written
   *
   * @example
   * await index.export('train.tfrecord.gz.gzi', 'gztool');
   */
  async export(file: string | URL, format: IndexFormat): Promise<void> {
    const path = pathOfIndex(file, 'file');
    const write = checkFormat(format);
    await this.done;
    const { identity, withRanges } = await this.#source;
    this.#uses.check();
    const { totalBytes } = this.progress;
    await this.#uses.run(async () => {
      await withRanges(async (source) => writeIndex(path, write(this.#handle, source, totalBytes), identity));
      await identity?.check();
    });
  }

  /**
   * Ends the scan and all reads: those under way give their records, or reject with TFR_CLOSED. Resolves when nothing reads the
   * source any more. May be called again.
   *
   * @example
   * await index.close();
   */
  close(): Promise<void> {
    return this.#uses.close();
  }

  /** The same as {@link RecordIndex.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal */
  [inspect.custom](...args: InspectArguments): string {
    return inspected('RecordIndex', args, () => {
      const { file, records, damaged, isCut, keys } = this;
      return { file, records, complete: this.progress.complete, damaged, isCut, keys };
    });
  }
}
