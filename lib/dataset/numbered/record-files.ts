/** The records of files, or of one source of ranges, by their numbers. */
import { createHash } from 'node:crypto';

import {
  firstIndex,
  fullPath,
  inParallel,
  invalidArgValue,
  isList,
  locate,
  objectScheme,
  onAbort,
  shownUrl,
  TFRecordError,
  type Origin,
} from '../../base';
import {
  classifySource,
  Identity,
  isRanged,
  lookAtInput,
  type ClassifiedSource,
  type ExpandedPath,
  type RecordSource,
} from '../../io';
import { loadBeside, partsOf, RecordIndex, type ErrorPolicy, type IndexedSource, type ReadOptions } from '../../record';
import type { NumberedRecords } from '../engine/numbered';
import { RAW } from '../engine/record-forms';
import { GatheredRecords, NeighbourRecords, Slab, type RecordElements } from '../engine/records';
import type { Run } from '../engine/run';
import { expandWhenPossible, sharedSource } from '../sources/file-sources';

/** Number of files that are scanned at a time. */
const SCANS = 4;

/** The error of a damaged record. */
export class RecordFault extends Error {
  /** Index of the record in the numbers that were to be read. */
  readonly index: number;
  readonly error: TFRecordError;

  constructor(index: number, error: TFRecordError) {
    super('a record is damaged', { cause: error });
    this.index = index;
    this.error = error;
  }
}

/** How records are read. */
export type IndexedReading = Pick<ReadOptions, 'compression' | 'verify' | 'maxRecordBytes'>;

/** A file to index. */
interface Found {
  readonly file: string;
  /** Tells it from other files, and from what it was before. */
  readonly key: string;
  readonly size: number;
  /** Says that it cannot be read. */
  readonly error?: TFRecordError | undefined;
  /** Loads the index that was saved beside it. Undefined: there is none. */
  readonly load?: (() => Promise<RecordIndex | undefined>) | undefined;
  readonly scan: () => RecordIndex;
}

/** A file, and where its records are. */
interface IndexedFile {
  readonly file: string;
  readonly size: number;
  readonly index: RecordIndex;
  /** Number of its first record among those of all files. */
  readonly first: number;
}

/**
 * The indexes of a source's files, loaded from beside them or scanned. A dataset keeps them, so that later epochs and iterations
 * need no scan.
 */
export class RecordFiles {
  readonly #source: RecordSource;
  readonly #reading: IndexedReading;
  /** Complete indexes by `Found.key`. */
  #known = new Map<string, RecordIndex>();

  /** True if any record of `source` can be read. Of paths, nobody knows before they are opened. */
  static canRead(source: RecordSource): boolean {
    const classified = classifySource(source);
    return classified.kind === 'paths' || isRanged(classified.source) || classified.source.known !== undefined;
  }

  constructor(source: RecordSource, { compression, verify, maxRecordBytes }: IndexedReading) {
    this.#source = source;
    this.#reading = { compression, verify, maxRecordBytes };
  }

  /**
   * Finds the records of all files, and scans those that are not known, until `signal` aborts. `policy` decides about files
   * that cannot be read, and about damage that hides the records after it.
   * @throws the error of these, if the policy says so
   */
  async open(run: Run, policy: ErrorPolicy, signal: AbortSignal): Promise<NumberedRecords> {
    const found = await this.#find(sharedSource(this.#source, run), run);
    const indexes = await this.#indexes(found, signal);
    const files: IndexedFile[] = [];
    let count = 0;
    for (const [i, { file, size }] of found.entries()) {
      const index = indexes[i];
      const error = index instanceof RecordIndex ? index.cut : index;
      if (index instanceof RecordIndex) {
        files.push({ file, size, index, first: count });
        count += index.records;
      }
      if (error !== undefined && policy.resolve(error) === 'stop') break;
    }
    return new FilesRecords(files, count, policy);
  }

  async #find(source: ClassifiedSource, run: Run): Promise<Found[]> {
    const reading = this.#reading;
    if (source.kind === 'bytes') {
      const known = (await source.source.known?.()) ?? source.source;
      const key = (await known.identity())?.key ?? '';
      const whole = this.#source;
      const scan = (): RecordIndex => {
        if (!isOne(whole)) throw new Error('a list of chunks is read in order only');
        return RecordIndex.scan(whole, reading);
      };
      return [{ file: known.name, key, size: known.size ?? 0, scan }];
    }
    const { folder } = run.scope;
    const paths = await expandWhenPossible(source.paths, run);
    const picked = source.pick?.(paths) ?? paths;
    const look = async ({ path, error }: ExpandedPath): Promise<Found> => {
      if (path === '-') {
        throw invalidArgValue('source', 'files: standard input cannot be read again, so it has no index', path);
      }
      const at = fullPath(path, folder);
      const named = locate(path, folder);
      const isObject = objectScheme(path) !== undefined;
      const scan = (): RecordIndex => RecordIndex.scan(named, reading);
      const load = isObject ? undefined : (): Promise<RecordIndex | undefined> => loadBeside(named, reading);
      const found = { file: shownUrl(path), key: at, size: 0, load, scan };
      if (error !== undefined) return { ...found, error };
      try {
        const identity = await (isObject ? lookAtInput(path, folder) : Identity.ofRegular(path, at));
        return identity === undefined ? found : { ...found, key: `${identity.key}:${at}`, size: identity.size };
      } catch (failure) {
        if (failure instanceof TFRecordError) return { ...found, error: failure };
        throw failure;
      }
    };
    const looks: Found[] = [];
    for (const path of picked) looks.push(await look(path));
    return looks;
  }

  /** Returns the index of each file, or the error that it cannot be read. Scans some files at a time. */
  async #indexes(found: readonly Found[], signal: AbortSignal): Promise<(RecordIndex | TFRecordError)[]> {
    const known = new Map<string, RecordIndex>();
    const results: (RecordIndex | TFRecordError)[] = [];
    await inParallel(found, SCANS, async ({ key, error, load, scan }, i) => {
      if (signal.aborted) return;
      const index = this.#known.get(key) ?? error ?? (await indexOf(load, scan, signal));
      if (signal.aborted) return;
      results[i] = index;
      if (index instanceof RecordIndex) known.set(key, index);
    });
    if (!signal.aborted) this.#known = known;
    return results;
  }
}

function isOne(source: RecordSource): source is IndexedSource {
  return !isList(source);
}

/** Returns the index of a source, or the error that it cannot be read. A scan ends when `signal` aborts. */
async function indexOf(
  load: Found['load'],
  scan: Found['scan'],
  signal: AbortSignal,
): Promise<RecordIndex | TFRecordError> {
  try {
    const loaded = await load?.();
    // The scan finds the error of damage that hides records.
    if (loaded?.isCut === false) return loaded;
    const index = scan();
    const forget = onAbort(signal, () => void index.close());
    try {
      await index.done;
      return index;
    } finally {
      forget();
    }
  } catch (error) {
    if (error instanceof TFRecordError) return error;
    throw error;
  }
}

/** The records of indexed files. */
class FilesRecords implements NumberedRecords {
  readonly count: number;
  readonly sum: string;
  readonly meanBytes: number;
  readonly policy: ErrorPolicy;
  readonly #files: readonly IndexedFile[];

  constructor(files: readonly IndexedFile[], count: number, policy: ErrorPolicy) {
    this.count = count;
    this.policy = policy;
    const known = files.map(({ file, size, index }) => [file, size, index.records]);
    // Six characters, because states are to be short.
    this.sum = createHash('sha256').update(JSON.stringify(known)).digest('base64url').slice(0, 6);
    this.meanBytes = files.reduce((sum, { size }) => sum + size, 0) / Math.max(1, count);
    this.#files = files.filter(({ index }) => index.records > 0);
  }

  async read(numbers: Float64Array): Promise<RecordElements> {
    const [first] = this.#files;
    if (this.#files.length === 1) return this.#readFile(first!, numbers, (i) => i);
    const parts = new Map<IndexedFile, { numbers: number[]; places: number[] }>();
    for (const [place, number] of numbers.entries()) {
      const file = this.#fileOf(number);
      const part = parts.get(file) ?? { numbers: [], places: [] };
      parts.set(file, part);
      part.numbers.push(number);
      part.places.push(place);
    }
    const slabs = new Array<Slab>(numbers.length);
    const frames = new Array<number>(numbers.length);
    const faults: RecordFault[] = [];
    await Promise.all(
      Array.from(parts, async ([file, { numbers: own, places }]) => {
        try {
          const records = await this.#readFile(file, Float64Array.from(own), (i) => places[i]!);
          for (const [i, place] of places.entries()) {
            slabs[place] = records.slab();
            frames[place] = records.frame(i);
          }
        } catch (error) {
          if (!(error instanceof RecordFault)) throw error;
          faults.push(error);
        }
      }),
    );
    const [fault] = faults.sort((a, b) => a.index - b.index);
    if (fault !== undefined) throw fault;
    return new GatheredRecords(RAW, slabs, frames);
  }

  /** Reads records of one file. Record i is number `placeOf(i)` of those that were asked for. */
  async #readFile(
    { file, index, first }: IndexedFile,
    numbers: Float64Array,
    placeOf: (i: number) => number,
  ): Promise<NeighbourRecords> {
    const own = first === 0 ? numbers : numbers.map((number) => number - first);
    try {
      const { source } = partsOf(await index.readBatch(own));
      const origins = (frame: number): Origin => ({ ...source.origins!(frame), file });
      return new NeighbourRecords(RAW, new Slab({ ...source, origins }), 0, own.length);
    } catch (error) {
      if (!(error instanceof TFRecordError) || error.record === undefined) throw error;
      throw new RecordFault(placeOf(own.indexOf(error.record)), error);
    }
  }

  #fileOf(number: number): IndexedFile {
    return this.#files[firstIndex(this.#files.length, (i) => this.#files[i]!.first > number) - 1]!;
  }
}
