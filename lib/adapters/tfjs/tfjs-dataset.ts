import type { Tensor, TensorContainer } from '@tensorflow/tfjs-core';
import type * as tfjs from '@tensorflow/tfjs-data';

import type { Dataset, DatasetIterator, DatasetState, IterateOptions } from '../../dataset';
import { invalidArgType } from '../../errors';
import { checkOptions } from '../../record';
import { tfjsCore, tfjsData } from './peers';
import { tensorRules } from './rules';
import { conversionOf, type BatchConversion } from './to-tensors';
import type { TensorChoice, TensorsOf, TfjsDatasetOptions, TrainingBatch } from './types';

/**
 * A dataset of tfjs-data over one of ours. Each iterator that tfjs uses is one epoch, the next one each time: epochs of
 * `fitDataset` are epochs of ours.
 */
export interface TfjsDataset<T extends TensorContainer> extends tfjs.Dataset<T>, AsyncDisposable {
  /**
   * Where the epoch begun last stands: behind the batch that tfjs took last, for `{ state }`. Before the first batch, where it
   * will begin. What stages of tfjs-data (`prefetch`, `shuffle`) hold counts as taken.
   */
  state(): DatasetState;
  /**
   * Ends the epochs under way, and resolves when no file of theirs is open. tfjs-data itself never closes what it iterates:
   * call it when training or evaluation ended before the data did (`batchesPerEpoch`, `validationBatches`, `stopTraining`, an
   * error of the model). The next iterator begins the next epoch.
   */
  stop(): Promise<void>;
  /** The same as `stop()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A dataset of batches for `model.fitDataset` and `evaluateDataset`, of the columns that are the model's inputs and targets.
 *
 * With `state`, the first iterator gives the rest of that state's epoch, which may be nothing, and the next ones the epochs
 * behind it: train with `initialEpoch: state.epoch`. An iterator closes its files at the end and on errors; see `stop()` for
 * the rest. Give the dataset a `seed()` if epochs shall be the same in another process.
 *
 * @throws TypeError for wrong arguments; TFRecordError TFR_STATE_MISMATCH for a state of another dataset,
 * ERR_MODULE_NOT_FOUND without `@tensorflow/tfjs-core` and `@tensorflow/tfjs-data`. The iterators throw the errors of the
 * dataset and those of {@link toTensors}, with the file, record and byte.
 */
export function toTfjsDataset<B, const C extends TensorChoice>(
  dataset: Dataset<B, unknown>,
  choice: C,
  options?: TfjsDatasetOptions,
): TfjsDataset<TrainingBatch<C>>;
/**
 * The same, of what `fn` makes of the tensors of each batch, as in `tf.tidy`: those that it does not return are disposed of,
 * and it returns no promise. What it throws, the iterator throws.
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
  if (typeof (dataset as { iterate?: unknown } | undefined)?.iterate !== 'function') {
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

/** Made when tfjs-data is there, whose class it extends. */
function makeClass(): DatasetClass {
  const { Dataset: Base, func } = tfjsData();
  return class TfjsDataset extends Base<TensorContainer> {
    override readonly size: number;
    readonly #epochs: Epochs;

    constructor(epochs: Epochs, size: number | undefined) {
      super();
      this.#epochs = epochs;
      // tfjs has null for an unknown size.
      this.size = size ?? (null as unknown as number);
    }

    override async iterator(): ReturnType<tfjs.Dataset<TensorContainer>['iterator']> {
      // The only public way to an iterator of tfjs-data.
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

/** A step as iterators of tfjs give it. */
type TensorStep = { value: TensorContainer; done: false } | { value: null; done: true };

/** The epochs of a dataset, one after the other, converted batch by batch. */
class Epochs {
  readonly #dataset: Dataset<unknown, unknown>;
  readonly #convert: BatchConversion;
  /** Options of every epoch. */
  readonly #options: Pick<IterateOptions, 'signal' | 'bytes'>;
  /** Iterators that have not ended. */
  readonly #open = new Set<DatasetIterator<unknown>>();
  /** The first epoch's iterator: made at once, so that a wrong state is an error at once. */
  #first: DatasetIterator<unknown> | undefined;
  #next: number;
  /** The iterator of the epoch begun last, or its state when it is over. */
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

  /** Where the epoch begun last stands, behind the batch that was given last. */
  state(): DatasetState {
    return this.#latest.state();
  }

  /** Ends all epochs under way; resolves when nothing of them is open. */
  async stop(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.all(open.map((iterator) => iterator.return()));
  }

  /**
   * The steps of the next epoch, which begins at the first of them: `fitDataset` asks for an iterator that it never uses.
   * They are made in turn, so that a batch is converted before the iterator moves on.
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

  /** Keeps the state of an epoch that is over, and nothing of its data. */
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
