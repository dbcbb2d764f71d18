import type { Origin } from '../../base';
import type { RecordBatch } from '../../record';

/** Decoded messages of neighbouring records of one file. */
export class MessageRun<T> {
  readonly messages: readonly T[];
  readonly #batch: RecordBatch;

  /** `batch`: the records of the messages. */
  constructor(messages: readonly T[], batch: RecordBatch) {
    this.messages = messages;
    this.#batch = batch;
  }

  get length(): number {
    return this.messages.length;
  }

  origin(index: number): Origin | undefined {
    return this.#batch.origin(index);
  }

  /** Sum of the lengths of the first `count` records. */
  bytesBefore(count: number): number {
    if (count === this.length) return this.#batch.byteLength;
    let bytes = 0;
    for (let i = 0; i < count; i++) bytes += this.#batch.origin(i)!.bytes;
    return bytes;
  }
}
