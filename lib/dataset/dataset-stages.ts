import { invalidArgType, invalidArgValue, outOfRange } from '../errors';
import {
  exampleParsing,
  INT64_AS,
  sequenceParsing,
  type Batch,
  type ContextSpec,
  type Element,
  type NoFeatures,
  type RecordParsing,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
  type SequenceSpec,
  type Spec,
} from '../example';
import {
  checkBoolean,
  checkChoice,
  checkInteger,
  checkOptions,
  checkWellFormed,
  ErrorPolicy,
  type OnError,
  type RecordBatch,
} from '../record';
import type { Int64As } from '../tensor';
import {
  checkFunction,
  checkHeld,
  checkOptionsObject,
  checkParallel,
  checkShares,
  countOr,
  neededInteger,
} from './arguments';
import type { Dataset } from './dataset';
import { DatasetBatching } from './dataset-batching';
import type { FormData } from './disk-cache/kept-form';
import type { ElementFunction } from './engine/calls';
import type { ElementContext } from './engine/element-context';
import { functionText } from './engine/fingerprint';
import type { Stage } from './engine/stage';
import { checkMapWorker, type MapWorkerOptions } from './map-worker-options';
import { seedWords, type Seed } from './random';
import { CacheStage, DiskCacheStage } from './stages/cache';
import { EnumerateStage } from './stages/enumerate';
import { FilterStage } from './stages/filter';
import { FullShuffleStage } from './stages/full-shuffle';
import { InterleaveStage } from './stages/interleave';
import { MapStage } from './stages/map';
import { MapWorkerStage } from './stages/map-worker';
import { OnErrorStage } from './stages/on-error';
import { ParseStage } from './stages/parse';
import { PrefetchStage } from './stages/prefetch';
import { RejectionResampleStage } from './stages/rejection-resample';
import { RepeatStage } from './stages/repeat';
import { SeedStage } from './stages/seed';
import { SHARD_BY, ShardStage, UNEVEN } from './stages/shard';
import { ShuffleStage } from './stages/shuffle';
import { ByteShuffleStage } from './stages/shuffle-by-bytes';
import { SkipStage } from './stages/skip';
import { TakeStage } from './stages/take';
import { TakeWhileStage } from './stages/take-while';

const MAX = Number.MAX_SAFE_INTEGER;
/** Elements that a shuffle buffer holds, at most. */
const MAX_HELD = 2 ** 31 - 1;
const DEFAULT_CYCLE = 16;

/** How a callback is called. Unknown names throw. */
export interface CallOptions {
  /** Calls under way at a time, for functions that return promises; results keep the order of the elements. Default 1. */
  parallel?: number | undefined;
}

/** How to map. Unknown names throw. */
export interface MapOptions extends CallOptions {
  /**
   * `false`: results come as they are made, those that take long behind others. A state still has each element once, where
   * no stage behind it puts elements together or in another order; elsewhere it says `exact: false`. Default true.
   */
  ordered?: boolean | undefined;
}

/** How to shuffle. Unknown names throw. */
export interface ShuffleOptions {
  /** Of this stage alone. Default: that of the dataset. */
  seed?: Seed | undefined;
  /** Whether each epoch, and each iteration of the dataset, has an order of its own. Default true. */
  reshuffle?: boolean | undefined;
  /**
   * Bytes that the elements in the buffer have together, at most, about; one is always held. With it a state has the number of
   * each element in the buffer. Default: as many as there are.
   */
  bytes?: number | undefined;
}

/** How to prefetch. Unknown names throw. */
export interface PrefetchOptions {
  /** Bytes that elements held ready may have. Default: what `iterate({ bytes })` leaves. */
  bytes?: number | undefined;
}

/** How to interleave. Unknown names throw. */
export interface InterleaveOptions {
  /** Datasets that are read in turn. Default 16. */
  cycleLength?: number | undefined;
  /** Elements of one before the next has its turn. Default 1. */
  blockLength?: number | undefined;
  /**
   * Datasets that are opened ahead: files beside those of the datasets that are read in turn. Where the process may open no
   * more files, none is opened ahead from then on. Default `cycleLength`.
   */
  prefetch?: number | undefined;
  /**
   * `false`: elements come of whichever dataset has some, all of them as soon as they are there; `blockLength` and
   * `prefetch` mean nothing then. States as of `map`. Default true.
   */
  ordered?: boolean | undefined;
}

/** How to parse. Unknown names throw. */
export interface DatasetParseOptions<I extends Int64As = Int64As> {
  /** int64 as `bigint`, or as `number`, which is exact or TFR_FEATURE. Default `bigint`. */
  int64?: I | undefined;
  /** What to do about records that do not fit the spec. Default: what `onError()` of the dataset says. */
  onError?: OnError | undefined;
}

/** How to resample. Unknown names throw. */
export interface ResampleOptions {
  /** The share of each class, from class 0 on, that is wanted: numbers from 0 on, of any sum. */
  target: readonly number[];
  /** The shares in the input. Default: as counted so far, with one of each class to begin with. */
  initial?: readonly number[] | undefined;
  /** Of this stage alone. Default: that of the dataset. */
  seed?: Seed | undefined;
}

/** How to divide a dataset. Unknown names throw. */
export interface DatasetShardOptions {
  /**
   * `file`: file number mod count, so that the others are not opened. `range`: neighbours, the first parts one more; where
   * `size` is known. `record`: element number mod count. `auto`: `file` where there are `count` files or more and `uneven`
   * is `keep`, else `range` where that can be, else `record`, with a warning that each part reads everything.
   * Default `auto`.
   */
  by?: 'auto' | 'file' | 'record' | 'range' | undefined;
  /**
   * Where some parts have one element more. `keep`: so be it. `drop`: they leave it out. `pad`: the others repeat their
   * first element, for which `context.valid` is false. Not for files. Default `keep`.
   */
  uneven?: 'keep' | 'drop' | 'pad' | undefined;
}

/** The stages that a dataset can go on with. Each gives a new dataset; the old one stays as it is. */
export abstract class DatasetStages<T, B> extends DatasetBatching<T, B> {
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
    return this.#parse('parse', spec, options, (int64) => exampleParsing(spec, int64));
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
    return this.#parse('parseSequence', spec, options, (int64) => sequenceParsing(spec, int64)) as Dataset<
      never,
      never
    >;
  }

  /**
   * What `fn` makes of each element, in order. What it throws is TFR_USER, with the record and the error as its `cause`;
   * `onError` decides about it.
   */
  map<U>(fn: (value: T, context: ElementContext) => U | Promise<U>, options?: MapOptions): Dataset<Awaited<U>> {
    checkFunction('fn', fn);
    const { ordered, ...others } = checkOptionsObject('map', options, ['parallel', 'ordered']);
    const inOrder = checkBoolean('options.ordered', ordered, true);
    return this.derive(new MapStage(this.stage, fn as ElementFunction, checkParallel(others), inOrder));
  }

  /**
   * What the default export of `module`, a {@link WorkerFunction}, makes of each element, in order: as `map`, in worker
   * threads, for what keeps a core busy. `module`: the URL of an ES or CommonJS module, `new URL('./augment.js',
   * import.meta.url)`, or an absolute path. Elements and results are cloned, many at a time; the bytes of records and typed
   * arrays are copied once, into memory that goes over. What the function throws is TFR_USER, with its error as `cause`;
   * `onError` decides about it. A module that cannot be loaded, and a worker that ends by itself, are TFR_USER, too, and not
   * skipped.
   */
  mapWorker<U = unknown>(module: string | URL, options?: MapWorkerOptions): Dataset<U> {
    return this.derive(new MapWorkerStage(this.stage, checkMapWorker(module, options)));
  }

  /** The elements for which `fn` says yes. */
  filter<U extends T>(fn: (value: T, context: ElementContext) => value is U): Dataset<U, B>;
  filter(fn: (value: T, context: ElementContext) => unknown, options?: CallOptions): Dataset<T, B>;
  filter(fn: (value: T, context: ElementContext) => unknown, options?: CallOptions): Dataset<T, B> {
    checkFunction('fn', fn);
    return this.derive(new FilterStage(this.stage, fn as ElementFunction, checkParallel(options)));
  }

  /** The elements before the first for which `fn` says no. */
  takeWhile(fn: (value: T, context: ElementContext) => unknown): Dataset<T, B> {
    checkFunction('fn', fn);
    return this.derive(new TakeWhileStage(this.stage, fn as ElementFunction));
  }

  /**
   * The elements of the datasets that `fn` makes of the elements, of several in turn. Order follows from `cycleLength` and
   * `blockLength` alone (`tf.data.Dataset.interleave`).
   */
  interleave<U, V>(fn: (value: T) => Dataset<U, V>, options?: InterleaveOptions): Dataset<U, V> {
    checkFunction('fn', fn);
    const given = checkOptionsObject('interleave', options, ['cycleLength', 'blockLength', 'prefetch', 'ordered']);
    const cycleLength = checkInteger('options.cycleLength', given.cycleLength, 1, 65_536, DEFAULT_CYCLE);
    const blockLength = checkInteger('options.blockLength', given.blockLength, 1, MAX, 1);
    const prefetch = checkInteger('options.prefetch', given.prefetch, 0, 65_536, cycleLength);
    const stageOf = (value: unknown): Stage => {
      const result: unknown = fn(value as T);
      const stage = this.stageOf(result);
      if (stage === undefined) throw invalidArgType('the result of fn', 'a Dataset', result);
      return stage;
    };
    const ordered = checkBoolean('options.ordered', given.ordered, true);
    const interleaving = { cycleLength, blockLength, prefetch, ordered };
    return this.derive(new InterleaveStage(this.stage, stageOf, interleaving, functionText(fn)));
  }

  /**
   * Elements in random order. A number is the size of a buffer: for each element that comes, a random one leaves, so
   * records near each other stay near each other. With `full` every order is equally likely; use it for sources that
   * fit in memory: files, arrays, ranges. Holding over 134,217,728 elements in memory is refused (ERR_OUT_OF_RANGE) if
   * their number is known.
   */
  shuffle(buffer: number | 'full', options?: ShuffleOptions): Dataset<T, B> {
    const given = checkOptionsObject('shuffle', options, ['seed', 'reshuffle', 'bytes']);
    const seed = given.seed === undefined ? undefined : seedWords('options.seed', given.seed);
    const reshuffle = checkBoolean('options.reshuffle', given.reshuffle, true);
    const bytes = given.bytes === undefined ? undefined : neededInteger('options.bytes', given.bytes, 1, MAX);
    const size = countOr('buffer', buffer, 'full', 1, MAX_HELD);
    if (size === 'full') {
      if (bytes !== undefined) throw invalidArgType('options.bytes', 'left out: a full shuffle holds all', bytes);
      if (this.size === undefined && this.stage.kind !== 'files') {
        throw invalidArgValue(
          'buffer',
          'a number here: where each record lies is not known. Shuffle the files in full',
          buffer,
        );
      }
      checkHeld('buffer', Infinity, this.size);
      return this.derive(new FullShuffleStage(this.stage, seed, reshuffle));
    }
    if (bytes === undefined) checkHeld('buffer', size, this.size);
    if (bytes === undefined) return this.derive(new ShuffleStage(this.stage, { size, seed, reshuffle }));
    return this.derive(new ByteShuffleStage(this.stage, { size, seed, reshuffle, bytes }));
  }

  /** All elements, `count` times; for ever by default. An epoch that gives nothing is the last. */
  repeat(count?: number): Dataset<T, B> {
    if (count === -1) throw outOfRange('count', 'an integer from 0 on, or left out: for ever', count);
    const times = count === Infinity ? count : checkInteger('count', count, 0, MAX, Infinity);
    return this.derive(new RepeatStage(this.stage, times));
  }

  /** The first `count` elements. What they come from is closed with the last of them. */
  take(count: number): Dataset<T, B> {
    return this.derive(new TakeStage(this.stage, neededInteger('count', count, 0, MAX)));
  }

  /** All but the first `count` elements. */
  skip(count: number): Dataset<T, B> {
    return this.derive(new SkipStage(this.stage, neededInteger('count', count, 0, MAX)));
  }

  /**
   * Part `index`, from 0, of `count` parts in which together each element is once. To be used before a shuffle: behind one
   * that has no seed it is refused, for other processes would draw another order.
   */
  shard(count: number, index: number, options?: DatasetShardOptions): Dataset<T, B> {
    const given = checkOptionsObject('shard', options, ['by', 'uneven']);
    const parts = neededInteger('count', count, 1, MAX_HELD);
    return this.derive(
      new ShardStage(this.stage, {
        count: parts,
        index: neededInteger('index', index, 0, parts - 1),
        by: checkChoice('options.by', given.by, SHARD_BY, 'auto'),
        uneven: checkChoice('options.uneven', given.uneven, UNEVEN, 'keep'),
      }),
    );
  }

  /** Pairs of number, from `start` on, and element. */
  enumerate(start?: number): Dataset<[number, T]> {
    return this.derive(new EnumerateStage(this.stage, checkInteger('start', start, -MAX, MAX, 0)));
  }

  /**
   * Makes up to `count` elements ready while those before are used, of `bytes` together at most, or one. `auto`: 16, and
   * twice as many each time that there was something to wait for although they had been ready; `explain()` tells how many.
   */
  prefetch(count: number | 'auto', options?: PrefetchOptions): Dataset<T, B> {
    const { bytes } = checkOptionsObject('prefetch', options, ['bytes']);
    const limit = bytes === undefined ? Infinity : neededInteger('options.bytes', bytes, 1, MAX);
    const ready = countOr('count', count, 'auto', 0, MAX_HELD);
    return this.derive(new PrefetchStage(this.stage, ready, limit));
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
    if (folder === undefined) return this.derive(new CacheStage(this.stage));
    if (typeof folder !== 'string') throw invalidArgType('folder', 'the path of a folder', folder);
    if (folder === '') throw invalidArgValue('folder', 'the path of a folder', folder);
    checkWellFormed('folder', folder);
    return this.derive(new DiskCacheStage(this.stage, folder));
  }

  /**
   * Drops elements at random, so that their classes have the shares of `target`: one of class c is kept with a likelihood
   * in proportion to its share there over that in `initial`. The class that is rarest in that sense is kept whole.
   */
  rejectionResample(
    classOf: (value: T, context: ElementContext) => number | Promise<number>,
    options: ResampleOptions,
  ): Dataset<T, B> {
    checkFunction('classOf', classOf);
    const { target, initial, seed } = checkOptions<ResampleOptions>(options, ['target', 'initial', 'seed']);
    const shares = checkShares('options.target', target);
    const found = initial === undefined ? undefined : checkShares('options.initial', initial, shares);
    const own = seed === undefined ? undefined : seedWords('options.seed', seed);
    const stage = { target: shares, initial: found, seed: own };
    return this.derive(new RejectionResampleStage(this.stage, classOf as ElementFunction, stage));
  }

  /** What is done about errors of the stages before; each of them counts its limits for itself. Default `throw`. */
  onError(policy: OnError): Dataset<T, B> {
    // Checked now, used later.
    new ErrorPolicy(policy);
    return this.derive(new OnErrorStage(this.stage, policy));
  }

  /** The seed of all random stages that have none of their own, -2^63 to 2^64 - 1. Without one the system draws it. */
  seed(seed: Seed): Dataset<T, B> {
    return this.derive(new SeedStage(this.stage, seedWords('seed', seed)));
  }

  #parse(
    kind: 'parse' | 'parseSequence',
    spec: unknown,
    options: DatasetParseOptions | undefined,
    parsing: (int64: Int64As) => RecordParsing,
  ): Dataset<unknown, unknown> {
    const { int64, onError } = checkOptions(options, ['int64', 'onError']);
    if (onError !== undefined) new ErrorPolicy(onError);
    const as = checkChoice('options.int64', int64, INT64_AS, 'bigint');
    const made = parsing(as);
    const source = (): FormData => ({ kind, int64: as, spec: JSON.parse(JSON.stringify(spec)), key: made.key });
    return this.derive(new ParseStage(this.stage, kind, { parsing: made, source, onError }));
  }
}
