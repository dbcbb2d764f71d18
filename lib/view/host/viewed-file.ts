import { stat } from 'node:fs/promises';
import { basename } from 'node:path';

import { TFRecordError, type CompressionOption, isObject, objectScheme, shownUrl } from '../../base';
import { isEventFile } from '../../events';
import { Identity } from '../../io';
import { RecordIndex, type PlacedRecord, type ReadOptions } from '../../record';
import type { FileState, RecordTree, Row, ValuePlace } from '../protocol';
import type { DecodedRecord } from './decoded-record';
import { notThere, problemOf } from './problem';
import { rowOf } from './rows';
import { treeOf } from './tree';
import type { Turns } from './turns';

/** Options for reading the files. */
export interface FileOptions {
  /** The compression. Default: detected for each file. */
  readonly compression?: CompressionOption | undefined;
  /**
   * The checksums to check, as for `readRecords`: `none` reads files whose checksums are wrong on purpose. Default:
   * `all`.
   */
  readonly verify?: ReadOptions['verify'];
  /** Maximum length of a record; longer ones are faults. Default: that of `readRecords`. */
  readonly maxRecordBytes?: number | undefined;
}

/** Maximum bytes of records that are converted to rows together; a longer record is alone. */
const ROWS_BYTES = 8 * 2 ** 20;
/** Content that is inflated for a jump, at most: a row must come at once. */
const CHECKPOINT_BYTES = 2 ** 20;

/** A file that pages can request records of. */
export class ViewedFile {
  readonly options: FileOptions;
  #places: RecordIndex | undefined;
  /** Identity of the file when its records were first asked for: pages keep some of those records. */
  #identity: Promise<Identity | undefined> | undefined;
  #size: number | null = null;
  #readings = 0;
  #problem: Error | undefined;
  /** The record that was decoded last, if it belongs to this reading: a page probably requests its values next. */
  #last: { readonly record: number; readonly decoded: DecodedRecord } | undefined;
  readonly #changed: () => void;
  /** Callbacks that wait for more records. */
  readonly #waiting: (() => void)[] = [];

  /** @param changed called after `state()` has changed */
  constructor(
    readonly path: string,
    readonly index: number,
    options: FileOptions,
    changed: () => void,
  ) {
    this.options = options;
    this.#changed = changed;
    this.#measure();
  }

  state(): FileState {
    const places = this.#places;
    const progress = places?.progress;
    // If no record was found, the first fault is the problem of the file.
    const unread = progress?.complete === true && progress.records === 0 ? places?.faults[0] : undefined;
    const problem = this.#problem ?? unread;
    return {
      file: this.index,
      name: shownUrl(this.path),
      // The scan tells the size of an object: to ask for it would be one request for each of a long list.
      size: this.#size ?? (this.#isObject ? progress?.totalBytes : undefined) ?? null,
      opened: places !== undefined,
      records: progress?.records ?? 0,
      readBytes: progress?.compressedBytes ?? 0,
      complete: progress?.complete ?? false,
      faults: places?.faults.length ?? 0,
      reading: this.#readings,
      problem: problem === undefined ? null : problemOf(problem),
      isLog: isEventFile(basename(this.path)),
    };
  }

  /** Returns the options for reading the whole file. */
  reading(signal: AbortSignal, onError: ReadOptions['onError']): ReadOptions {
    return { ...this.options, signal, onError };
  }

  /** Yields the rows of the records with the numbers `records`, in that order. */
  async *rows(records: readonly number[], turns: Turns, signal: AbortSignal): AsyncGenerator<Row[], null> {
    for (let at = 0; at < records.length;) {
      const first = records[at]!;
      let count = 1;
      while (at + count < records.length && records[at + count] === first + count) count++;
      const places = await this.#known(first, signal);
      // Rows that wait for a credit must not keep records in memory.
      const rows = await turns.run(signal, async () =>
        (await this.#readFrom(places, first, count, { signal, maxBytes: ROWS_BYTES })).map(rowOf),
      );
      if (rows.length === 0) {
        at += count;
        continue;
      }
      yield rows;
      at += rows.length;
    }
    return null;
  }

  /** Reads one record. @throws TFRecordError ERR_OUT_OF_RANGE if it does not exist */
  async placed(record: number, signal: AbortSignal): Promise<PlacedRecord> {
    return this.#read(await this.#known(record, signal), record, signal);
  }

  /** Returns the tree of one record. @throws TFRecordError ERR_OUT_OF_RANGE if it does not exist */
  async tree(record: number, turns: Turns, signal: AbortSignal): Promise<RecordTree> {
    const places = await this.#known(record, signal);
    return turns.run(signal, async () => {
      const { tree, decoded } = treeOf(await this.#read(places, record, signal));
      this.#last = decoded && { record, decoded };
      return tree;
    });
  }

  /** Returns the bytes of a value. @throws TFRecordError ERR_OUT_OF_RANGE if `place` has none */
  async value(record: number, place: ValuePlace, turns: Turns, signal: AbortSignal): Promise<Uint8Array> {
    const places = await this.#known(record, signal);
    return turns.run(signal, async () => {
      if (place.section === 'raw') return (await this.#read(places, record, signal)).data;
      // The last decoded record may belong to a file that was replaced since.
      await this.check();
      let last = this.#last;
      if (last?.record !== record) {
        const { decoded } = treeOf(await this.#read(places, record, signal));
        last = decoded && { record, decoded };
        this.#last = last;
      }
      const value = last?.decoded.bytesAt(place);
      if (value === undefined) throw notThere(`Record ${record} has no such value.`, record);
      return value;
    });
  }

  /** Closes the record index. It is built again at the next request for records. */
  async close(): Promise<void> {
    const places = this.#places;
    this.#places = undefined;
    this.#last = undefined;
    await places?.close();
  }

  /**
   * Checks that the file is the one of the first request for its records. @throws the difference, or the error of the
   * file
   */
  async check(): Promise<void> {
    const identity = this.#identity;
    try {
      await (await identity)?.check();
    } catch (error) {
      if (this.#identity === identity && isOfFile(error)) this.#fail(error);
      throw error;
    }
  }

  /**
   * Checks the file like `check`. Resolves to a function that checks it again, and also throws TFR_STATE_MISMATCH if
   * `forget` was called meanwhile.
   */
  async watch(): Promise<() => Promise<void>> {
    const reading = this.#readings;
    this.#identify();
    const check = async (): Promise<void> => {
      await this.check();
      if (this.#readings !== reading) throw this.#readAgain();
    };
    await check();
    return check;
  }

  /** Closes the file, and forgets its identity and its problem. */
  async forget(): Promise<null> {
    // Set before the first `await`, so that pending work belongs to the earlier reading.
    this.#readings++;
    this.#identity = undefined;
    this.#problem = undefined;
    await this.close();
    this.#measure();
    this.#changed();
    return null;
  }

  /** True if the record index is open. */
  get opened(): boolean {
    return this.#places !== undefined;
  }

  async #read(places: RecordIndex, record: number, signal: AbortSignal): Promise<PlacedRecord> {
    const [placed] = await this.#readFrom(places, record, 1, { signal });
    if (placed === undefined) throw this.#noRecord(record, places.progress.records);
    return placed;
  }

  #noRecord(record: number, count: number): TFRecordError {
    const numbers =
      count === 1 ? 'its only record has the number 0' : `its ${count} records have the numbers 0 to ${count - 1}`;
    return notThere(
      `${basename(shownUrl(this.path))} has no record ${record}: ${count === 0 ? 'it has no records' : numbers}.`,
      record,
    );
  }

  /**
   * @throws TFRecordError TFR_STATE_MISMATCH if the file was forgotten, or closed to make room for others, after `places`
   *   were opened
   */
  async #readFrom(
    places: RecordIndex,
    first: number,
    count: number,
    range: { readonly signal: AbortSignal; readonly maxBytes?: number },
  ): Promise<PlacedRecord[]> {
    const reading = this.#readings;
    await this.check();
    try {
      const found = await places.read(first, count, range);
      if (this.#readings === reading) return found;
    } catch (error) {
      range.signal.throwIfAborted();
      if (this.#places === places) {
        if (isOfFile(error)) this.#fail(error);
        throw error;
      }
    }
    throw this.#problem ?? this.#readAgain();
  }

  #readAgain(): TFRecordError {
    return new TFRecordError('TFR_STATE_MISMATCH', `${this.state().name} is being read again. Ask again.`, {
      file: this.state().name,
    });
  }

  /**
   * Closes the record index after an error. Requests fail until the file is forgotten, so that old and new records are
   * not mixed.
   */
  #fail(error: unknown): void {
    void this.close();
    this.#problem = error as Error;
    this.#changed();
  }

  /** Resolves to the record index after `record`, or all records, were found. @throws the error of reading the file */
  async #known(record: number, signal: AbortSignal): Promise<RecordIndex> {
    const places = this.#open();
    // A closed index finds no more records; reading from it reports that.
    while (places.progress.records <= record && !places.progress.complete && this.#places === places) {
      signal.throwIfAborted();
      await Promise.race([places.done, new Promise<void>((resolve) => this.#waiting.push(resolve))]);
    }
    return places;
  }

  get #isObject(): boolean {
    return objectScheme(this.path) !== undefined;
  }

  #identify(): void {
    // Each range of an object is checked when it is read.
    this.#identity ??= this.#isObject ? Promise.resolve(undefined) : Identity.ofRegular(this.path, this.path);
    this.#identity.catch(() => undefined);
  }

  #measure(): void {
    if (this.#isObject) return;
    stat(this.path).then(
      ({ size }) => {
        this.#size = size;
        this.#changed();
      },
      () => undefined,
    );
  }

  #open(): RecordIndex {
    if (this.#places !== undefined) return this.#places;
    if (this.#problem !== undefined) throw this.#problem;
    this.#identify();
    const onProgress = (): void => {
      for (const resume of this.#waiting.splice(0)) resume();
      this.#changed();
    };
    const places = RecordIndex.scan(this.path, { ...this.options, checkpointBytes: CHECKPOINT_BYTES, onProgress });
    this.#places = places;
    places.done.then(this.#changed, (error: unknown) => {
      if (this.#places !== places || (error instanceof TFRecordError && error.code === 'TFR_CLOSED')) return;
      this.#problem = error as Error;
      this.#changed();
    });
    this.#changed();
    return places;
  }
}

/** Codes of errors that concern a shortage in this process, not the file. */
const SHORTAGES: ReadonlySet<string> = new Set(['ENOMEM', 'EMFILE', 'ENFILE', 'EAGAIN']);

/** True for an error of the whole file: it has changed, or the system cannot read it. */
function isOfFile(error: unknown): boolean {
  const { code, errno } = isObject(error) ? error : {};
  return code === 'TFR_STATE_MISMATCH' || (errno !== undefined && !SHORTAGES.has(String(code)));
}
