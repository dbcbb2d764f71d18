/** Reads records as messages of one type. */
import { inspect } from 'node:util';

import { inspected, invalidArgType, isObject, type InspectArguments, type Origin } from '../../base';
import { readableSource, type RecordSource } from '../../io';
import {
  Cursor,
  ElementSteps,
  InputSequence,
  Readings,
  resolveReadOptions,
  slabStreams,
  type ReadOptions,
  type ReadStats,
} from '../../record';
import type { MessageRun } from './message-run';
import { MessageSplitter, type MessageDecoder } from './message-splitter';

const NAME = 'A MessageReader';

/**
 * Reads the messages of records, from the first to the last. The end, `break`, `return()` and any error end a reading.
 * Iterating after that starts again from the first record; for a stream, and after `close()`, it throws TFR_CLOSED.
 */
export interface MessageReader<T> extends AsyncIterable<T>, AsyncDisposable {
  /** Yields the messages. Each is an object of its own, and stays valid. */
  [Symbol.asyncIterator](): AsyncIterableIterator<T>;
  /** The place of the record that was handed out last; undefined before the first. */
  readonly origin: Origin | undefined;
  /** The progress of this reader. */
  readonly stats: ReadStats;
  /** Ends the reading. Resolves when nothing is open any more. Idempotent. */
  close(): Promise<void>;
  /** The same as {@link MessageReader.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Reads records as messages of any type. `type`: one of {@link MessageTypes}, `Example`, `Event` and the others of this
 * package, or any object with a function `decode`, as code generators for protobuf make them.
 *
 * A record that cannot be decoded is like a damaged one: an error with its file, record and byte, about which `onError`
 * decides.
 * @throws TFRecordError TFR_DECODE (for an Example TFR_EXAMPLE) for such a record; the codes of `readRecords`
 *
 * @example
 * const types = await loadMessageTypes('label.proto');
 * for await (const label of readMessages('labels.tfrecord', types.type('Label'))) console.log(label);
 */
export function readMessages<T extends object>(
  source: RecordSource,
  type: MessageDecoder<T>,
  options?: ReadOptions,
): MessageReader<T> {
  const given: unknown = type;
  // Generated types are classes.
  if ((!isObject(given) && typeof given !== 'function') || typeof type.decode !== 'function') {
    throw invalidArgType('type', 'the type of a message, with a function decode', type);
  }
  // Checks the options before the source.
  resolveReadOptions(options);
  const classified = readableSource(source);
  const readings = new Readings(classified, () => {
    const plan = resolveReadOptions(options);
    const splitter = new MessageSplitter(type, plan.policy);
    return new MessageCursor(new InputSequence(classified, plan, slabStreams(plan), splitter), plan.policy);
  });
  return new Reader(readings);
}

class MessageCursor<T extends object> extends Cursor<T, MessageRun<T>> {
  protected view(): T {
    return this.held!.messages[this.index]!;
  }

  protected lost(cause: unknown): unknown {
    return cause;
  }

  protected exchanged(): void {
    // Messages have memory of their own.
  }

  protected bytesBefore(run: MessageRun<T>, count: number): number {
    return run.bytesBefore(count);
  }
}

class Reader<T extends object> implements MessageReader<T> {
  readonly #readings: Readings<MessageCursor<T>>;

  constructor(readings: Readings<MessageCursor<T>>) {
    this.#readings = readings;
    readings.current.belongsTo(this, NAME);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return new Messages<T>(this.#resume(), this, () => this.#resume());
  }

  #resume(): MessageCursor<T> {
    const before = this.#readings.current;
    const cursor = this.#readings.resume();
    if (cursor !== before) cursor.belongsTo(this, NAME);
    return cursor;
  }

  get origin(): Origin | undefined {
    return this.#readings.current.origin;
  }

  get stats(): ReadStats {
    return this.#readings.current.stats;
  }

  close(): Promise<void> {
    this.#readings.close();
    return this.#readings.current.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [inspect.custom](...args: InspectArguments): string {
    return inspected('MessageReader', args, () => (#readings in this ? this.#readings.current.shown : {}));
  }
}

class Messages<T extends object> extends ElementSteps<T> {
  protected override printedName(): string {
    return 'MessageIterator';
  }
}
