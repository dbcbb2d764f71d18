import { ReadableStream } from 'node:stream/web';
import { inspect, type InspectOptionsStylized } from 'node:util';

import { invalidArgType } from '../errors';
import { checkBoolean, checkInteger, checkOptions, checkSignal } from '../record';
import { checkFunction } from './arguments';
import type { Dataset } from './dataset';
import { START } from './engine/operator';
import type { Stage } from './engine/stage';
import { explainStages } from './iterate/graph';
import { Iteration } from './iterate/iteration';
import { resume, type DatasetState } from './iterate/state';
import { ChunkSteps, ElementSteps, type DatasetIterator, type DatasetSteps } from './iterate/steps';
import { writeShards, type DatasetWriteOptions, type DatasetWriteReport } from './iterate/write-shards';
import { systemSeed } from './random';

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

/** What is done with all elements of a dataset. */
export abstract class DatasetIteration<T> implements AsyncIterable<T> {
  /** Iterations so far: the only thing about a dataset that changes. */
  #calls = 0;

  /** @internal */
  protected abstract readonly stage: Stage;

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
}
