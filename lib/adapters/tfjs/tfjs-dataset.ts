import type { Tensor, TensorContainer } from '@tensorflow/tfjs-core';
import type * as tfjs from '@tensorflow/tfjs-data';

import { checkOptions, invalidArgType, isObject } from '../../base';
import type { Dataset, DatasetIterator, DatasetState, IterateOptions } from '../../dataset';
import { tfjsCore, tfjsData } from './peers';
import { tensorRules } from './rules';
import { conversionOf, type BatchConversion } from './to-tensors';
import type { TensorChoice, TensorsOf, TfjsDatasetOptions, TrainingBatch } from './types';

/**
 * A dataset of tfjs-data over a {@link Dataset}. Each iterator that tfjs uses is the next epoch, so the epochs of
 * `fitDataset` are the epochs of the dataset.
 */
export interface TfjsDataset<T extends TensorContainer> extends tfjs.Dataset<T>, AsyncDisposable {
  /**
   * Returns the state of the last epoch that began, for `{ state }`: the position after the last batch that tfjs took,
   * or the start of the epoch before its first batch. Batches in stages of tfjs-data (`prefetch`, `shuffle`) count as
   * taken.
   */
  state(): DatasetState;
  /**
   * Ends the running epochs, and resolves when all their files are closed. tfjs-data never closes its iterators, so
   * call `stop` if training or evaluation ended before the data (`batchesPerEpoch`, `validationBatches`,
   * `stopTraining`, an error of the model). The next iterator begins the next epoch.
   */
  stop(): Promise<void>;
  /** The same as `stop()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Converts a dataset of batches for `model.fitDataset` and `evaluateDataset`. `choice`: the names of the columns that
 * are the model's inputs and targets.
 *
 * With the option `state`, the first iterator returns the rest of that state's epoch, which may be empty, and the next
 * ones the epochs after it: train with `initialEpoch: state.epoch`. An iterator closes its files at the end and on
 * errors; see `stop()` for other cases. Give the dataset a `seed()` if another process must repeat the same epochs.
 *
 * @throws TypeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH for a state of another dataset;
 *   ERR_MODULE_NOT_FOUND without `@tensorflow/tfjs-core` and `@tensorflow/tfjs-data`. The iterators throw the errors of
 *   the dataset and those of {@link toTensors}, with the file, record and byte.
 *
 * @example
 * const data = Dataset.tfrecord('train.tfrecord').parse(spec).batch(32);
 * await model.fitDataset(toTfjsDataset(data, { xs: 'image', ys: 'label' }), { epochs: 3 });
 */
export function toTfjsDataset<B, const C extends TensorChoice>(
  dataset: Dataset<B, unknown>,
  choice: C,
  options?: TfjsDatasetOptions,
): TfjsDataset<TrainingBatch<C>>;
/**
 * Converts a dataset with a function. `fn` is called with the tensors of each batch, and returns the batch for the
 * model. It runs in `tf.tidy`: tensors that it does not return are disposed of, and it must not return a promise. The
 * iterator throws the errors of `fn`.
 */
export function toTfjsDataset<B, T extends TensorContainer>(
  dataset: Dataset<B, unknown>,
  fn: (tensors: TensorsOf<B>) => T,
  options?: TfjsDatasetOptions,
): TfjsDataset<T>;
export function toTfjsDataset(
  dataset: Dataset<unknown, unknown>,
  choice: unknown,
  options?: TfjsDatasetOptions,
): TfjsDataset<TensorContainer> {
  if (!isObject(dataset) || typeof dataset.iterate !== 'function') {
    throw invalidArgType('dataset', 'a Dataset', dataset);
  }
  const { dtypes, defaults, ...iterate } = checkOptions(options, OPTIONS);
  const convert = conversionOf(choice, tensorRules({ dtypes, defaults }));
  tfjsCore();
  const Class = (datasetClass ??= makeClass());
  return new Class(new Epochs(dataset, convert, iterate), dataset.size);
}

const OPTIONS = ['dtypes', 'defaults', 'signal', 'state', 'epoch', 'bytes'] as const;

type DatasetClass = new (epochs: Epochs, size: number | undefined) => TfjsDataset<TensorContainer>;
let datasetClass: DatasetClass | undefined;

/** Makes the class on first use: it extends a class of tfjs-data, which is loaded then. */
function makeClass(): DatasetClass {
  const { Dataset: Base, func } = tfjsData();
  return class TfjsDataset extends Base<TensorContainer> {
    override readonly size: number;
    readonly #epochs: Epochs;

    constructor(epochs: Epochs, size: number | undefined) {
      super();
      this.#epochs = epochs;
      // In tfjs, an unknown size is null.
      this.size = size ?? (null as unknown as number);
    }

    override async iterator(): ReturnType<tfjs.Dataset<TensorContainer>['iterator']> {
      // This is the only public way to an iterator of tfjs-data.
      const steps = this.#epochs.steps() as () => Promise<TensorStep & { value: Tensor }>;
      return func(steps).iterator();
    }

    state(): DatasetState {
      return this.#epochs.state();
    }

    stop(): Promise<void> {
      return this.#epochs.stop();
    }

    [Symbol.asyncDispose](): Promise<void> {
      return this.stop();
    }
  };
}

/** A step of an iterator of tfjs. */
type TensorStep = { value: TensorContainer; done: false } | { value: null; done: true };

/** The epochs of a dataset, one after the other. Converts each batch. */
class Epochs {
  readonly #dataset: Dataset<unknown, unknown>;
  readonly #convert: BatchConversion;
  /** The options of all epochs. */
  readonly #options: Pick<IterateOptions, 'signal' | 'bytes'>;
  /** Iterators that have not ended. */
  readonly #open = new Set<DatasetIterator<unknown>>();
  /** The iterator of the first epoch. It is made at once, so that an invalid state throws at once. */
  #first: DatasetIterator<unknown> | undefined;
  #next: number;
  /** The iterator of the last epoch that began; after its end, only its state. */
  #latest: { state(): DatasetState };

  constructor(dataset: Dataset<unknown, unknown>, convert: BatchConversion, options: IterateOptions) {
    const { state, epoch, ...others } = options;
    this.#dataset = dataset;
    this.#convert = convert;
    this.#options = others;
    const first = dataset.iterate(state === undefined ? { ...others, epoch: epoch ?? 0 } : options);
    this.#first = first;
    this.#latest = first;
    this.#next = first.state().epoch;
  }

  /** Returns the state of the last epoch that began, after the last batch that it returned. */
  state(): DatasetState {
    return this.#latest.state();
  }

  /** Ends all running epochs, and resolves when all their files are closed. */
  async stop(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.all(open.map((iterator) => iterator.return()));
  }

  /**
   * Returns a function that returns the steps of the next epoch. The epoch begins with the first step, because
   * `fitDataset` also gets an iterator that it never uses. Steps wait for each other, so that a batch is converted
   * before the iterator continues.
   */
  steps(): () => Promise<TensorStep> {
    let iterator: DatasetIterator<unknown> | undefined;
    let last: Promise<unknown> = Promise.resolve();
    return () => {
      const step = last.then(() => this.#step((iterator ??= this.#begin())));
      last = step.catch(() => undefined);
      return step;
    };
  }

  #begin(): DatasetIterator<unknown> {
    const iterator = this.#first ?? this.#dataset.iterate({ ...this.#options, epoch: this.#next });
    this.#first = undefined;
    this.#next++;
    this.#open.add(iterator);
    this.#latest = iterator;
    return iterator;
  }

  async #step(iterator: DatasetIterator<unknown>): Promise<TensorStep> {
    try {
      const step = await iterator.next();
      if (step.done !== true) return { value: this.#converted(step.value, iterator), done: false };
      this.#end(iterator);
      return { value: null, done: true };
    } catch (error) {
      this.#open.delete(iterator);
      await iterator.return();
      throw error;
    }
  }

  /** Ends an epoch: keeps its state, but not its data. */
  #end(iterator: DatasetIterator<unknown>): void {
    this.#open.delete(iterator);
    if (this.#latest !== iterator) return;
    const ended = iterator.state();
    this.#latest = { state: () => ended };
  }

  #converted(batch: unknown, iterator: DatasetIterator<unknown>): TensorContainer {
    const { origins } = iterator;
    return this.#convert(batch, (row) => origins[row]);
  }
}
