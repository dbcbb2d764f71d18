import { ReadableStream } from 'node:stream/web';
import { inspect, type InspectOptionsStylized } from 'node:util';

import { illegalConstructor, invalidArgType, invalidArgValue } from '../errors';
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
import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkSignal,
  type Bytes,
  type OnError,
  type RecordBatch,
  type RecordSource,
} from '../record';
import type { Int64As } from '../tensor';
import { checkFunction } from './arguments';
import type { ElementContext } from './engine/element-context';
import { START, type Json } from './engine/operator';
import { Stage } from './engine/stage';
import { examplesOf, type ExamplesOptions, type Labeled } from './examples';
import { explainStages } from './iterate/graph';
import { Iteration } from './iterate/iteration';
import { resume, type DatasetState } from './iterate/state';
import { ChunkSteps, ElementSteps, type DatasetIterator, type DatasetSteps } from './iterate/steps';
import { writeShards, type DatasetWriteOptions, type DatasetWriteReport } from './iterate/write-shards';
import type { BucketOptions, PaddedBatch, PadOptions } from './padding/pad-options';
import { systemSeed, type Seed } from './random';
import { CsvStage, type CsvColumn, type CsvValue, type DatasetCsvOptions } from './sources/csv';
import { DefineStage, type FileNames, type SourceReader } from './sources/define';
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
import { FlatMapStage, type FlatMapResult } from './stages/flat-map';
import { InterleaveStage, type InterleaveOptions } from './stages/interleave';
import { MapStage, type CallOptions, type MapOptions } from './stages/map';
import { MapWorkerStage, type MapWorkerOptions } from './stages/map-worker';
import { ChooseFromStage, SampleFromStage, type ChooseOptions, type MixOptions } from './stages/mix';
import { OnErrorStage } from './stages/on-error';
import { PaddedBatchStage } from './stages/padded-batch';
import { ParseStage, type DatasetParseOptions } from './stages/parse';
import { PrefetchStage, type PrefetchOptions } from './stages/prefetch';
import { RebatchStage } from './stages/rebatch';
import { RejectionResampleStage, type ResampleOptions } from './stages/rejection-resample';
import { RepeatStage } from './stages/repeat';
import { SeedStage } from './stages/seed';
import { ShardStage, type DatasetShardOptions } from './stages/shard';
import { shuffleOf, type ShuffleOptions } from './stages/shuffle';
import { SkipStage } from './stages/skip';
import { TakeStage } from './stages/take';
import { TakeWhileStage } from './stages/take-while';
import { UnbatchStage, type Unbatched } from './stages/unbatch';
import { WindowStage, type WindowOptions } from './stages/window';
import { ZipStage, type ZipOptions } from './stages/zip';

/** How to iterate. Unknown names throw. */
export interface IterateOptions {
  /** Aborts: the pending or next step rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Goes on behind the element that `state()` was taken after. Not with `epoch`. */
  state?: DatasetState | undefined;
  /** The epoch to begin with, from 0: random stages draw what they would draw then. Default 0. */
  epoch?: number | undefined;
  /**
   * Bytes that may be held ahead of use, over all stages: what sources read ahead, datasets that are opened ahead, what is
   * prefetched, results of parallel calls. Where they are used up nothing runs ahead, and no element depends on it. What
   * stages hold by their nature comes on top: shuffle buffers, batches, caches. 1 or more; default 256 MiB.
   */
  bytes?: number | undefined;
  /**
   * A batch of parsed columns, or a chunk of them, lasts until the next step is asked for. The next batch then
   * overwrites its memory, which does not wait for the garbage collector: arrays over it, and tensors made of it, show
   * other values. The rules for `transient` of `readExamples` hold here, too.
   */
  transient?: boolean | undefined;
}

/** How to iterate by chunks. Unknown names throw. */
export interface ChunkOptions extends IterateOptions {
  /** Elements of a chunk, at most; 1 to 65,536, of which 4,096 come at a time. No element depends on it. Default 256. */
  size?: number | undefined;
}

const MAX_CHUNK = 65_536;
const ITERATE_OPTIONS = ['signal', 'state', 'epoch', 'bytes', 'transient'] as const;

/** Returns a dataset's stage; undefined for other values. */
let stageOf: (value: unknown) => Stage | undefined;

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
export class Dataset<T, B = T[]> implements AsyncIterable<T> {
  /** @internal */
  protected readonly stage: Stage;
  /** Iterations so far: the only thing about a dataset that changes. */
  #calls = 0;

  /** @internal */
  constructor(stage: Stage) {
    if (!(stage instanceof Stage)) throw illegalConstructor('Dataset.tfrecord(), Dataset.from() ...');
    this.stage = stage;
  }

  /** The records of files, as bytes, one file after the other: paths, patterns, `name@N`, lists, bytes. */
  static tfrecord(source: RecordSource, options?: DatasetReadOptions): Dataset<Bytes, RecordBatch> {
    return new Dataset(TFRecordStage.of(source, options));
  }

  /** The paths that patterns mean, in the order of their bytes. None is ENOENT, when they are iterated. */
  static files(pattern: string | URL | readonly (string | URL)[], options?: FilesOptions): Dataset<string> {
    return new Dataset(FilesStage.of(pattern, options));
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
    return new Dataset(TextStage.of(source, options));
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
    return new Dataset(FixedLengthStage.of(source, recordBytes, options));
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
    return new Dataset(CsvStage.of(source, options));
  }

  /**
   * The records that a reader of your own reads: it opens a file, reads a record at a time, and closes it. Paths, patterns
   * and lists are those of {@link Dataset.tfrecord}.
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

  /** The elements of an iterable; of a function, one for each pass. An iterator that can be used once serves one pass. */
  static from<T>(source: Iterable<T> | AsyncIterable<T> | (() => Iterable<T> | AsyncIterable<T>)): Dataset<Awaited<T>> {
    return new Dataset(FromStage.of(source));
  }

  /** The numbers from 0 to before `stop`; or from `start`, by `step`. */
  static range(first: number, second?: number, step?: number): Dataset<number> {
    return new Dataset(RangeStage.of(first, second, step));
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
    return new Dataset(ZipStage.of(stages, names, options));
  }

  /** Elements of several datasets, each of a part that is drawn by weight. A part that is empty is an error unless `drop`. */
  static sampleFrom<T, B>(parts: readonly Dataset<T, B>[], options?: MixOptions): Dataset<T, B> {
    return new Dataset(SampleFromStage.of(stagesOf('parts', parts), options));
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
    return new Dataset(ChooseFromStage.of(stagesOf('parts', parts), numbers, options));
  }

  /** Parses records as `tf.train.Example`s by `spec`; `parse(spec).batch(n)` and `batch(n).parse(spec)` are columns. */
  parse<S extends Spec, I extends Int64As = 'bigint'>(
    this: Dataset<Uint8Array, unknown>,
    spec: S,
    options?: DatasetParseOptions<I>,
  ): Dataset<Element<S, I>, Batch<S, I>>;
  parse<S extends Spec, I extends Int64As = 'bigint'>(
    this: Dataset<RecordBatch, unknown>,
    spec: S,
    options?: DatasetParseOptions<I>,
  ): Dataset<Batch<S, I>>;
  parse(spec: Spec, options?: DatasetParseOptions): Dataset<unknown, unknown> {
    return new Dataset(ParseStage.of(this.stage, spec, options));
  }

  /** Parses records as `tf.train.SequenceExample`s. */
  parseSequence<C extends ContextSpec = NoFeatures, Q extends SequenceSpec = NoFeatures, I extends Int64As = 'bigint'>(
    this: Dataset<Uint8Array, unknown>,
    spec: SequenceFeatures<C, Q>,
    options?: DatasetParseOptions<I>,
  ): Dataset<SequenceRow<C, Q, I>, SequenceBatch<C, Q, I>>;
  parseSequence(
    spec: SequenceFeatures<ContextSpec, SequenceSpec>,
    options?: DatasetParseOptions,
  ): Dataset<never, never> {
    return new Dataset<never, never>(ParseStage.ofSequence(this.stage, spec, options));
  }

  /**
   * The results of `fn` for the elements, in order. An error that it throws becomes the `cause` of a TFR_USER, which names
   * the record; `onError` decides about it.
   */
  map<U>(fn: (value: T, context: ElementContext) => U | Promise<U>, options?: MapOptions): Dataset<Awaited<U>> {
    return new Dataset(MapStage.of(this.stage, fn, options));
  }

  /**
   * The results of the default export of `module`, a {@link WorkerFunction}, for the elements, in order: as `map`, in worker
   * threads, for work that keeps a core busy. `module`: the URL of an ES or CommonJS module, `new URL('./augment.js',
   * import.meta.url)`, or an absolute path. Elements and results are cloned, many at a time; the bytes of records and typed
   * arrays are copied once, into memory that goes over. What the function throws is TFR_USER, with its error as `cause`;
   * `onError` decides about it. A module that cannot be loaded, and a worker that ends by itself, are TFR_USER, too, and not
   * skipped.
   */
  mapWorker<U = unknown>(module: string | URL, options?: MapWorkerOptions): Dataset<U> {
    return new Dataset(MapWorkerStage.of(this.stage, module, options));
  }

  /** The elements for which `fn` says yes. */
  filter<U extends T>(fn: (value: T, context: ElementContext) => value is U): Dataset<U, B>;
  filter(fn: (value: T, context: ElementContext) => unknown, options?: CallOptions): Dataset<T, B>;
  filter(fn: (value: T, context: ElementContext) => unknown, options?: CallOptions): Dataset<T, B> {
    return new Dataset(FilterStage.of(this.stage, fn, options));
  }

  /** The elements before the first for which `fn` says no. */
  takeWhile(fn: (value: T, context: ElementContext) => unknown): Dataset<T, B> {
    return new Dataset(TakeWhileStage.of(this.stage, fn));
  }

  /**
   * The elements of the datasets that `fn` makes of the elements, of several in turn. Order follows from `cycleLength` and
   * `blockLength` alone (`tf.data.Dataset.interleave`).
   */
  interleave<U, V>(fn: (value: T) => Dataset<U, V>, options?: InterleaveOptions): Dataset<U, V> {
    return new Dataset(InterleaveStage.of(this.stage, fn, options, stageOf));
  }

  /**
   * Elements in random order. A number is the size of a buffer: for each element that comes, a random one leaves, so
   * records near each other stay near each other. With `full` every order is equally likely; use it for sources that
   * fit in memory: files, arrays, ranges. Holding over 134,217,728 elements in memory is refused (ERR_OUT_OF_RANGE) if
   * their number is known.
   */
  shuffle(buffer: number | 'full', options?: ShuffleOptions): Dataset<T, B> {
    return new Dataset(shuffleOf(this.stage, buffer, options));
  }

  /** All elements, `count` times; for ever by default. An epoch that gives nothing is the last. */
  repeat(count?: number): Dataset<T, B> {
    return new Dataset(RepeatStage.of(this.stage, count));
  }

  /** The first `count` elements. What they come from is closed with the last of them. */
  take(count: number): Dataset<T, B> {
    return new Dataset(TakeStage.of(this.stage, count));
  }

  /** All but the first `count` elements. */
  skip(count: number): Dataset<T, B> {
    return new Dataset(SkipStage.of(this.stage, count));
  }

  /**
   * Part `index`, from 0, of `count` parts in which together each element is once. To be used before a shuffle: behind one
   * that has no seed it is refused, for other processes would draw another order.
   */
  shard(count: number, index: number, options?: DatasetShardOptions): Dataset<T, B> {
    return new Dataset(ShardStage.of(this.stage, count, index, options));
  }

  /** Pairs of number, from `start` on, and element. */
  enumerate(start?: number): Dataset<[number, T]> {
    return new Dataset(EnumerateStage.of(this.stage, start));
  }

  /**
   * Makes up to `count` elements ready while those before are used, of `bytes` together at most, or one. `auto`: 16, and
   * twice as many each time that there was something to wait for although they had been ready; `explain()` tells how many.
   */
  prefetch(count: number | 'auto', options?: PrefetchOptions): Dataset<T, B> {
    return new Dataset(PrefetchStage.of(this.stage, count, options));
  }

  /**
   * Holds the elements of the first complete pass; all later passes give them again and read nothing: without `folder` in
   * memory, those of this dataset; with it in files there, those of all processes. A pass that breaks off leaves nothing;
   * behind `take(n)` none is ever complete. Before a shuffle: behind one it keeps one order, with a warning.
   *
   * On the disk, records and parsed rows are kept as records, with their origins; other elements have to be plain: values,
   * arrays, typed arrays, tensors, objects of these, else TypeError. The folder gets its name when the pass is complete. It is
   * used again only for the same stages, functions (as text), specs, and files of the same sizes and times: else
   * TFR_STATE_MISMATCH. What functions refer to, and files that datasets inside of them read, cannot be told. Damage is thrown
   * as such, whatever `onError` says.
   */
  cache(folder?: string): Dataset<T, B> {
    return new Dataset(cacheOf(this.stage, folder));
  }

  /**
   * Drops elements at random, so that their classes have the shares of `target`: one of class c is kept with a likelihood
   * in proportion to its share there over that in `initial`. The class that is rarest in that sense is kept whole.
   */
  rejectionResample(
    classOf: (value: T, context: ElementContext) => number | Promise<number>,
    options: ResampleOptions,
  ): Dataset<T, B> {
    return new Dataset(RejectionResampleStage.of(this.stage, classOf, options));
  }

  /** Decides about errors of the stages before; each of them counts its limits for itself. Default `throw`. */
  onError(policy: OnError): Dataset<T, B> {
    return new Dataset(OnErrorStage.of(this.stage, policy));
  }

  /** The seed of all random stages that have none of their own, -2^63 to 2^64 - 1. Without one the system draws it. */
  seed(seed: Seed): Dataset<T, B> {
    return new Dataset(SeedStage.of(this.stage, seed));
  }

  /**
   * The elements of what `fn` makes of each element, in order: of an iterable, an async iterable or a Dataset; none, one or
   * many. They keep the place of the record that they were made of; those of a Dataset have their own. What `fn` or an
   * iterable throws is TFR_USER; where `onError` skips it, the rest of that iterable is lost. A string is refused: `[text]`
   * is one element, `[...text]` are its characters.
   */
  flatMap<U>(
    fn: (value: T, context: ElementContext) => FlatMapResult<U> | Promise<FlatMapResult<U>>,
  ): Dataset<Awaited<U>> {
    return new Dataset(FlatMapStage.of(this.stage, fn, stageOf));
  }

  /**
   * `size` neighbours at a time, fewer at the end: records as a RecordBatch, parsed ones as columns, others in an array.
   */
  batch(size: number, options?: DatasetBatchOptions): Dataset<B> {
    return new Dataset(BatchStage.of(this.stage, size, options));
  }

  /**
   * `size` neighbours at a time, sequences padded at their ends to one length, and how long each was: nested arrays, typed
   * arrays, dense tensors, parsed rows, and objects of these. A `Uint8Array` is one value. What is longer than `shape`, or
   * of another kind than the first of the batch, is TFR_FEATURE with its name and record; `onError` decides about it.
   */
  paddedBatch(size: number, options?: PadOptions<T>): Dataset<PaddedBatch<T, B>> {
    return new Dataset(PaddedBatchStage.of(this.stage, size, options));
  }

  /**
   * Padded batches of elements of about the same length, as `lengthOf` tells it. A batch leaves as soon as its bucket is
   * full; those that are not full leave at the end, in the order of the buckets
   * (`tf.data.Dataset.bucket_by_sequence_length`).
   */
  bucketByLength(
    lengthOf: (value: T, context: ElementContext) => number | Promise<number>,
    options: BucketOptions<T>,
  ): Dataset<PaddedBatch<T, B>> {
    return new Dataset(BucketByLengthStage.of(this.stage, lengthOf, options));
  }

  /**
   * The elements that batches were made of: of arrays, of a RecordBatch, and the rows of columns. Padding that parsing put
   * in is left out. What is no batch is a TypeError.
   */
  unbatch(): Dataset<Unbatched<T>> {
    return new Dataset(new UnbatchStage(this.stage));
  }

  /**
   * Batches of the same kind with `size` rows, fewer at the end: `unbatch` and `batch` in one pass, columns stay columns.
   * @throws TFRecordError TFR_FEATURE, when iterated, for columns of different shapes
   */
  rebatch(size: number, options?: DatasetBatchOptions): Dataset<T> {
    return new Dataset(RebatchStage.of(this.stage, size, options));
  }

  /**
   * Arrays of `size` elements that begin every `shift` elements, with every `stride`-th element from there on. Those at the
   * end, which begin at an element and have fewer behind it, are shorter (`tf.data.Dataset.window`, but not nested).
   */
  window(size: number, options?: WindowOptions): Dataset<T[]> {
    return new Dataset(WindowStage.of(this.stage, size, options));
  }

  /** The elements of this one, then those of `others`. */
  concatenate(...others: readonly Dataset<T, B>[]): Dataset<T, B> {
    const stages = others.map((other: unknown) => {
      const stage = stageOf(other);
      if (stage === undefined) throw invalidArgType('others', 'Datasets', other);
      return stage;
    });
    return new Dataset(new ConcatenateStage([this.stage, ...stages]));
  }

  /** Number of elements, where it is known without reading: of arrays, ranges, and what is made of them one by one. */
  get size(): number | undefined {
    return this.stage.size;
  }

  /** Begins an iteration; nothing is opened or read before the first `next()`. */
  iterate(options?: IterateOptions): DatasetIterator<T> {
    return new ElementSteps(this.#iteration(checkOptions(options, ITERATE_OPTIONS), undefined));
  }

  /** `iterate()`. */
  [Symbol.asyncIterator](): DatasetIterator<T> {
    return this.iterate();
  }

  /** The elements in arrays of whatever there is at once: the fast lane. */
  chunks(options?: ChunkOptions): DatasetSteps<readonly T[]> {
    const { size, ...others } = checkOptions(options, [...ITERATE_OPTIONS, 'size']);
    const elements = checkInteger('options.size', size, 1, MAX_CHUNK, undefined);
    return new ChunkSteps(this.#iteration(others, elements), elements);
  }

  /** All elements. */
  async toArray(): Promise<T[]> {
    const values: T[] = [];
    for await (const chunk of this.chunks()) for (const value of chunk) values.push(value);
    return values;
  }

  /** Calls `fn` for each element, and waits for what it returns before the next. */
  async forEachAsync(fn: (value: T) => unknown): Promise<void> {
    checkFunction('fn', fn);
    for await (const value of this) await fn(value);
  }

  /** `fn` of what came of the elements so far, from `initial` on, and the next; waits for each. */
  async reduce<A>(initial: A, fn: (accumulated: A, value: T) => A | Promise<A>): Promise<A> {
    checkFunction('fn', fn);
    let accumulated = initial;
    for await (const value of this) accumulated = await fn(accumulated, value);
    return accumulated;
  }

  /** Number of elements; where `size` does not tell it, all are read and counted. */
  async count(): Promise<number> {
    if (this.size !== undefined) return this.size;
    let count = 0;
    for await (const chunk of this.chunks()) count += chunk.length;
    return count;
  }

  /**
   * Writes the elements, which must be records, to one file or to `shards` files. `pattern` names one file, or is a
   * template such as `train-{shard:05}-of-{shards:05}.tfrecord.gz`: `{shard}` is the number of the file, `{shards}` is
   * the number of files, and `:05` pads with zeros to five digits. A name without `{shard}` gets
   * `-{shard:05}-of-{shards:05}` before its first dot. `train.tfrecord.gz@4` means the same as `train.tfrecord.gz` with
   * `shards: 4`; readers take that name, too. No file gets its name before all files are written.
   * `map(exampleEncoder(spec))` turns rows into records.
   *
   * @throws TypeError ERR_INVALID_ARG_VALUE for a pattern with `*` or `?`, which names no files to write.
   */
  writeTo(
    this: Dataset<Uint8Array | string, unknown>,
    pattern: string,
    options?: DatasetWriteOptions,
  ): Promise<DatasetWriteReport> {
    return writeShards(this.chunks({ signal: options?.signal }), pattern, options);
  }

  /** The elements as a web stream, which pulls one when it has room. Cancelling it closes the iteration. */
  toReadableStream(options?: IterateOptions): ReadableStream<T> {
    const elements = this.iterate(options);
    return new ReadableStream<T>({
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

  /** The stages, from the source on, a line each, with their options: `shuffle(10000, seed 42)`. */
  explain(): string {
    return explainStages(this.stage).join('\n');
  }

  /** @internal */
  [inspect.custom](depth: number, options: InspectOptionsStylized): string {
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

/**
 * A source of your own, to be used for many files: `defineSource(reader)(files)` is `Dataset.define(files, reader)`. Also
 * says which types a reader has, where it is written down by itself.
 *
 * @example
 * const blocks = defineSource({ open, read, close });
 * const train = blocks('train-*.blk').shuffle(1000);
 *
 * @throws TypeError for what is no reader, when it is used
 */
export function defineSource<T, H, S extends Json = Json>(
  reader: SourceReader<T, H, S>,
): (files: FileNames) => Dataset<T> {
  return (files) => Dataset.define(files, reader);
}
