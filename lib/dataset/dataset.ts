import { illegalConstructor, invalidArgType, invalidArgValue } from '../errors';
import type { Batch, Spec } from '../example';
import {
  checkBoolean,
  checkInteger,
  classifySource,
  READ_OPTION_NAMES,
  resolveReadOptions,
  type Bytes,
  type ReadOptions,
  type RecordBatch,
  type RecordSource,
} from '../record';
import type { Int64As } from '../tensor';
import { checkOptionsObject, checkReader } from './arguments';
import { checkDatasetCsvOptions, type CsvColumn, type CsvValue, type DatasetCsvOptions } from './csv-options';
import { DatasetStages } from './dataset-stages';
import type { Json } from './engine/operator';
import { Stage } from './engine/stage';
import { examplesOf, type ExamplesOptions, type Labeled } from './examples';
import { checkFixedLengthOptions, checkTextOptions, type FixedLengthOptions, type TextOptions } from './file-options';
import {
  checkChooseOptions,
  checkMixOptions,
  checkZipOptions,
  type ChooseOptions,
  type MixOptions,
  type ZipOptions,
} from './mixing';
import { CsvStage } from './sources/csv';
import { DefineStage, type FileNames, type SourceReader } from './sources/define';
import { FilesStage } from './sources/files';
import { FixedLengthStage } from './sources/fixed-length';
import { FromStage, type ElementSource } from './sources/from';
import { RangeStage } from './sources/range';
import { TextStage } from './sources/text';
import { TFRecordStage } from './sources/tfrecord';
import { ConcatenateStage } from './stages/concatenate';
import { ChooseFromStage, SampleFromStage } from './stages/mix';
import { ZipStage } from './stages/zip';

const MAX = Number.MAX_SAFE_INTEGER;

/** How to read the records of a dataset: {@link ReadOptions} without `signal`, which belongs to `iterate()`. */
export type DatasetReadOptions = Omit<ReadOptions, 'signal'>;

/** Of what is a dataset. */
let stageOf: (value: unknown) => Stage | undefined;

/** How to list files. Unknown names throw. */
export interface FilesOptions {
  /** Whether a file may be named twice. Default false: its records would come twice an epoch. */
  duplicates?: boolean | undefined;
}

/** The elements of the parts of a `zip`. */
export type Zipped<D> = { -readonly [K in keyof D]: D[K] extends Dataset<infer T, unknown> ? T : never };

/**
 * An input pipeline: elements of type `T`, and what a batch of them is. A value that is never changed, may be shared, and
 * can be iterated any number of times, also at once.
 *
 * @example
 * const train = Dataset.files('train-*.tfrecord')
 *   .shuffle('full', { seed: 42 })
 *   .interleave((file) => Dataset.tfrecord(file), { cycleLength: 8 })
 *   .shuffle(10_000)
 *   .parse(spec)
 *   .batch(256);
 * for await (const batch of train) ...
 */
export class Dataset<T, B = T[]> extends DatasetStages<T, B> {
  /** @internal */
  protected readonly stage: Stage;

  /** @internal */
  constructor(stage: Stage) {
    super();
    if (!(stage instanceof Stage)) throw illegalConstructor('Dataset.tfrecord(), Dataset.from() ...');
    this.stage = stage;
  }

  /** The records of files, as bytes, one file after the other: paths, patterns, `name@N`, lists, bytes. */
  static tfrecord(source: RecordSource, options?: DatasetReadOptions): Dataset<Bytes, RecordBatch> {
    const given = checkOptionsObject<ReadOptions>('tfrecord', options, READ_OPTION_NAMES);
    if ('signal' in given) throw invalidArgType('options.signal', 'an option of iterate()', given.signal);
    resolveReadOptions(given);
    classifySource(source);
    return new Dataset(new TFRecordStage(source, given));
  }

  /** The paths that patterns mean, in the order of their bytes. None is ENOENT, when they are iterated. */
  static files(pattern: string | URL | readonly (string | URL)[], options?: FilesOptions): Dataset<string> {
    const { duplicates } = checkOptionsObject('files', options, ['duplicates']);
    return new Dataset(new FilesStage(pattern, checkBoolean('options.duplicates', duplicates, false)));
  }

  /**
   * Batches of the Examples in files, shuffled, for ever: what `files`, `shuffle('full')`, `interleave`, `shuffle`, `repeat`,
   * `parse` and `batch` make in this order (`tf.data.experimental.make_batched_features_dataset`). With `label` each is a
   * pair of the features and the label.
   *
   * @example
   * const train = Dataset.examples('train-*.tfrecord', spec, { batch: 256, epochs: 3, label: 'price' });
   * for await (const [features, price] of train) ...
   */
  static examples<S extends Spec, const L extends keyof S & string, I extends Int64As = 'bigint'>(
    pattern: string | URL | readonly (string | URL)[],
    spec: S,
    options: ExamplesOptions<I> & { label: L },
  ): Dataset<Labeled<S, L, I>>;
  static examples<S extends Spec, I extends Int64As = 'bigint'>(
    pattern: string | URL | readonly (string | URL)[],
    spec: S,
    options: ExamplesOptions<I> & { label?: undefined },
  ): Dataset<Batch<S, I>>;
  static examples(
    pattern: string | URL | readonly (string | URL)[],
    spec: Spec,
    options: ExamplesOptions,
  ): Dataset<unknown, unknown> {
    return examplesOf(Dataset.files(pattern), (file) => Dataset.tfrecord(file), spec, options);
  }

  /**
   * The lines of files, without their ends (LF or CRLF), one file after the other; a byte order mark is none of them.
   * Sources are those of {@link Dataset.tfrecord}. The `record` of an origin is the number of the line in its file, from 0.
   */
  static text(source: RecordSource, options?: TextOptions): Dataset<string> {
    return new Dataset(new TextStage(source, checkTextOptions(options)));
  }

  /**
   * The records of files that are `recordBytes` long each, as views over large chunks. What is left of a file that is not
   * a whole record is TFR_TRUNCATED, behind the records before it.
   */
  static fixedLength(
    source: RecordSource,
    recordBytes: number,
    options?: FixedLengthOptions,
  ): Dataset<Bytes, RecordBatch> {
    return new Dataset(new FixedLengthStage(source, checkFixedLengthOptions(recordBytes, options)));
  }

  /**
   * The rows of files of comma-separated values, as objects, by the rules of `decodeCsv`; quoted fields may hold line ends.
   * What cannot be decoded is TFR_DECODE, with the record, the field and its name; `skip` loses that record alone.
   *
   * @example
   * Dataset.csv('sales-*.csv', { columns: { city: '', price: 0, count: { dtype: 'int32' } } });
   */
  static csv<const C extends Readonly<Record<string, CsvColumn>>>(
    source: RecordSource,
    options: DatasetCsvOptions<C>,
  ): Dataset<{ -readonly [K in keyof C]: CsvValue<C[K]> }> {
    const { compression, stage } = checkDatasetCsvOptions(options);
    return new Dataset(new CsvStage(source, compression, stage));
  }

  /**
   * What a reader of your own reads of files: it opens a file, reads a record at a time, and closes it. Paths, patterns and
   * lists are those of {@link Dataset.tfrecord}.
   *
   * @example
   * const blocks = Dataset.define('*.blk', {
   *   open: (file) => open(file),
   *   async read(handle) {
   *     const { bytesRead, buffer } = await handle.read(Buffer.alloc(512), 0, 512);
   *     return bytesRead === 0 ? undefined : { value: buffer.subarray(0, bytesRead) };
   *   },
   *   close: (handle) => handle.close(),
   * });
   */
  static define<T, H, S extends Json = Json>(files: FileNames, reader: SourceReader<T, H, S>): Dataset<T> {
    checkReader(reader);
    return new Dataset(new DefineStage(files, reader));
  }

  /** The elements of an iterable; of a function, one for each pass. An iterator that can be used once serves one pass. */
  static from<T>(source: Iterable<T> | AsyncIterable<T> | (() => Iterable<T> | AsyncIterable<T>)): Dataset<Awaited<T>> {
    const iterable =
      typeof source === 'function' ||
      (typeof source === 'object' && source !== null && (Symbol.iterator in source || Symbol.asyncIterator in source));
    if (!iterable) throw invalidArgType('source', 'an iterable, or a function that returns one', source);
    return new Dataset(new FromStage(source as ElementSource));
  }

  /** The numbers from 0 to before `stop`; or from `start`, by `step`. */
  static range(first: number, second?: number, step?: number): Dataset<number> {
    const [start, stop] = second === undefined ? [0, first] : [first, second];
    checkInteger(second === undefined ? 'stop' : 'start', start, -MAX, MAX, 0);
    if (checkInteger('stop', stop, -MAX, MAX, undefined) === undefined) throw invalidArgType('stop', 'a number', stop);
    const by = checkInteger('step', step, -MAX, MAX, 1);
    if (by === 0) throw invalidArgType('step', 'a number other than 0', step);
    return new Dataset(new RangeStage(start, stop, by));
  }

  /**
   * The elements of several datasets side by side: arrays for an array of datasets, objects for an object of them. Ends
   * with the shortest, and closes the others. The origin is that of the first part that has one; `origins` has all.
   */
  static zip<
    const D extends readonly Dataset<unknown, unknown>[] | Readonly<Record<string, Dataset<unknown, unknown>>>,
  >(parts: D, options?: ZipOptions): Dataset<Zipped<D>> {
    if (stageOf(parts) !== undefined) {
      throw invalidArgType('parts', 'an array or an object of Datasets: Dataset.zip([a, b])', parts);
    }
    const named = typeof parts === 'object' && parts !== null && !Array.isArray(parts);
    const names = named ? Object.keys(parts) : undefined;
    const stages = stagesOf('parts', named ? Object.values(parts) : parts);
    return new Dataset(new ZipStage(stages, { names, equal: checkZipOptions(options) }));
  }

  /** Elements of several datasets, each of a part that is drawn by weight. A part that is empty is an error unless `drop`. */
  static sampleFrom<T, B>(parts: readonly Dataset<T, B>[], options?: MixOptions): Dataset<T, B> {
    const stages = stagesOf('parts', parts);
    return new Dataset(new SampleFromStage(stages, checkMixOptions(options, stages.length)));
  }

  /**
   * Elements of several datasets, each of the part whose number, from 0, is the next of `choice`. Ends with `choice`. A part
   * that is empty is an error unless `drop`.
   */
  static chooseFrom<T, B>(
    parts: readonly Dataset<T, B>[],
    choice: Dataset<number, unknown> | Dataset<bigint, unknown>,
    options?: ChooseOptions,
  ): Dataset<T, B> {
    const numbers = stageOf(choice);
    if (numbers === undefined) throw invalidArgType('choice', 'a Dataset of numbers', choice);
    return new Dataset(new ChooseFromStage(stagesOf('parts', parts), numbers, checkChooseOptions(options)));
  }

  /** The elements of this one, then those of `others`. */
  concatenate(...others: readonly Dataset<T, B>[]): Dataset<T, B> {
    const stages = others.map((other: unknown) => {
      const stage = this.stageOf(other);
      if (stage === undefined) throw invalidArgType('others', 'Datasets', other);
      return stage;
    });
    return new Dataset(new ConcatenateStage([this.stage, ...stages]));
  }

  /** @internal */
  protected derive<U, V>(stage: Stage): Dataset<U, V> {
    return new Dataset<U, V>(stage);
  }

  /** @internal */
  protected stageOf(value: unknown): Stage | undefined {
    return stageOf(value);
  }

  static {
    stageOf = (value) => (value instanceof Dataset ? value.stage : undefined);
  }
}

/** The stages of the datasets in `value`, of which there is one or more. */
function stagesOf(name: string, value: unknown): Stage[] {
  if (!Array.isArray(value)) throw invalidArgType(name, 'an array of Datasets', value);
  if (value.length === 0) throw invalidArgValue(name, 'of at least one Dataset', value);
  return Array.from(value as unknown[], (part, i) => {
    const stage = stageOf(part);
    if (stage === undefined) throw invalidArgType(`${name}[${i}]`, 'a Dataset', part);
    return stage;
  });
}
