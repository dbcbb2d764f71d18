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
import { checkFormat, type IndexFormat } from './foreign/export-index';
import { checkNumbers, copyNumbers, type RecordNumbers } from './gather-records';
import { readForeign } from './foreign/import-index';
import { checkIndex, loadIndex, notAFile, olderIndex, otherKeys, saveIndex, writeIndex } from './index-file';
import { findByKey, keyBytes, type RecordKey } from './index-keys';
import {
  checkIndexOptions,
  newIndex,
  type CheckedIndexOptions,
  type IndexOptions,
  type ScanProgress,
} from './index-options';
import type { PlacedRecord } from './index-read';
import { IndexReads, type IndexReadOptions } from './index-reads';
import type { SliceOptions } from './index-slice';
import { findIndexed, pathOfIndex, type IndexedSource, type SeenSource } from './index-source';
import { IndexUses } from './index-uses';
import { ScanState } from './scan-state';

export type { PlacedRecord } from './index-read';
export type { IndexReadOptions } from './index-reads';

/**
 * The index of the records of a source, by which any record can be read without those before it. A source is the path or the
 * FileHandle of a regular file, the URL of an object, a Blob, bytes, or an object `{ byteLength, slice }`. {@link openIndexed}
 * opens a source with its saved index.
 *
 * The index takes one or two bytes of memory for each record, and almost nothing if all records have the same length. For GZIP
 * and ZLIB, checkpoints from which inflating can begin take up to 32 KiB each, one every 4 MiB of content; if all of them would
 * take more than 64 MiB, the distance doubles.
 *
 * By default, the scan verifies all checksums, except those of the data of plain records over 64 MiB, and each read verifies
 * those of its records.
 *
 * @example
 * await using index = RecordIndex.scan('train.tfrecord.gz');
 * await index.done;
 * console.log(index.records, await index.at(-1));
 */
export class RecordIndex implements AsyncDisposable {
  /**
   * Resolves when the scan has ended, even if it ended at damage or by `close()`. Rejects if the file cannot be read, with
   * TFR_STATE_MISMATCH if it changed during the scan, and with `signal.reason`. In a loaded index, it is already resolved.
   */
  readonly done: Promise<void>;
  readonly #file: string;
  readonly #handle: IndexHandle;
  readonly #source: Promise<SeenSource>;
  readonly #state: ScanState;
  readonly #uses: IndexUses;
  readonly #reads: IndexReads;

  /**
   * Starts to scan `source`; a string is the path of a regular file, or the URL of an object. The index can be used while it
   * grows; `done` resolves when it is complete. Damaged records are in `faults`; if damage ends the scan,
   * {@link RecordIndex.isCut} is true.
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
   * Loads the index that was saved as `indexFile` for the regular file or object `source`. If the file has the same size and
   * the same bytes at both ends, but another time of its last change, 16 of its records are read and checked.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the index is damaged or belongs to
   *   another file, if its scan verified less than `options.verify`, if it lacks `options.keys`, or if `source` is neither a
   *   file nor an object; Node's code if one of the files cannot be read; `options.signal`'s reason if aborted
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
    const { handle, loaded, size } = await loadIndex(indexPath, identity.size, settings.verify);
    const isCurrent = await checkIndex(indexPath, loaded, identity, seen.withRanges);
    const keys = native().keysOf(handle)?.feature;
    if (settings.keys !== undefined && keys !== settings.keys) throw otherKeys(indexPath, settings.keys, keys);
    settings.signal?.throwIfAborted();
    const state = ScanState.ofLoaded(loaded, identity.size, size);
    const index = new RecordIndex(found.name, settings, handle, Promise.resolve(seen), state);
    if (isCurrent || (await index.#reads.holdsSample(loaded.verified))) return index;
    await index.close();
    throw olderIndex(indexPath);
  }

  /**
   * Scans `source` with the help of the index that another program saved as `indexFile`: indexed_gzip, gztool or bgzip for a
   * GZIP file, tfrecord2idx of DALI for a plain one. The content shows the format. Resolves when the scan has ended.
   *
   * Nothing in the other index is believed. The scan itself finds the records, and uses the points of a GZIP file only to
   * inflate on several threads, as long as inflating leads to exactly these points. The offsets of tfrecord2idx must be those
   * that the scan finds.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the other index is damaged, belongs
   *   to another file, or is of no known format; Node's code if one of the files cannot be read; `options.signal`'s reason if
   *   aborted
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

  /** The name of the source in errors: the path or URL that was given, `<bytes>` or the like. */
  get file(): string {
    return this.#file;
  }

  /** Number of records that are known, damaged ones included. */
  get records(): number {
    return this.#state.progress.records;
  }

  /** The current state of the scan. */
  get progress(): ScanProgress {
    return this.#state.progress;
  }

  /** Native memory that the index takes, in bytes. */
  get heldBytes(): number {
    return this.#state.heldBytes;
  }

  /** Number of records whose data has a wrong checksum, once the scan is complete. Reading one of them rejects. */
  get damaged(): number {
    return this.#state.damaged;
  }

  /** True if damage ended the scan, or that of a loaded index: the file may then have more records than `records`. */
  get isCut(): boolean {
    return this.#state.isCut;
  }

  /** The feature whose values {@link RecordIndex.find} finds, and their number; undefined if there are none. */
  get keys(): IndexKeys | undefined {
    return native().keysOf(this.#handle);
  }

  /**
   * The errors of the damage found so far, in the order of the file, at most 10,000. With `keys`, also the errors of records that
   * are not Examples. Empty for a loaded index: see `damaged` and `isCut`.
   */
  get faults(): readonly TFRecordError[] {
    return this.#state.faults;
  }

  /** The error of the damage that ended the scan; undefined if the scan has reached the end of the source, or the index was loaded. */
  get cut(): TFRecordError | undefined {
    return this.#state.cut;
  }

  /**
   * Reads the records from number `first` to before `first + count` that are already known. Resolves with fewer, or with
   * `[]`, if the scan has not found all of them, or if `options.maxBytes` is reached. A record whose data is damaged has an
   * `error`.
   *
   * @throws TypeError or RangeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the file has changed since
   *   the scan, TFR_CLOSED after `close()`, or if the file cannot be read
   *
   * @example
   * for (const { record, offset, data } of await index.read(1000, 10)) console.log(record, offset, data.length);
   */
  async read(first: number, count: number, options?: IndexReadOptions): Promise<PlacedRecord[]> {
    return this.#reads.read(first, count, options);
  }

  /**
   * Returns the place where a reader that needs the records from `record` on can begin, by what is known so far. Undefined: the
   * beginning of the file.
   * @internal
   */
  place(record: number): IndexStart | undefined {
    neededInteger('record', record, 0, Number.MAX_SAFE_INTEGER);
    return native().indexStart(this.#handle, record);
  }

  /**
   * Returns the offset of record number `record` in the uncompressed content, in bytes; undefined if it is not known.
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
   * Reads the records with the numbers `records`, from 0, in any order, and returns them as one batch in this order; `origin(i)`
   * of the batch returns the number and the offset of each. A number may occur twice. The numbers are copied before this
   * method returns. Waits for the end of the scan.
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
   * Resolves with the numbers of the records in which a value of the feature `keys` is `key`, in ascending order; `[]` if there
   * are none. Reads each of these records to check that it has the key. Waits for the end of the scan.
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
   * Iterates over the records from number `begin` to before `end`, in batches, at the speed of a reader. Several threads inflate
   * the parts of a compressed file between checkpoints. Arguments are those of `Array.prototype.slice`: a negative one counts
   * from the end. Waits for the end of the scan. Iterate to the end, or leave the loop, so that the file is closed.
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
   * Saves the index as `file`, a path or the URL of an object in a bucket, once the scan has ended. An older index is replaced.
   *
   * @throws TypeError if `file` is the source itself; TFRecordError TFR_STATE_MISMATCH if the source is neither a file nor an
   *   object, or has changed since the scan, TFR_CLOSED if `close()` ended the scan, Node's code if the index cannot be written
   *
   * @example
   * await index.save('train.tfrecord.tfindex');
   */
  async save(file: string | URL): Promise<void> {
    const path = pathOfIndex(file, 'file');
    await this.done;
    const source = await this.#source;
    const result = await this.#uses.run(() => saveIndex(this.#handle, this.#file, source, path, this.#uses.signal));
    if (result === 'incomplete') throw this.#uses.closedError();
  }

  /**
   * Writes the index as `file` in the format of another program, once the scan has ended: `indexed_gzip`, `gztool` and `bgzip`
   * for GZIP files (`bgzip` only for files that bgzip wrote), `tfrecord2idx` for plain ones. An older file is replaced.
   *
   * @throws TypeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH if the source has another compression, if damage
   *   hides its rest, or if it has changed since the scan, TFR_CLOSED after `close()`, Node's code if a file cannot be read or
   *   written
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
      await withRanges(async (source) =>
        writeIndex(path, write(this.#handle, source, totalBytes), identity, this.#uses.signal),
      );
      await identity?.check();
    });
  }

  /**
   * Ends the scan and all reads: a read under way gives its records, or rejects with TFR_CLOSED. Resolves when the source is no
   * longer read. Idempotent.
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
