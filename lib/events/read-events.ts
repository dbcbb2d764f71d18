/** Reads the values of TensorBoard's logs. */
import { invalidArgValue, onAbort } from '../base';
import { lookSoon, readableSource, type RecordSource } from '../io';
import { RecycledBatches } from '../record';
import { resolveEventOptions, type EventOptions } from './event-options';
import type { EventKind, EventOf, EventValue } from './event-values';
import { findLogs } from './find-logs';
import { followLogs } from './follow-logs';
import { readLogs, readSource, type LogPlan } from './log-reading';
import { stepsSoon } from './log-steps';
import type { ValueBlock } from './value-block';

/**
 * Reads the values of TensorBoard's logs, whose event files are TFRecord files: scalars, histograms, texts, images, sounds and
 * other tensors, in the forms of TensorFlow 1 and 2 (and of PyTorch, Keras and others that write them).
 *
 * `source` is a log folder, whose runs are the folders below it that hold event files (`tfevents` is in their names), or
 * event files as any other reader takes them. Runs come in the order of their names, files of a run in the order of theirs,
 * and values in the order of the log. Nothing is opened before the first step; wrong arguments throw at once.
 *
 * @throws TFRecordError as {@link readRecords} does, after all values before the damage; TFR_EXAMPLE for a record that is
 *   not an Event, TFR_DECODE for a malformed one. `onError` decides about all of them. TFR_STATE_MISMATCH for a file that
 *   lost records of a run before it was read a second time. TypeError or RangeError for wrong arguments; `signal.reason` if
 *   aborted.
 *
 * @example
 * for await (const { run, tag, step, value } of readEvents('runs', { kinds: ['scalar'], tags: 'loss*' })) {
 *   console.log(run, tag, step, value);
 * }
 */
export function readEvents<K extends EventKind = EventKind>(
  source: RecordSource,
  options?: EventOptions<K>,
): AsyncIterableIterator<EventOf<K>> {
  const blocks = eventBlocks(source, options);
  return new EventSteps(blocks) as unknown as AsyncIterableIterator<EventOf<K>>;
}

/** Values in blocks of columns, and the way to leave them at any time. */
export interface EventBlocks {
  readonly blocks: AsyncGenerator<ValueBlock, void>;
  /** Ends what is under way, and resolves when nothing is open any more. */
  close(): Promise<void>;
}

/** As {@link readEvents}, but gives blocks of columns. */
export function eventBlocks(source: RecordSource, options: EventOptions | undefined): EventBlocks {
  const { follows, pollMs, ...given } = resolveEventOptions(options, (of, read) => new RecycledBatches(of, read));
  const classified = readableSource(source);
  if (follows && (classified.kind === 'bytes' || classified.paths.some(({ path }) => path === '-'))) {
    throw invalidArgValue('options.follow', 'false: only the files of paths can be followed', follows);
  }
  if (follows && given.read.policy.salvages) {
    throw invalidArgValue(
      'options.onError',
      'not "salvage" with options.follow: it searches files to their ends',
      options?.onError,
    );
  }
  const leaving = new AbortController();
  const stopListening = linkSignals(given.read.signal, leaving);
  const plan: LogPlan = { ...given, read: { ...given.read, signal: leaving.signal } };
  const blocks = (async function* (): AsyncGenerator<ValueBlock, void> {
    try {
      leaving.signal.throwIfAborted();
      if (classified.kind === 'bytes') {
        const { source: bytes } = classified;
        const again = bytes.repeatable ? classified : undefined;
        yield* stepsSoon(readSource(classified, plan, { runOf: () => '.', again: () => again }));
        return;
      }
      if (follows) {
        yield* followLogs(classified, plan, pollMs, leaving.signal);
        return;
      }
      const { files, errors } = await lookSoon(findLogs(classified), () => leaving.signal.aborted, classified.folder);
      for (const error of errors) if (plan.read.policy.resolve(error) === 'stop') return;
      yield* stepsSoon(readLogs(files, classified.folder, plan));
    } catch (error) {
      leaving.signal.throwIfAborted();
      throw error;
    } finally {
      stopListening();
    }
  })();
  return {
    blocks,
    async close() {
      leaving.abort();
      // The step under way ends soon, with the reason of the abort, which nobody waits for.
      await blocks.return().catch(() => undefined);
      stopListening();
    },
  };
}

function linkSignals(signal: AbortSignal | undefined, leaving: AbortController): () => void {
  if (signal === undefined) return () => undefined;
  const abort = (): void => leaving.abort(signal.reason);
  if (signal.aborted) abort();
  return onAbort(signal, abort);
}

/** Gives the values of blocks, one by one. Not an async generator, whose `return` would wait for a value that never comes. */
class EventSteps implements AsyncIterableIterator<EventValue> {
  readonly #source: EventBlocks;
  #block: ValueBlock | undefined;
  #row = 0;
  #left = false;
  /** The step that was called last. Steps run one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: EventBlocks) {
    this.#source = source;
  }

  next(): Promise<IteratorResult<EventValue>> {
    const step = this.#last.then(() => this.#next());
    this.#last = step.catch(() => undefined);
    return step;
  }

  async return(value?: unknown): Promise<IteratorResult<EventValue>> {
    this.#left = true;
    this.#block = undefined;
    await this.#source.close();
    return { value, done: true };
  }

  async throw(error?: unknown): Promise<IteratorResult<EventValue>> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #next(): Promise<IteratorResult<EventValue>> {
    while (this.#block === undefined || this.#row >= this.#block.rows) {
      if (this.#left) return { value: undefined, done: true };
      try {
        const { value, done } = await this.#source.blocks.next();
        if (done === true) return { value: undefined, done: true };
        this.#block = value;
        this.#row = 0;
      } catch (error) {
        if (this.#left) return { value: undefined, done: true };
        throw error;
      }
    }
    return { value: this.#block.value(this.#row++), done: false };
  }
}
