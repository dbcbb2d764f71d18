import type { ReadableStream } from 'node:stream/web';
import { inspect } from 'node:util';

import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkSignal,
  illegalConstructor,
  invalidArgType,
  invalidArgValue,
  isInstance,
  isList,
  isObject,
  isRevoked,
  type Bytes,
  type InspectArguments,
} from '../base';
import type {
  Batch,
  ContextSpec,
  Element,
  NoFeatures,
  SequenceBatch,
  SequenceFeatures,
  SequenceRow,
  SequenceSpec,
  Spec,
} from '../example';
import { type RecordSource } from '../io';
import { type OnError, type RecordBatch } from '../record';
import type { BytesAs, Int64As } from '../tensor';
import { checkFunction } from './arguments';
import type { ElementContext } from './engine/element-context';
import { START, type Json } from './engine/operator';
import { Stage } from './engine/stage';
import { EXAMPLES_OPTIONS, examplesPlan, labeled, type Labeled } from './examples';
import { explainStages } from './iterate/graph';
import { Iteration } from './iterate/iteration';
import { resume, type DatasetState } from './iterate/state';
import { ChunkSteps, ElementSteps, RunSteps, type DatasetIterator, type DatasetSteps } from './iterate/steps';
import { writeShards, type DatasetWriteOptions, type DatasetWriteReport } from './iterate/write-shards';
import type { BucketOptions, PaddedBatch, PadOptions } from './padding/pad-options';
import { systemSeed, type Seed } from './random';
import { CsvStage, type CsvColumn, type CsvValue, type DatasetCsvOptions } from './sources/csv';
import { DefineStage, type FileNames } from './sources/define';
import type { SourceReader } from './sources/defined-file';
import { FilesStage, type FilesOptions } from './sources/files';
import { FixedLengthStage, type FixedLengthOptions } from './sources/fixed-length';
import { FromStage } from './sources/from';
import { RangeStage } from './sources/range';
import { TextStage, type TextOptions } from './sources/text';
import { TFRecordStage, type DatasetReadOptions } from './sources/tfrecord';
import { BatchStage, type DatasetBatchOptions } from './stages/batch';
import { BucketByLengthStage } from './stages/bucket-by-length';
import { cacheOf } from './stages/cache';
import { ConcatenateStage } from './stages/concatenate';
import { EnumerateStage } from './stages/enumerate';
import { FilterStage } from './stages/filter';
import { FlatMapStage } from './stages/flat-map';
import { InterleaveStage, type InterleaveOptions } from './stages/interleave/interleave';
import { MapWorkerStage, type MapWorkerOptions } from './stages/map-worker';
import { MapStage, type CallOptions, type MapOptions } from './stages/map/map';
import { ChooseFromStage, SampleFromStage, type ChooseOptions, type MixOptions } from './stages/mix/mix';
import { OnErrorStage } from './stages/on-error';
import { PaddedBatchStage } from './stages/padded-batch';
import { ParseStage, type DatasetParseOptions } from './stages/parse';
import { PrefetchStage, type PrefetchOptions } from './stages/prefetch';
import { RebatchStage } from './stages/rebatch';
import { RejectionResampleStage, type ResampleOptions } from './stages/rejection-resample';
import { RepeatStage } from './stages/repeat';
import { SeedStage } from './stages/seed';
import { ShardStage, type DatasetShardOptions } from './stages/shard';
import { shuffleOf, type ShuffleBlocks, type ShuffleOptions } from './stages/shuffle/shuffle';
import { SkipStage } from './stages/skip';
import { TakeStage } from './stages/take';
import { TakeWhileStage } from './stages/take-while';
import { UnbatchStage, type Unbatched } from './stages/unbatch';
import { WindowStage, type WindowOptions } from './stages/window';
import { ZipStage, type ZipOptions } from './stages/zip';

/** Options of {@link Dataset.iterate}. Unknown names throw. */
export interface IterateOptions {
  /** Aborting it rejects the pending or next step with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Resumes after the element that was the last one when `state()` was called. Not with `epoch`. */
  state?: DatasetState | undefined;
  /** Number of the first epoch, from 0: random stages draw as in that epoch. Default 0. */
  epoch?: number | undefined;
  /**
   * Bytes that all stages together may hold ahead of use: chunks that sources read ahead, datasets opened ahead,
   * prefetched elements, results of parallel calls. At the limit, stages stop running ahead. The elements do not depend
   * on it. Shuffle buffers, batches and caches are not counted. 1 or more; default 256 MiB.
   */
  bytes?: number | undefined;
  /**
   * If true, a batch of parsed columns, a raw record of `tfrecord`, a batch of them, or a chunk of these, is valid until the
   * next step only: the next one reuses its memory without waiting for the garbage collector, so arrays over that memory,
   * and tensors made from it, then show other values. The rules are those for `transient` of `readExamples` and
   * `readRecords`. Elements stay valid where a stage of the dataset may keep them, such as `map`, or a `shuffle` of single
   * records. Default false.
   */
  transient?: boolean | undefined;
}

/** Options of `Dataset.examples`. Unknown names throw. */
export interface ExamplesOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs> {
  /** Number of Examples in a batch. */
  batch: number;
  /**
   * Size of the shuffle buffer, in Examples; the list of files is shuffled in full. `true` means 10,000; `false` keeps
   * the order of the files and of their Examples. Default true.
   */
  shuffle?: boolean | number | undefined;
  /** The seed of all shuffles. Default: the seed of the dataset. */
  seed?: Seed | undefined;
  /** Number of passes over the files. Default: no limit. A batch may hold Examples of two passes. */
  epochs?: number | undefined;
  /** Name of the feature that is the label: each element is then a pair, the other features and this one. */
  label?: string | undefined;
  /** Drops the last batch if it is not full. Default false. */
  dropRemainder?: boolean | undefined;
  /** Number of files that are read in turn. Default: 16; without a shuffle 1, one file after the other. */
  cycleLength?: number | undefined;
  /**
   * If false, the next Example is read from whichever file is ready, in any order, and a state is not exact. Default
   * true.
   */
  ordered?: boolean | undefined;
  /** Returns the dataset of one file. Default `Dataset.tfrecord(file)`. */
  reader?: ((file: string) => Dataset<Uint8Array, unknown>) | undefined;
  /**
   * Type of int64 values: `bigint`, or `number`; a value that a number cannot hold exactly is TFR_FEATURE. Default
   * `bigint`.
   */
  int64?: I | undefined;
  /**
   * Type of bytes values: `bytes`, or `text` for strings; a value that is not UTF-8 is then TFR_FEATURE. Default
   * `bytes`.
   */
  bytes?: B | undefined;
  /** Policy for damaged files and records. Default `throw`. */
  onError?: OnError | undefined;
}

/** The values that the function of `flatMap` may return: the elements of one input. */
export type FlatMapResult<U> = Iterable<U> | AsyncIterable<U> | Dataset<U, unknown>;

/** Options of {@link Dataset.chunks}. Unknown names throw. */
export interface ChunkOptions extends IterateOptions {
  /**
   * Maximum number of elements in a chunk, from 1 to 65,536; stages hand over 4,096 at a time at most. The elements do
   * not depend on it. Default 256.
   */
  size?: number | undefined;
}

const MAX_CHUNK = 65_536;
const ITERATE_OPTIONS = ['signal', 'state', 'epoch', 'bytes', 'transient'] as const;

/** Returns a dataset's stage; undefined for other values. */
let stageOf: (value: unknown) => Stage | undefined;

/** Elements of a `zip` of the datasets `D`. */
export type Zipped<D> = { -readonly [K in keyof D]: D[K] extends Dataset<infer T, unknown> ? T : never };

/**
 * An input pipeline of elements of type `T`, whose batches are of type `B`. A dataset is immutable: it can be shared,
 * and iterated any number of times, also concurrently.
 *
 * @example
 * const train = Dataset.files('train-*.tfrecord')
 *   .shuffle('full', { seed: 42 })
 *   .interleave((file) => Dataset.tfrecord(file), { cycleLength: 8 })
 *   .shuffle(10_000)
 *   .parse(spec)
 *   .batch(256);
 * for await (const { label } of train) console.log(label);
 */
export class Dataset<T, B = T[]> implements AsyncIterable<T> {
  /** @internal */
  protected readonly stage: Stage;
  /** Number of iterations so far. Only this member changes. */
  #calls = 0;

  /** @internal */
  constructor(stage: Stage) {
    if (!isInstance(stage, Stage)) throw illegalConstructor('Dataset.tfrecord(), Dataset.from() ...');
    this.stage = stage;
  }

  /**
   * Reads the records of files, as bytes, one file after the other. `source` is a path, a pattern, `name@N`, a list of
   * these, or bytes.
   *
   * @example
   * for await (const record of Dataset.tfrecord('train-*.tfrecord.gz')) console.log(record.length);
   */
  static tfrecord(source: RecordSource, options?: DatasetReadOptions): Dataset<Bytes, RecordBatch> {
    return new Dataset(TFRecordStage.of(source, options));
  }

  /**
   * Lists the paths of the files that match `pattern`, sorted by their bytes. If no file matches, iterating throws
   * ENOENT.
   *
   * @example
   * console.log(await Dataset.files('train-*.tfrecord').toArray());
   */
  static files(pattern: string | URL | readonly (string | URL)[], options?: FilesOptions): Dataset<string> {
    return new Dataset(FilesStage.of(pattern, options));
  }

  /**
   * Reads shuffled batches of the Examples in files, endlessly by default: `files`, `shuffle('full')`, `interleave`,
   * `shuffle`, `repeat`, `parse` and `batch`, in this order (`tf.data.experimental.make_batched_features_dataset`).
   * With `label` each element is a pair of the features and the label.
   *
   * @example
   * const train = Dataset.examples('train-*.tfrecord', spec, { batch: 256, epochs: 3, label: 'price' });
   * for await (const [features, price] of train) console.log(features.label, price);
   */
  static examples<
    S extends Spec,
    const L extends keyof S & string,
    I extends Int64As = 'bigint',
    B extends BytesAs = 'bytes',
  >(
    pattern: string | URL | readonly (string | URL)[],
    spec: S,
    options: ExamplesOptions<I, B> & { label: L },
  ): Dataset<Labeled<S, L, I, B>>;
  static examples<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
    pattern: string | URL | readonly (string | URL)[],
    spec: S,
    options: ExamplesOptions<I, B> & { label?: undefined },
  ): Dataset<Batch<S, I, B>>;
  static examples(
    pattern: string | URL | readonly (string | URL)[],
    spec: Spec,
    options: ExamplesOptions,
  ): Dataset<unknown, unknown> {
    const files = Dataset.files(pattern);
    const given = checkOptions<ExamplesOptions>(options, EXAMPLES_OPTIONS);
    const { size, buffer, seed, epochs, label, dropRemainder, cycleLength, ordered, as } = examplesPlan(spec, given);
    const { reader = (file: string) => Dataset.tfrecord(file), onError } = given;
    const listed = buffer > 0 ? files.shuffle('full', { seed }) : files;
    const records = listed.interleave(reader, { cycleLength, ordered });
    const mixed = (buffer > 0 ? records.shuffle(buffer, { seed }) : records).repeat(epochs);
    const batches: Dataset<unknown> = mixed.parse(spec, as).batch(size, { dropRemainder });
    const handled = onError === undefined ? batches : batches.onError(onError);
    return label === undefined ? handled : handled.map((batch) => labeled(batch as Batch<Spec>, label));
  }

  /**
   * Reads the lines of files, one file after the other, without line ends (LF or CRLF) and byte order marks. Sources
   * are those of {@link Dataset.tfrecord}. The `record` of an origin is the number of the line in its file, from 0.
   *
   * @example
   * for await (const line of Dataset.text('log-*.txt.gz')) console.log(line);
   */
  static text(source: RecordSource, options?: TextOptions): Dataset<string> {
    return new Dataset(TextStage.of(source, options));
  }

  /**
   * Reads records of `recordBytes` bytes each, as views over large chunks. An incomplete record at the end of a file is
   * TFR_TRUNCATED, after all records before it.
   *
   * @example
   * const images = Dataset.fixedLength('data_batch_1.bin', 3073);
   */
  static fixedLength(
    source: RecordSource,
    recordBytes: number,
    options?: FixedLengthOptions,
  ): Dataset<Bytes, RecordBatch> {
    return new Dataset(FixedLengthStage.of(source, recordBytes, options));
  }

  /**
   * Reads the rows of files of comma-separated values, as objects, by the rules of `decodeCsv`; quoted fields may
   * contain line ends. A row that cannot be decoded is TFR_DECODE, with the record, the field and its name; `skip`
   * drops only that row.
   *
   * @example
   * Dataset.csv('sales-*.csv', { columns: { city: '', price: 0, count: { dtype: 'int32' } } });
   */
  static csv<const C extends Readonly<Record<string, CsvColumn>>>(
    source: RecordSource,
    options: DatasetCsvOptions<C>,
  ): Dataset<{ -readonly [K in keyof C]: CsvValue<C[K]> }> {
    return new Dataset(CsvStage.of(source, options));
  }

  /**
   * Reads files with your own reader, which opens a file, returns one record at a time, and closes the file. Paths,
   * patterns and lists are those of {@link Dataset.tfrecord}.
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
    return new Dataset(new DefineStage(files, reader));
  }

  /**
   * The elements of an iterable, or of the iterables that a function returns, one for each pass. An iterator that can
   * run only once serves one pass.
   *
   * @example
   * const squares = Dataset.from([1, 4, 9]);
   */
  static from<T>(source: Iterable<T> | AsyncIterable<T> | (() => Iterable<T> | AsyncIterable<T>)): Dataset<Awaited<T>> {
    return new Dataset(FromStage.of(source));
  }

  /**
   * The numbers from 0 up to, but without, `stop`; with two or three arguments `(start, stop, step)`, from `start` by
   * `step`.
   *
   * @example
   * await Dataset.range(2, 10, 3).toArray(); // [2, 5, 8]
   */
  static range(first: number, second?: number, step?: number): Dataset<number> {
    return new Dataset(RangeStage.of(first, second, step));
  }

  /**
   * Combines the elements of several datasets: into arrays for an array of datasets, into objects for an object of
   * datasets. Ends with the shortest dataset, and closes the others. The origin of an element is that of the first part
   * that has one; `origins` has all.
   *
   * @example
   * const pairs = Dataset.zip([Dataset.range(3), Dataset.from(['a', 'b', 'c'])]);
   */
  static zip<
    const D extends readonly Dataset<unknown, unknown>[] | Readonly<Record<string, Dataset<unknown, unknown>>>,
  >(parts: D, options?: ZipOptions): Dataset<Zipped<D>> {
    if (stageOf(parts) !== undefined) {
      throw invalidArgType('parts', 'an array or an object of Datasets: Dataset.zip([a, b])', parts);
    }
    const named = isObject(parts) && !Array.isArray(parts);
    const names = named ? Object.keys(parts) : undefined;
    const stages = stagesOf('parts', named ? Object.values(parts) : parts);
    return new Dataset(ZipStage.of(stages, names, options));
  }

  /**
   * Mixes several datasets: draws the dataset of each next element at random, by weight. An empty dataset is an error
   * unless `exhausted` is `drop`.
   *
   * @example
   * const mixed = Dataset.sampleFrom([Dataset.range(10), Dataset.range(100)], { weights: [0.9, 0.1] });
   */
  static sampleFrom<T, B>(parts: readonly Dataset<T, B>[], options?: MixOptions): Dataset<T, B> {
    return new Dataset(SampleFromStage.of(stagesOf('parts', parts), options));
  }

  /**
   * Mixes several datasets: `choice` yields the number, from 0, of the dataset of each next element. Ends with
   * `choice`. An empty dataset is an error unless `exhausted` is `drop`.
   *
   * @example
   * const chosen = Dataset.chooseFrom([Dataset.range(5), Dataset.range(5)], Dataset.from([0, 1, 1]));
   */
  static chooseFrom<T, B>(
    parts: readonly Dataset<T, B>[],
    choice: Dataset<number, unknown> | Dataset<bigint, unknown>,
    options?: ChooseOptions,
  ): Dataset<T, B> {
    const numbers = stageOf(choice);
    if (numbers === undefined) throw invalidArgType('choice', 'a Dataset of numbers', choice);
    return new Dataset(ChooseFromStage.of(stagesOf('parts', parts), numbers, options));
  }

  /**
   * Parses records as `tf.train.Example`s by `spec`. Elements of `parse(spec)` are rows; those of
   * `parse(spec).batch(n)` and of `batch(n).parse(spec)` are columns.
   *
   * @example
   * const rows = Dataset.tfrecord('train-*.tfrecord').parse({ label: fixedLen([], 'int64') });
   * for await (const { label } of rows.batch(256)) console.log(label.length);
   */
  parse<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
    this: Dataset<Uint8Array, unknown>,
    spec: S,
    options?: DatasetParseOptions<I, B>,
  ): Dataset<Element<S, I, B>, Batch<S, I, B>>;
  parse<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
    this: Dataset<RecordBatch, unknown>,
    spec: S,
    options?: DatasetParseOptions<I, B>,
  ): Dataset<Batch<S, I, B>>;
  parse(spec: Spec, options?: DatasetParseOptions): Dataset<unknown, unknown> {
    return new Dataset(ParseStage.of(this.stage, spec, options));
  }

  /**
   * Parses records as `tf.train.SequenceExample`s.
   *
   * @example
   * const captions = Dataset.tfrecord('captions.tfrecord').parseSequence({
   *   context: { id: fixedLen([], 'int64') },
   *   sequence: { tokens: fixedLenSequence([], 'int64') },
   * });
   */
  parseSequence<
    C extends ContextSpec = NoFeatures,
    Q extends SequenceSpec = NoFeatures,
    I extends Int64As = 'bigint',
    B extends BytesAs = 'bytes',
  >(
    this: Dataset<Uint8Array, unknown>,
    spec: SequenceFeatures<C, Q>,
    options?: DatasetParseOptions<I, B>,
  ): Dataset<SequenceRow<C, Q, I, B>, SequenceBatch<C, Q, I, B>>;
  parseSequence(
    spec: SequenceFeatures<ContextSpec, SequenceSpec>,
    options?: DatasetParseOptions,
  ): Dataset<never, never> {
    return new Dataset<never, never>(ParseStage.ofSequence(this.stage, spec, options));
  }

  /**
   * Calls `fn` for each element, and yields the results in order. If it throws, the error is the `cause` of a TFR_USER,
   * which names the record; `onError` decides what happens then.
   *
   * @example
   * const lengths = Dataset.tfrecord('train.tfrecord').map((record) => record.length);
   */
  map<U>(fn: (value: T, context: ElementContext) => U | Promise<U>, options?: MapOptions): Dataset<Awaited<U>> {
    return new Dataset(MapStage.of(this.stage, fn, options));
  }

  /**
   * Like `map`, but in worker threads, for work that keeps a core busy: calls the default export of `module`, a {@link
   * WorkerFunction}, for each element, and yields the results in order. `module` is the URL of an ES or CommonJS
   * module, `new URL('./augment.js', import.meta.url)`, or an absolute path. Elements and results are cloned, many at a
   * time; the bytes of records and typed arrays are copied once, into memory that is transferred to the worker. If the
   * function throws, the error is the `cause` of a TFR_USER; `onError` decides what happens then. A module that cannot
   * be loaded, and a worker that exits by itself, are TFR_USER, too, but are never skipped.
   *
   * @example
   * const images = Dataset.tfrecord('train.tfrecord').mapWorker(new URL('./augment.js', import.meta.url));
   */
  mapWorker<U = unknown>(module: string | URL, options?: MapWorkerOptions): Dataset<U> {
    return new Dataset(MapWorkerStage.of(this.stage, module, options));
  }

  /**
   * The elements for which `fn` returns a truthy value, or a promise of one.
   *
   * @example
   * const long = Dataset.tfrecord('train.tfrecord').filter((record) => record.length > 1000);
   */
  filter<U extends T>(fn: (value: T, context: ElementContext) => value is U): Dataset<U, B>;
  filter(fn: (value: T, context: ElementContext) => unknown, options?: CallOptions): Dataset<T, B>;
  filter(fn: (value: T, context: ElementContext) => unknown, options?: CallOptions): Dataset<T, B> {
    return new Dataset(FilterStage.of(this.stage, fn, options));
  }

  /**
   * The elements before the first one for which `fn` returns a falsy value.
   *
   * @example
   * const head = Dataset.text('mail.txt').takeWhile((line) => line !== '');
   */
  takeWhile(fn: (value: T, context: ElementContext) => unknown): Dataset<T, B> {
    return new Dataset(TakeWhileStage.of(this.stage, fn));
  }

  /**
   * Calls `fn` for each element, and yields the elements of the datasets that it returns, of several datasets in turn.
   * Only `cycleLength` and `blockLength` decide the order (`tf.data.Dataset.interleave`).
   *
   * @example
   * const records = Dataset.files('train-*.tfrecord').interleave((path) => Dataset.tfrecord(path), { cycleLength: 8 });
   */
  interleave<U, V>(fn: (value: T) => Dataset<U, V>, options?: InterleaveOptions): Dataset<U, V> {
    return new Dataset(InterleaveStage.of(this.stage, fn, options, stageOf));
  }

  /**
   * Shuffles the elements. A number is the size of a buffer: each new element replaces a random one, which is yielded,
   * so neighbours stay near each other.
   *
   * With `full`, all elements come in a random order. Those of files, arrays and ranges are held in memory. Records of
   * `Dataset.tfrecord` are not: the first iteration scans the files and notes where each record is, in one or two bytes a
   * record, and then reads each record where it is. So the source must be regular files, a Blob, bytes or another source
   * of which any range can be read, and `shuffle` must come before other stages, except `take`, `skip` and `shard`.
   *
   * With `{ blockSize, blocks }`, such records are shuffled in blocks of neighbours: the blocks come in a random order, and
   * `blocks` of them at a time are held and mixed. Each block is read in order, so compressed files are nearly as fast as
   * without a shuffle if a block has some MiB.
   *
   * If it is known in advance that more than 134,217,728 elements would be held in memory, it throws ERR_OUT_OF_RANGE.
   *
   * @example
   * const mixed = Dataset.tfrecord('train.tfrecord').shuffle(10_000, { seed: 42 });
   * const exact = Dataset.tfrecord('train-*.tfrecord').shuffle('full');
   * const blocks = Dataset.tfrecord('train-*.tfrecord.gz').shuffle({ blockSize: 10_000, blocks: 10 });
   */
  shuffle(buffer: number | 'full' | ShuffleBlocks, options?: ShuffleOptions): Dataset<T, B> {
    return new Dataset(shuffleOf(this.stage, buffer, options));
  }

  /**
   * Repeats all elements `count` times; endlessly by default. An epoch without elements is the last.
   *
   * @example
   * const epochs = Dataset.range(10).repeat(3);
   */
  repeat(count?: number): Dataset<T, B> {
    return new Dataset(RepeatStage.of(this.stage, count));
  }

  /**
   * The first `count` elements. After the last of them, the stages before are closed.
   *
   * @example
   * const first = await Dataset.range(100).take(3).toArray(); // [0, 1, 2]
   */
  take(count: number): Dataset<T, B> {
    return new Dataset(TakeStage.of(this.stage, count));
  }

  /**
   * Skips the first `count` elements.
   *
   * @example
   * const rest = await Dataset.range(5).skip(3).toArray(); // [3, 4]
   */
  skip(count: number): Dataset<T, B> {
    return new Dataset(SkipStage.of(this.stage, count));
  }

  /**
   * Shard number `index`, from 0, of `count` shards: each element is in exactly one of them. Shard before you shuffle:
   * after a shuffle without a seed it throws, because each process draws another order.
   *
   * @example
   * const mine = Dataset.files('train-*.tfrecord').shard(4, 0);
   */
  shard(count: number, index: number, options?: DatasetShardOptions): Dataset<T, B> {
    return new Dataset(ShardStage.of(this.stage, count, index, options));
  }

  /**
   * Pairs of a number, from `start` on (default 0), and an element.
   *
   * @example
   * for await (const [index, record] of Dataset.tfrecord('train.tfrecord').enumerate()) console.log(index, record.length);
   */
  enumerate(start?: number): Dataset<[number, T]> {
    return new Dataset(EnumerateStage.of(this.stage, start));
  }

  /**
   * Prepares up to `count` elements, of at most `bytes` together but at least one, while earlier ones are used. `auto`
   * starts with 16, and doubles each time the consumer had to wait after all of them had been ready; `explain()` shows
   * the count.
   *
   * @example
   * const ahead = Dataset.tfrecord('train.tfrecord').parse(spec).batch(256).prefetch(2);
   */
  prefetch(count: number | 'auto', options?: PrefetchOptions): Dataset<T, B> {
    return new Dataset(PrefetchStage.of(this.stage, count, options));
  }

  /**
   * Stores the elements of the first complete pass; later passes yield them and read nothing. Without `folder`, they
   * are in memory, for this dataset; with it, in files of that folder, for all processes. A pass that ends early stores
   * nothing; before a `take(n)` no pass is complete. Cache before you shuffle: after a shuffle it stores one order, and
   * warns.
   *
   * On disk, records and parsed rows are stored as records, with their origins. Other elements must be plain values,
   * arrays, typed arrays, tensors, or objects of these, else TypeError. The folder gets its name when the pass is
   * complete. It is valid for the same stages, functions (compared by their text), specs, and files of the same sizes
   * and times; anything else is TFR_STATE_MISMATCH. Variables that functions refer to, and files that datasets inside
   * functions read, are not compared. A damaged cache always throws, whatever `onError` is.
   *
   * @example
   * const cached = Dataset.tfrecord('train.tfrecord.gz').parse(spec).cache('cache/train');
   */
  cache(folder?: string): Dataset<T, B> {
    return new Dataset(cacheOf(this.stage, folder));
  }

  /**
   * Drops elements at random, so that their classes have the shares of `target`: an element of class c is kept with a
   * probability in proportion to `target[c] / initial[c]`. All elements of the class with the highest ratio are kept.
   *
   * @example
   * const even = Dataset.tfrecord('train.tfrecord')
   *   .parse(spec)
   *   .rejectionResample(({ label }) => Number(label), { target: [0.5, 0.5] });
   */
  rejectionResample(
    classOf: (value: T, context: ElementContext) => number | Promise<number>,
    options: ResampleOptions,
  ): Dataset<T, B> {
    return new Dataset(RejectionResampleStage.of(this.stage, classOf, options));
  }

  /**
   * Sets the policy for errors of the stages before it. Each stage counts its own skips. Default `throw`.
   *
   * @example
   * const good = Dataset.tfrecord('old-*.tfrecord').onError('skip');
   */
  onError(policy: OnError): Dataset<T, B> {
    return new Dataset(OnErrorStage.of(this.stage, policy));
  }

  /**
   * Sets the seed of all random stages without a seed of their own: an integer from -2^63 to 2^64 - 1. Default: a
   * random seed of the system.
   *
   * @example
   * const same = Dataset.range(100).shuffle('full').seed(42);
   */
  seed(seed: Seed): Dataset<T, B> {
    return new Dataset(SeedStage.of(this.stage, seed));
  }

  /**
   * Calls `fn` for each element, and yields the elements of the iterables, async iterables or Datasets that it returns,
   * in order. Their origin is that of the element that `fn` was called for; elements of a Dataset have their own. An
   * error of `fn` or of an iterable is TFR_USER; if `onError` skips it, the rest of that iterable is lost. A string is
   * a TypeError: return `[text]` for one element, `[...text]` for its characters.
   *
   * @example
   * const words = Dataset.text('book.txt').flatMap((line) => line.split(' '));
   */
  flatMap<U>(
    fn: (value: T, context: ElementContext) => FlatMapResult<U> | Promise<FlatMapResult<U>>,
  ): Dataset<Awaited<U>> {
    return new Dataset(FlatMapStage.of(this.stage, fn, stageOf));
  }

  /**
   * Batches of `size` neighbours, fewer at the end: records as a RecordBatch, parsed records as columns, others in an
   * array.
   *
   * @example
   * for await (const rows of Dataset.range(10).batch(4)) console.log(rows); // [0, 1, 2, 3] …
   */
  batch(size: number, options?: DatasetBatchOptions): Dataset<B> {
    return new Dataset(BatchStage.of(this.stage, size, options));
  }

  /**
   * Batches of `size` neighbours whose sequences are padded at their ends to one length, with the length that each had.
   * Sequences are nested arrays, typed arrays, dense tensors, parsed rows, and objects of these; a `Uint8Array` is one
   * value. A sequence that is longer than `shape`, or of another kind than the first of the batch, is TFR_FEATURE with
   * its name and record; `onError` decides what happens then.
   *
   * @example
   * const lines = Dataset.text('book.txt').map((line) => line.split(' '));
   * for await (const { values, lengths } of lines.paddedBatch(32, { values: '' })) console.log(values, lengths);
   */
  paddedBatch(size: number, options?: PadOptions<T>): Dataset<PaddedBatch<T, B>> {
    return new Dataset(PaddedBatchStage.of(this.stage, size, options));
  }

  /**
   * Padded batches of elements of similar length, which `lengthOf` returns. A batch is yielded as soon as its bucket is
   * full; batches that are not full are yielded at the end, in the order of the buckets
   * (`tf.data.Dataset.bucket_by_sequence_length`).
   *
   * @example
   * const lines = Dataset.text('book.txt').map((line) => line.split(' '));
   * const buckets = lines.bucketByLength((words) => words.length, { boundaries: [10, 20], batchSizes: [64, 32, 16] });
   */
  bucketByLength(
    lengthOf: (value: T, context: ElementContext) => number | Promise<number>,
    options: BucketOptions<T>,
  ): Dataset<PaddedBatch<T, B>> {
    return new Dataset(BucketByLengthStage.of(this.stage, lengthOf, options));
  }

  /**
   * The elements of batches: those of an array or a RecordBatch, or the rows of columns without the padding that
   * parsing added. An element that is not a batch is a TypeError.
   *
   * @example
   * const rows = Dataset.range(10).batch(4).unbatch();
   */
  unbatch(): Dataset<Unbatched<T>> {
    return new Dataset(new UnbatchStage(this.stage));
  }

  /**
   * Batches of the same kind with `size` rows, fewer at the end: `unbatch` and `batch` in one pass, columns stay columns.
   * @throws TFRecordError TFR_FEATURE, when iterated, for columns of different shapes
   *
   * @example
   * const eights = Dataset.range(32).batch(4).rebatch(8);
   */
  rebatch(size: number, options?: DatasetBatchOptions): Dataset<T> {
    return new Dataset(RebatchStage.of(this.stage, size, options));
  }

  /**
   * Arrays of `size` elements. A window begins every `shift` elements, and has every `stride`-th element from there on.
   * The last windows are shorter (`tf.data.Dataset.window`, but with arrays for nested datasets).
   *
   * @example
   * const windows = Dataset.range(10).window(3, { shift: 1 });
   */
  window(size: number, options?: WindowOptions): Dataset<T[]> {
    return new Dataset(WindowStage.of(this.stage, size, options));
  }

  /**
   * The elements of this dataset, then those of `others`.
   *
   * @example
   * const all = Dataset.tfrecord('a.tfrecord').concatenate(Dataset.tfrecord('b.tfrecord'));
   */
  concatenate(...others: readonly Dataset<T, B>[]): Dataset<T, B> {
    const stages = others.map((other: unknown) => {
      const stage = stageOf(other);
      if (stage === undefined) throw invalidArgType('others', 'Datasets', other);
      return stage;
    });
    return new Dataset(new ConcatenateStage([this.stage, ...stages]));
  }

  /**
   * Number of elements, if it is known without reading: for arrays, ranges, and stages that keep their number; else
   * undefined.
   */
  get size(): number | undefined {
    return this.stage.size;
  }

  /**
   * Begins an iteration. The first `next()` opens files and reads; nothing is opened before.
   *
   * @example
   * await using steps = Dataset.range(10).iterate();
   * const { value } = await steps.next();
   * const state = steps.state();
   */
  iterate(options?: IterateOptions): DatasetIterator<T> {
    return new ElementSteps(this.#iteration(checkOptions(options, ITERATE_OPTIONS), undefined));
  }

  /** `iterate()`. */
  [Symbol.asyncIterator](): DatasetIterator<T> {
    return this.iterate();
  }

  /**
   * Yields arrays of the elements that are ready, which is faster than one element at a time.
   *
   * @example
   * for await (const rows of Dataset.range(1000).chunks()) console.log(rows.length);
   */
  chunks(options?: ChunkOptions): DatasetSteps<readonly T[]> {
    const { size, ...others } = checkOptions(options, [...ITERATE_OPTIONS, 'size']);
    const elements = checkInteger('options.size', size, 1, MAX_CHUNK, undefined);
    return new ChunkSteps(this.#iteration(others, elements), elements);
  }

  /**
   * Returns all elements as an array.
   *
   * @example
   * const numbers = await Dataset.range(3).toArray(); // [0, 1, 2]
   */
  async toArray(): Promise<T[]> {
    const values: T[] = [];
    for await (const chunk of this.chunks()) for (const value of chunk) values.push(value);
    return values;
  }

  /**
   * Calls `fn` for each element, and awaits its result before the next.
   *
   * @example
   * await Dataset.range(3).forEachAsync((number) => console.log(number));
   */
  async forEachAsync(fn: (value: T) => unknown): Promise<void> {
    checkFunction('fn', fn);
    for await (const value of this) await fn(value);
  }

  /**
   * Calls `fn` with the result so far, at first `initial`, and the next element, and awaits each result. Returns the
   * last one.
   *
   * @example
   * const sum = await Dataset.range(4).reduce(0, (total, number) => total + number); // 6
   */
  async reduce<A>(initial: A, fn: (accumulated: A, value: T) => A | Promise<A>): Promise<A> {
    checkFunction('fn', fn);
    let accumulated = initial;
    for await (const value of this) accumulated = await fn(accumulated, value);
    return accumulated;
  }

  /**
   * Returns the number of elements: `size` if it is known, else it reads and counts all.
   *
   * @example
   * console.log(await Dataset.tfrecord('train-*.tfrecord').count());
   */
  async count(): Promise<number> {
    if (this.size !== undefined) return this.size;
    let count = 0;
    for await (const chunk of this.chunks()) count += chunk.length;
    return count;
  }

  /**
   * Writes the elements, which must be records or batches of records, to one file or to `shards` files. `pattern` names
   * one file, or is a template such as `train-{shard:05}-of-{shards:05}.tfrecord.gz`: `{shard}` is the number of the
   * file, `{shards}` is the number of files, and `:05` pads with zeros to five digits. A name without `{shard}` gets
   * `-{shard:05}-of-{shards:05}` before its first dot. `train.tfrecord.gz@4` means the same as `train.tfrecord.gz` with
   * `shards: 4`; readers accept that name, too. No file gets its name before all files are written.
   * `map(exampleEncoder(spec))` turns rows into records; `map((batch) => encodeExamples(batch, spec))` turns batches of
   * rows into batches of records, which is faster. Record i goes to file i mod `shards`.
   *
   * @throws TypeError ERR_INVALID_ARG_VALUE for a pattern with `*` or `?`, which does not name the files to write.
   *
   * @example
   * await Dataset.tfrecord('train.tfrecord').shuffle(10_000).writeTo('mixed.tfrecord.gz', { shards: 8 });
   */
  writeTo(
    this: Dataset<Uint8Array | string | RecordBatch, unknown>,
    pattern: string,
    options?: DatasetWriteOptions,
  ): Promise<DatasetWriteReport> {
    const signal = isRevoked(options) ? undefined : options?.signal;
    return writeShards(new RunSteps(this.#iteration({ signal }, undefined)), pattern, options);
  }

  /**
   * Returns the elements as a web stream, which pulls an element when it has room. Cancelling the stream closes the
   * iteration.
   *
   * @example
   * const stream = Dataset.text('log.txt').toReadableStream();
   */
  toReadableStream(options?: IterateOptions): ReadableStream<T> {
    const elements = this.iterate(options);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- takes 0.4 MB of heap: loaded when it is first used
    const web = require('node:stream/web');
    return new web.ReadableStream<T>({
      async pull(controller) {
        const step = await elements.next();
        if (step.done === true) controller.close();
        else controller.enqueue(step.value);
      },
      async cancel() {
        await elements.return();
      },
    });
  }

  /**
   * Describes the stages, from the source on, one line each, with their options: `shuffle(10000, seed 42)`.
   *
   * @example
   * console.log(Dataset.range(10).batch(4).explain());
   */
  explain(): string {
    return explainStages(this.stage).join('\n');
  }

  /** @internal */
  [inspect.custom](...[depth, options]: InspectArguments): string {
    if (depth < 0) return options.stylize('[Dataset]', 'special');
    return `Dataset { ${explainStages(this.stage).join(' > ')} }`;
  }

  #iteration(
    { signal: given, state, epoch: first, bytes: budget, transient: brief }: IterateOptions,
    chunkElements: number | undefined,
  ): Iteration {
    const signal = checkSignal('options.signal', given);
    const epoch = checkInteger('options.epoch', first, 0, 2 ** 32 - 1, undefined);
    const bytes = checkInteger('options.bytes', budget, 1, Number.MAX_SAFE_INTEGER, undefined);
    const transient = checkBoolean('options.transient', brief, false);
    const speed = { stage: this.stage, chunkElements, bytes, signal, transient };
    if (state !== undefined) {
      if (epoch !== undefined) throw invalidArgType('options.epoch', 'left out beside options.state', epoch);
      return new Iteration({ ...speed, ...resume(state, this.stage) });
    }
    const seed = this.stage.seed ?? systemSeed();
    const call = epoch === undefined ? this.#calls++ : 0;
    return new Iteration({ ...speed, seed, call, epoch: epoch ?? 0, from: START, position: 0, done: false });
  }

  static {
    stageOf = (value) => (isInstance(value, Dataset) ? value.stage : undefined);
  }
}

/** Returns the stages of the datasets in `value`, a list of one or more. */
function stagesOf(name: string, value: unknown): Stage[] {
  if (!isList(value)) throw invalidArgType(name, 'an array of Datasets', value);
  if (value.length === 0) throw invalidArgValue(name, 'of at least one Dataset', value);
  return Array.from(value, (part, i) => {
    const stage = stageOf(part);
    if (stage === undefined) throw invalidArgType(`${name}[${i}]`, 'a Dataset', part);
    return stage;
  });
}

/**
 * Makes a source of your own: `defineSource(reader)(files)` is `Dataset.define(files, reader)`. TypeScript infers and
 * checks the types of `reader` at the call.
 *
 * @example
 * const blocks = defineSource({ open: (file) => open(file), read, close });
 * const train = blocks('train-*.blk').shuffle(1000);
 *
 * @throws TypeError when the source is used, if `reader` is not a valid reader
 */
export function defineSource<T, H, S extends Json = Json>(
  reader: SourceReader<T, H, S>,
): (files: FileNames) => Dataset<T> {
  return (files) => Dataset.define(files, reader);
}
