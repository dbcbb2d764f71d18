import type { TensorContainer } from '@tensorflow/tfjs-core';

import type { Dataset, DatasetIterator, DatasetState, IterateOptions } from '../../dataset';
import type { BatchConversion } from './choice';

/** A step as iterators of tfjs give it. */
export type TensorStep = { value: TensorContainer; done: false } | { value: null; done: true };

/** The epochs of a dataset, one after the other, converted batch by batch. */
export class Epochs {
  readonly #dataset: Dataset<unknown, unknown>;
  readonly #convert: BatchConversion;
  /** Of every epoch. */
  readonly #options: Pick<IterateOptions, 'signal' | 'bytes'>;
  /** Those that have not ended. */
  readonly #open = new Set<DatasetIterator<unknown>>();
  /** Of the first epoch: made at once, so that a wrong state is an error at once. */
  #first: DatasetIterator<unknown> | undefined;
  #next: number;
  /** Of the epoch begun last. */
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

  /** Of an epoch that is over the state is kept, and nothing of its data. */
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
