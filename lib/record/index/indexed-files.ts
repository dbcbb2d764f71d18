import {
  type Bytes,
  type Origin,
  checkCallback,
  checkOptions,
  firstIndex,
  fullPath,
  illegalConstructor,
  inParallel,
  invalidArgValue,
  neededInteger,
  workingFolder,
} from '../../base';
import { expandPath, readableSource } from '../../io';
import { newBatch, partsOf, type RecordBatch } from '../batch/record-batch';
import { FilesProgress, sizesOf } from './files-progress';
import { checkNumbers, copyNumbers, joinRecords, type RecordNumbers } from './gather-records';
import type { RecordKey } from './index-keys';
import { sliceRange, type SliceOptions } from './index-slice';
import { OPEN_OPTION_NAMES, openIndexed, type OpenIndexedOptions } from './open-indexed';
import type { RecordIndex } from './record-index';

/** Options of {@link openIndexedFiles}: those of {@link openIndexed}, for each file. `onProgress` reports all files together. */
export type IndexedFilesOptions = Omit<OpenIndexedOptions, 'indexFile'>;

/** Files that are scanned side by side. */
const AT_ONCE = 4;

/** Only this file makes objects. */
const CREATED = Symbol('created');
let create: (indexes: readonly RecordIndex[]) => IndexedFiles;

/**
 * Opens the files that `source` names, to read any of their records: a path, a URL, a pattern (`train-*.tfrecord`), a set of
 * shards (`train@8`) or a list of these. Each file has an index of its own, as {@link openIndexed} opens it; four are scanned at a
 * time. Close the result after use, with `close()` or `await using`.
 *
 * @throws TypeError for wrong arguments; what {@link openIndexed} throws for the first file that fails
 *
 * @example
 * await using files = await openIndexedFiles('train-*.tfrecord', { save: true });
 * console.log(files.records, await files.at(12_345));
 */
export async function openIndexedFiles(
  source: string | URL | readonly (string | URL)[],
  options?: IndexedFilesOptions,
): Promise<IndexedFiles> {
  const names = OPEN_OPTION_NAMES.filter((name) => name !== 'indexFile');
  const { onProgress, ...given } = checkOptions<IndexedFilesOptions>(options, names);
  checkCallback('options.onProgress', onProgress);
  const paths = await pathsOf(source);
  const progress = onProgress && new FilesProgress(await sizesOf(paths), onProgress);
  const indexes: RecordIndex[] = [];
  try {
    await inParallel(paths, AT_ONCE, async (path, at) => {
      const index = await openIndexed(path, { ...given, onProgress: progress?.of(at) });
      indexes[at] = index;
      progress?.opened(at, index.progress);
    });
    progress?.complete();
  } catch (error) {
    await Promise.all(indexes.map((index) => index.close()));
    throw error;
  }
  return create(indexes);
}

async function pathsOf(source: string | URL | readonly (string | URL)[]): Promise<string[]> {
  const classified = readableSource(source);
  if (classified.kind !== 'paths') throw invalidArgValue('source', 'a path, a pattern, or a list of these', source);
  const folder = workingFolder();
  const paths: string[] = [];
  for (const name of classified.paths) {
    for (const { path, error } of await expandPath(name, undefined, folder)) {
      if (error !== undefined) throw error;
      paths.push(folder === undefined ? path : fullPath(path, folder));
    }
  }
  return paths;
}

/**
 * The records of several files, in the order of the files. Their numbers continue from one file to the next.
 *
 * @example
 * await using files = await openIndexedFiles('train-*.tfrecord');
 * console.log(files.records, await files.at(-1));
 */
export class IndexedFiles implements AsyncDisposable {
  /** The index of each file. */
  readonly indexes: readonly RecordIndex[];
  /** Number of records in all files. */
  readonly records: number;
  /** The number of the first record of each file. */
  readonly #firsts: readonly number[];

  static {
    create = (indexes) => new IndexedFiles(indexes, CREATED);
  }

  private constructor(indexes: readonly RecordIndex[], token: typeof CREATED) {
    if (token !== CREATED) throw illegalConstructor('openIndexedFiles()');
    this.indexes = indexes;
    let records = 0;
    this.#firsts = indexes.map((index) => {
      const first = records;
      records += index.records;
      return first;
    });
    this.records = records;
  }

  /**
   * Reads the record at `index`; a negative index counts from the end. Resolves with undefined if there is none.
   *
   * @throws as {@link RecordIndex.at}
   *
   * @example
   * const last = await files.at(-1);
   */
  async at(index: number): Promise<Bytes | undefined> {
    neededInteger('index', index, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const record = index < 0 ? index + this.records : index;
    if (record < 0 || record >= this.records) return undefined;
    const file = this.#fileOf(record);
    return this.indexes[file]!.at(record - this.#firsts[file]!);
  }

  /**
   * Reads the records with the numbers `records`, in any order, and returns them as one batch in this order. Several files are
   * read at the same time.
   *
   * @throws as {@link RecordIndex.readBatch}
   *
   * @example
   * const batch = await files.readBatch([5, 120_000, 7]);
   */
  async readBatch(records: RecordNumbers): Promise<RecordBatch> {
    const numbers = checkNumbers(copyNumbers(records), this.records);
    const wanted = new Map<number, number[]>();
    const places = Array.from(numbers, (record) => {
      const file = this.#fileOf(record);
      const own = wanted.get(file) ?? [];
      wanted.set(file, own);
      return { file, at: own.push(record - this.#firsts[file]!) - 1 };
    });
    const batches = new Map<number, RecordBatch>();
    const reading = Array.from(wanted, async ([file, own]) => {
      batches.set(file, await this.indexes[file]!.readBatch(own));
    });
    // None may go on in the background when this rejects.
    await Promise.allSettled(reading);
    await Promise.all(reading);
    const name = this.indexes[0]?.file ?? '';
    const joined = joinRecords(
      places.map(({ file, at }) => batches.get(file)!.at(at)!),
      name,
    );
    if (joined.length === 0) return joined;
    // The batches go, with their slabs; their origins stay.
    const placed = new Map(Array.from(batches, ([file, batch]) => [file, partsOf(batch).source.origins!]));
    const origins = (frame: number): Origin => placed.get(places[frame]!.file)!(places[frame]!.at);
    return newBatch({ ...partsOf(joined).source, origins }, 0, joined.length);
  }

  /**
   * Iterates over the records from number `begin` to before `end`, in batches, each of one file.
   *
   * @throws as {@link RecordIndex.slice}
   *
   * @example
   * for await (const batch of files.slice(-1000)) console.log(batch.length, batch.origin(0)?.file);
   */
  async *slice(begin?: number, end?: number, options?: SliceOptions): AsyncGenerator<RecordBatch, void, undefined> {
    const { first, last } = sliceRange(begin, end, this.records);
    for (const [file, index] of this.indexes.entries()) {
      const from = this.#firsts[file]!;
      if (from >= last || from + index.records <= first) continue;
      yield* index.slice(Math.max(first - from, 0), last - from, options);
    }
  }

  /**
   * Resolves with the numbers of the records in which a value of the feature `keys` is `key`, in ascending order.
   *
   * @throws as {@link RecordIndex.find}
   *
   * @example
   * const [record] = await files.find('images/0017.png');
   */
  async find(key: RecordKey): Promise<number[]> {
    const found = await Promise.all(this.indexes.map((index) => index.find(key)));
    return found.flatMap((records, file) => records.map((record) => record + this.#firsts[file]!));
  }

  /**
   * Closes the indexes of all files. Idempotent.
   *
   * @example
   * await files.close();
   */
  async close(): Promise<void> {
    await Promise.all(this.indexes.map((index) => index.close()));
  }

  /** The same as {@link IndexedFiles.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the number of the file that has the record with number `record`, which must exist. */
  #fileOf(record: number): number {
    return firstIndex(this.#firsts.length, (file) => this.#firsts[file]! > record) - 1;
  }
}
