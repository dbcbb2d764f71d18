/** Groups the files of a tar to samples: runs of files with the same key. */
import { placedError, TFRecordError, type Bytes } from '../../base';
import type { ChunkPull } from '../../io';
import { splitPath } from './names';
import { recordOf, twice } from './sample-record';
import { tarFiles, type TarFile } from './tar-files';

/** A sample, or an entry that belongs to none. */
export interface Sample {
  /** Undefined if samples are only counted. */
  readonly record: Bytes | TFRecordError | undefined;
}

export interface SampleOptions {
  /** The name of the tar in errors. */
  readonly file: string;
  /** Maximum size of the files of a sample, together. */
  readonly maxBytes: number;
  /** True: samples are only counted. */
  readonly counts: boolean;
}

/** Maximum number of files in a sample. */
const MAX_FILES = 65_536;

/**
 * Yields the samples in order. @throws TFRecordError at damage, after all samples that were complete before it; their
 * number is that of the damaged one
 */
export async function* samplesIn(pull: ChunkPull, options: SampleOptions): AsyncGenerator<Sample, void, undefined> {
  const { file, counts } = options;
  let run: Run | undefined;
  let number = 0;
  let strays: { readonly entry: TarFile; readonly found: string }[] = [];
  const flushed = function* (): Generator<Sample> {
    if (run !== undefined) yield { record: counts ? undefined : run.record(number++) };
    run = undefined;
    for (const { entry, found } of strays) {
      const { offset, path } = entry;
      yield { record: counts ? undefined : refusal(file, number++, offset, path, found) };
    }
    strays = [];
  };
  for await (const entry of tarFiles(pull, file)) {
    const split = splitPath(entry.path);
    if (typeof split === 'string') {
      // Entries of one name follow each other, so the files of a sample go on after this one.
      if (strays.length < MAX_FILES) strays.push({ entry, found: entry.refused ?? split });
      else yield* flushed();
      continue;
    }
    if (run?.key !== split.key) {
      yield* flushed();
      run = new Run(split.key, options, entry.offset);
    }
    await run.add(split.name, entry, counts);
  }
  yield* flushed();
}

/** The files of one sample. */
class Run {
  readonly key: string;
  readonly #options: SampleOptions;
  readonly #offset: number;
  readonly #files = new Map<string, Buffer<ArrayBuffer>>();
  #bytes = 0;
  /** The first fault, and where it is. */
  #fault: { readonly error: (number: number) => TFRecordError } | undefined;

  constructor(key: string, options: SampleOptions, offset: number) {
    this.key = key;
    this.#options = options;
    this.#offset = offset;
  }

  async add(name: string, entry: TarFile, counts: boolean): Promise<void> {
    if (counts || this.#fault !== undefined) return;
    const { file, maxBytes } = this.#options;
    const { offset, path, refused, size } = entry;
    this.#bytes += size;
    if (refused !== undefined) {
      this.#fault = { error: (number) => refusal(file, number, offset, path, refused) };
    } else if (this.#files.has(name)) {
      this.#fault = { error: (number) => placedError(twice(name), { file, record: number, offset, bytes: size }) };
    } else if (this.#bytes > maxBytes || this.#files.size >= MAX_FILES) {
      this.#fault = { error: (number) => tooLarge(file, number, offset, maxBytes, this.#bytes) };
    } else {
      this.#files.set(name, await entry.content());
      return;
    }
    this.#files.clear();
  }

  record(number: number): Bytes | TFRecordError {
    if (this.#fault !== undefined) return this.#fault.error(number);
    try {
      return recordOf(this.key, this.#files);
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
      return placedError(error, { file: this.#options.file, record: number, offset: this.#offset, bytes: 0 });
    }
  }
}

function refusal(file: string, record: number, offset: number, path: string, found: string): TFRecordError {
  const expected = 'a plain file called KEY.NAME';
  const message = `Sample ${record} of ${file}, at byte ${offset}, has the entry ${JSON.stringify(path)}: expected ${expected}, found ${found}.`;
  return new TFRecordError('TFR_DECODE', message, { file, record, offset, expected, found });
}

function tooLarge(file: string, record: number, offset: number, maxBytes: number, bytes: number): TFRecordError {
  const expected = `at most ${maxBytes} bytes in ${MAX_FILES} files`;
  const found = `${bytes} bytes or more files`;
  const message = `Sample ${record} of ${file}, at byte ${offset}, is too large: expected ${expected}, found ${found}.`;
  return new TFRecordError('TFR_RECORD_TOO_LARGE', message, { file, record, offset, expected, found });
}
