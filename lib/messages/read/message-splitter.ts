import { faultError, HEADER_BYTES, invalidArgValue, isObject, placedError, TFRecordError } from '../../base';
import { notMessage } from '../../example';
import { newBatch, stepAfter, type ErrorPolicy, type FilledSlab, type Splitter, type Step } from '../../record';
import { MessageRun } from './message-run';

/** Decodes one type of message. The types of this package do, and so do those that code generators make. */
export interface MessageDecoder<T> {
  /** The name of the message, for errors. Default: `message`. */
  readonly name?: string;
  /** Returns the message of `bytes`, or throws. The memory of `bytes` is not used again. */
  decode(bytes: Uint8Array): T;
}

/** Limits of the records that are decoded in one turn of the event loop. */
const RUN_RECORDS = 64;
const RUN_BYTES = 32 * 1024;

/**
 * Decodes the records of filled slabs, and leaves out those that are damaged or cannot be decoded. Applies the policy to
 * each fault after all messages before it were handed out.
 */
export class MessageSplitter<T extends object> implements Splitter<FilledSlab, MessageRun<T>> {
  readonly #decoder: MessageDecoder<T>;
  readonly #policy: ErrorPolicy;
  #filled: FilledSlab | undefined;
  #file = '';
  #frame = 0;
  #fault = 0;
  /** The error of the record before the current frame. */
  #error: TFRecordError | undefined;

  constructor(decoder: MessageDecoder<T>, policy: ErrorPolicy) {
    this.#decoder = decoder;
    this.#policy = policy;
  }

  load(file: string, filled: FilledSlab): void {
    this.#file = file;
    this.#filled = filled;
    this.#frame = 0;
    this.#fault = 0;
    this.#error = undefined;
  }

  next(): Step<MessageRun<T>> {
    if (this.#filled === undefined) return 'fill';
    const { result } = this.#filled;
    for (;;) {
      if (this.#error !== undefined) {
        const error = this.#error;
        this.#error = undefined;
        return this.#policy.resolve(error) === 'stop' ? 'stop' : 'skipped';
      }
      const fault = result.faults.at(this.#fault);
      const end = fault === undefined ? result.frames.length / 2 : fault.record! - result.firstRecord;
      if (end === this.#frame) {
        if (fault === undefined) {
          this.#filled = undefined;
          return stepAfter(this.#policy, this.#file, result);
        }
        this.#fault++;
        this.#frame = end + 1;
        this.#error = faultError(fault, { file: this.#file });
        continue;
      }
      const run = this.#decode(this.#filled, end);
      if (run.length === 0) continue;
      this.#policy.passed(run.length);
      return run;
    }
  }

  /** Decodes records from the current frame on: some, those before `end`, or those before one that cannot be decoded. */
  #decode({ slab, result }: FilledSlab, end: number): MessageRun<T> {
    const { frames, firstRecord, base } = result;
    const source = { file: this.#file, slab, frames, firstRecord, base: base - HEADER_BYTES };
    const begin = this.#frame;
    const records = newBatch(source, begin, Math.min(end, begin + RUN_RECORDS));
    const messages: T[] = [];
    for (let bytes = 0; messages.length < records.length && bytes < RUN_BYTES;) {
      const record = records.at(messages.length)!;
      bytes += record.length;
      let message: unknown;
      try {
        message = this.#decoder.decode(record);
      } catch (error) {
        const name = this.#decoder.name ?? 'message';
        const known = error instanceof TFRecordError ? error : notMessage('bytes', name, error);
        this.#error = placedError(known, records.origin(messages.length)!);
        break;
      }
      // The decoder is wrong then, not the record: `undefined` would end the messages.
      if (!isObject(message)) throw invalidArgValue('type.decode', 'a function that returns objects', message);
      messages.push(message as T);
    }
    const run = new MessageRun(messages, newBatch(source, begin, begin + messages.length));
    this.#frame = begin + messages.length + (this.#error === undefined ? 0 : 1);
    return run;
  }
}
