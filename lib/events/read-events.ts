/** Reads the values of TensorBoard's logs. */
import {
  checkBoolean,
  checkInteger,
  checkOptions,
  invalidArgType,
  invalidArgValue,
  isList,
  isOneOf,
  onAbort,
} from '../base';
import { readableSource, type RecordSource } from '../io';
import { READ_OPTION_NAMES, resolveReadOptions, type ReadOptions } from '../record';
import { EVENT_KINDS, type EventKind, type EventOf, type EventValue } from './event-values';
import { findLogs } from './find-logs';
import { followLogs } from './follow-logs';
import { readLogs, readSource, type LogPlan } from './log-reading';
import { tagMatcher } from './tag-patterns';
import type { ValueBlock } from './value-block';

/** Options of {@link readEvents}, besides those of reading records. Unknown names throw. */
export interface EventOptions<K extends EventKind = EventKind> extends ReadOptions {
  /** The tags to read: names, in which `*` stands for any characters and `?` for one. Default: all. */
  readonly tags?: string | readonly string[] | undefined;
  /** The kinds of values to read. Others are not decoded. Default: all. */
  readonly kinds?: readonly K[] | undefined;
  /**
   * True to keep the values of steps that were logged again after a restart. Default false: they are left out as TensorBoard
   * does it, so the first value of a run is given after the run was read. Up to 8 MiB of values are held; the files of a
   * longer run are read twice, and a longer stream, which cannot be read twice, is held as a whole.
   */
  readonly keepRestarted?: boolean | undefined;
  /**
   * True to go on with values that are added to the files, and with new files and runs, until `signal` aborts or the
   * loop is left. A record that is cut at the end of a file is waited for. A restart leaves out nothing that was given
   * before. For paths of files only; compressed files are read once. A file that lost bytes, or was replaced by another one,
   * is an error, TFR_STATE_MISMATCH; if `onError` skips it, the file is read from its beginning. Default: false.
   */
  readonly follow?: boolean | undefined;
  /** With `follow`: time between two looks at the files, in ms, from 10 to 86,400,000. Default: 500. */
  readonly pollMs?: number | undefined;
}

const OPTION_NAMES = ['tags', 'kinds', 'keepRestarted', 'follow', 'pollMs', ...READ_OPTION_NAMES] as const;
const DEFAULT_POLL_MS = 500;
const DAY_MS = 86_400_000;

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
  const given = checkOptions(options, OPTION_NAMES);
  const { tags, kinds, keepRestarted, follow, pollMs, ...reading } = given;
  const classified = readableSource(source);
  const follows = checkBoolean('options.follow', follow, false);
  if (follows && (classified.kind === 'bytes' || classified.paths.some(({ path }) => path === '-'))) {
    throw invalidArgValue('options.follow', 'false: only the files of paths can be followed', follow);
  }
  const every = checkInteger('options.pollMs', pollMs, 10, DAY_MS, DEFAULT_POLL_MS);
  const leaving = new AbortController();
  const read = resolveReadOptions(reading);
  const stopListening = linkSignals(read.signal, leaving);
  const plan: LogPlan = {
    read: { ...read, signal: leaving.signal },
    choice: { kinds: new Set(checkKinds(kinds)), tag: tagMatcher(tags) },
    keepsObsolete: checkBoolean('options.keepRestarted', keepRestarted, false),
  };
  const blocks = (async function* (): AsyncGenerator<ValueBlock, void> {
    try {
      leaving.signal.throwIfAborted();
      if (classified.kind === 'bytes') {
        const { source: bytes } = classified;
        const again = bytes.repeatable ? classified : undefined;
        yield* readSource(classified, plan, { runOf: () => '.', again: () => again });
        return;
      }
      if (follows) {
        yield* followLogs(classified, plan, every, leaving.signal);
        return;
      }
      const { files, errors } = await findLogs(classified, () => leaving.signal.aborted);
      for (const error of errors) if (read.policy.resolve(error) === 'stop') return;
      yield* readLogs(files, classified.folder, plan);
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

function checkKinds(kinds: unknown): readonly EventKind[] {
  if (kinds === undefined) return EVENT_KINDS;
  const expected = `a list of ${EVENT_KINDS.map((kind) => `"${kind}"`).join(', ')}`;
  if (!isList(kinds)) throw invalidArgType('options.kinds', expected, kinds);
  return kinds.map((kind: unknown, i) => {
    if (typeof kind === 'string' && isOneOf(EVENT_KINDS, kind)) return kind;
    throw invalidArgValue(`options.kinds[${i}]`, expected, kind);
  });
}
