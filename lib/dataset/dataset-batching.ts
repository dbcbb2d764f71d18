import { checkBoolean, checkInteger, checkOptions, type Bytes, type RecordBatch } from '../record';
import type { BytesArray, DenseTensor, DType, Int64As, RaggedTensor, Scalars, Shape, SparseTensor } from '../tensor';
import { checkFunction, checkHeld, checkOptionsObject, neededInteger } from './arguments';
import type { Dataset } from './dataset';
import { DatasetIteration } from './dataset-iteration';
import type { ElementFunction } from './engine/calls';
import type { ElementContext } from './engine/element-context';
import { functionText } from './engine/fingerprint';
import type { Stage } from './engine/stage';
import { checkBuckets, lengthFunction } from './padding/bucket-options';
import { padRules, type BucketOptions, type PaddedBatch, type PadOptions } from './padding/pad-options';
import { BatchStage } from './stages/batch';
import { BucketByLengthStage } from './stages/bucket-by-length';
import { FlatMapStage } from './stages/flat-map';
import { PaddedBatchStage } from './stages/padded-batch';
import { RebatchStage } from './stages/rebatch';
import { UnbatchStage } from './stages/unbatch';
import { WindowStage } from './stages/window';

const MAX = Number.MAX_SAFE_INTEGER;
/** Elements that a batch or a window holds, at most. */
const MAX_HELD = 2 ** 31 - 1;

const PAD_OPTIONS = ['shape', 'values', 'multipleOf', 'dropRemainder'] as const;

/** How to batch. Unknown names throw. */
export interface DatasetBatchOptions {
  /** Leaves out the last batch when it is not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/** How to make windows. Unknown names throw. */
export interface WindowOptions {
  /** Elements from the start of one window to the start of the next. Default: the size of a window. */
  shift?: number | undefined;
  /** Elements from one that a window has to the next that it has. Default 1. */
  stride?: number | undefined;
  /** Leaves out the windows at the end that are not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/** What `flatMap` takes for the elements of one input. */
export type FlatMapResult<U> = Iterable<U> | AsyncIterable<U> | Dataset<U, unknown>;

/** One row of a batch of type `T`. */
export type Unbatched<T> = T extends RecordBatch | BytesArray
  ? Bytes
  : T extends DenseTensor<infer D extends DType, infer S extends Shape, infer I extends Int64As>
    ? S extends readonly [number]
      ? Scalars<I>[D]
      : S extends readonly [number, ...infer R extends Shape]
        ? DenseTensor<D, readonly [...R], I>
        : unknown
    : T extends SparseTensor<DType, Int64As> | RaggedTensor<DType, Shape, Int64As>
      ? unknown
      : T extends Iterable<infer U>
        ? U
        : T extends object
          ? { -readonly [K in keyof T]: Unbatched<T[K]> }
          : never;

/** The stages that make several elements of one, or one of several. */
export abstract class DatasetBatching<T, B> extends DatasetIteration<T> {
  /** @internal */
  protected abstract derive<U, V = U[]>(stage: Stage): Dataset<U, V>;
  /** @internal The stage of `value`, where that is a dataset. */
  protected abstract stageOf(value: unknown): Stage | undefined;

  /**
   * The elements of what `fn` makes of each element, in order: of an iterable, an async iterable or a Dataset; none, one or
   * many. They keep the place of the record that they were made of; those of a Dataset have their own. What `fn` or an
   * iterable throws is TFR_USER; where `onError` skips it, the rest of that iterable is lost. A string is refused: `[text]`
   * is one element, `[...text]` are its characters.
   */
  flatMap<U>(
    fn: (value: T, context: ElementContext) => FlatMapResult<U> | Promise<FlatMapResult<U>>,
  ): Dataset<Awaited<U>> {
    checkFunction('fn', fn);
    return this.derive(new FlatMapStage(this.stage, fn as ElementFunction, (value) => this.stageOf(value)));
  }

  /**
   * `size` neighbours at a time, fewer at the end: records as a RecordBatch, parsed ones as columns, others in an array.
   */
  batch(size: number, options?: DatasetBatchOptions): Dataset<B> {
    const drop = dropRemainder('batch', options);
    const length = neededInteger('size', size, 1, MAX_HELD);
    checkHeld('size', length, this.size);
    return this.derive(new BatchStage(this.stage, length, drop));
  }

  /**
   * `size` neighbours at a time, sequences padded at their ends to one length, and how long each was: nested arrays, typed
   * arrays, dense tensors, parsed rows, and objects of these. A `Uint8Array` is one value. What is longer than `shape`, or
   * of another kind than the first of the batch, is TFR_FEATURE with its name and record; `onError` decides about it.
   */
  paddedBatch(size: number, options?: PadOptions<T>): Dataset<PaddedBatch<T, B>> {
    const { shape, values, multipleOf, dropRemainder: drop } = checkOptionsObject('paddedBatch', options, PAD_OPTIONS);
    const rules = padRules(shape, values, multipleOf);
    const dropped = checkBoolean('options.dropRemainder', drop, false);
    return this.derive(new PaddedBatchStage(this.stage, neededInteger('size', size, 1, MAX_HELD), dropped, rules));
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
    checkFunction('lengthOf', lengthOf);
    const given = checkOptions<BucketOptions<T>>(options, ['boundaries', 'batchSizes', ...PAD_OPTIONS]);
    const { boundaries, batchSizes } = checkBuckets(given.boundaries, given.batchSizes);
    return this.derive(
      new BucketByLengthStage(this.stage, lengthFunction(lengthOf as ElementFunction), {
        boundaries,
        batchSizes,
        dropRemainder: checkBoolean('options.dropRemainder', given.dropRemainder, false),
        rules: padRules(given.shape, given.values, given.multipleOf),
        code: functionText(lengthOf),
      }),
    );
  }

  /**
   * The elements that batches were made of: of arrays, of a RecordBatch, and the rows of columns. Padding that parsing put
   * in is left out. What is no batch is a TypeError.
   */
  unbatch(): Dataset<Unbatched<T>> {
    return this.derive(new UnbatchStage(this.stage));
  }

  /**
   * Batches of the same kind with `size` rows, fewer at the end: `unbatch` and `batch` in one pass, columns stay columns.
   * @throws TFRecordError TFR_FEATURE, when iterated, for columns of different shapes
   */
  rebatch(size: number, options?: DatasetBatchOptions): Dataset<T> {
    const drop = dropRemainder('rebatch', options);
    return this.derive(new RebatchStage(this.stage, neededInteger('size', size, 1, MAX_HELD), drop));
  }

  /**
   * Arrays of `size` elements that begin every `shift` elements, with every `stride`-th element from there on. Those at the
   * end, which begin at an element and have fewer behind it, are shorter (`tf.data.Dataset.window`, but not nested).
   */
  window(size: number, options?: WindowOptions): Dataset<T[]> {
    const given = checkOptions(options, ['shift', 'stride', 'dropRemainder']);
    const length = neededInteger('size', size, 1, MAX_HELD);
    checkHeld('size', length, this.size);
    return this.derive(
      new WindowStage(this.stage, {
        size: length,
        shift: checkInteger('options.shift', given.shift, 1, MAX, length),
        stride: checkInteger('options.stride', given.stride, 1, MAX_HELD, 1),
        dropRemainder: checkBoolean('options.dropRemainder', given.dropRemainder, false),
      }),
    );
  }
}

function dropRemainder(stage: string, options: DatasetBatchOptions | undefined): boolean {
  const given = checkOptionsObject(stage, options, ['dropRemainder']);
  return checkBoolean('options.dropRemainder', given.dropRemainder, false);
}
