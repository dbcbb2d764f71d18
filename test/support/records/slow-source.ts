/** A source of ranges that answers late, short, out of order, or not at all. */
import { setImmediate } from 'node:timers/promises';

import type { RecordSource } from '../../../lib';
import type { ByteSource } from '../../../lib/io';
import { randoms } from '../randoms';

type Answer = Awaited<ReturnType<NonNullable<ByteSource['read']>>>;

export interface SlowOptions {
  /** False: nobody knows the size before the end is there. Default: true. */
  readonly knowsSize?: boolean;
  /** The size that the source claims to have. Default: the right one. */
  readonly claims?: number;
  /** Seed of the random delays and lengths. Default: answers are whole, and come soon. */
  readonly seed?: number | undefined;
  /** Answers in place of the source, unless it returns undefined. May throw. */
  readonly instead?: (at: number, length: number) => Promise<Answer> | undefined;
}

export class SlowSource implements ByteSource {
  readonly name = 'slow.tfrecord';
  readonly size: number | undefined;
  readonly repeatable = true;
  /** Where each read began, and how long it was to be. */
  readonly reads: (readonly [at: number, length: number])[] = [];
  /** The most reads that were under way at a time. */
  most = 0;
  /** The signal of the last read. */
  signal: AbortSignal | undefined;
  readonly #bytes: Buffer;
  readonly #options: SlowOptions;
  readonly #random: (() => number) | undefined;
  #underWay = 0;

  constructor(bytes: Buffer, options: SlowOptions = {}) {
    this.#bytes = bytes;
    this.#options = options;
    this.#random = options.seed === undefined ? undefined : randoms(options.seed);
    this.size = options.knowsSize === false ? undefined : (options.claims ?? bytes.length);
  }

  /** As an argument of readers. */
  get source(): RecordSource {
    return this as unknown as RecordSource;
  }

  /** Number of bytes that reads asked for. */
  get asked(): number {
    return this.reads.reduce((sum, [, length]) => sum + length, 0);
  }

  identity(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  pull(): never {
    throw new Error('it is read by ranges');
  }

  async read(at: number, length: number, signal?: AbortSignal): Promise<Answer> {
    if (!(length > 0) || at < 0) throw new RangeError(`a read of ${length} bytes at ${at}`);
    this.reads.push([at, length]);
    this.signal = signal;
    this.most = Math.max(this.most, ++this.#underWay);
    try {
      return (await this.#options.instead?.(at, length)) ?? (await this.#answer(at, length));
    } finally {
      this.#underWay--;
    }
  }

  async #answer(at: number, length: number): Promise<Answer> {
    const random = this.#random;
    let size = length;
    if (random !== undefined) {
      for (let turns = Math.floor(5 * random() ** 2); turns > 0; turns--) await setImmediate();
      if (random() < 0.4) size = 1 + Math.floor(random() * length);
    }
    // A copy, so that nobody sees later what the source does with its memory.
    const bytes = Uint8Array.from(this.#bytes.subarray(at, at + size));
    return random !== undefined && random() < 0.2 ? bytes.buffer : bytes;
  }
}

/** Never settles. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
