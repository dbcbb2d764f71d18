import { lengthOf, viewOf } from '../../base';
import { setImmediate } from 'node:timers/promises';

import { unchanged, type ChunkPull } from '../../io';

/** Bytes that may wait in native code's queue: enough to keep it busy while JavaScript waits for the source. */
const QUEUE_BYTES = 2 * 1024 * 1024;
/** Larger chunks are fed in parts of this size, so that native code never copies more than the queue may hold. */
const PIECE_BYTES = 1024 * 1024;
/** After this many chunks the event loop may turn, even if an iterable gives them at once. */
const CHUNKS_PER_TURN = 512;
/** Longest wait for more chunks from a source of tiny chunks, in milliseconds. */
const GATHER_MS = 10;
const NOTHING = new Uint8Array(0);

/** Pulls chunks and feeds them to native code while its queue has room. */
export class Feeder {
  readonly #file: string;
  readonly #pull: ChunkPull;
  readonly #feed: (chunk: Uint8Array, last: boolean) => void;
  #running = false;
  #ended = false;
  #closed = false;
  #pulls = 0;
  #fedBytes = 0;
  #consumedBytes = 0;
  #wake: (() => void) | undefined;
  /** The chunk that is being fed. */
  #chunk: Uint8Array = NOTHING;
  /** Its length when it came. */
  #chunkBytes = 0;
  /** The number of its bytes that were fed. */
  #chunkFed = 0;
  /** Number of chunks, or parts of chunks, that were fed so far. The end of the stream counts as one. */
  fedChunks = 0;
  /** The source's own error, or ENOMEM. It ends feeding. */
  failure: { readonly error: unknown } | undefined;

  /** `file`: the name in errors. */
  constructor(file: string, pull: ChunkPull, feed: (chunk: Uint8Array, last: boolean) => void) {
    this.#file = file;
    this.#pull = pull;
    this.#feed = feed;
  }

  /** Number of bytes that native code has not consumed yet. */
  get queuedBytes(): number {
    return this.#fedBytes - this.#consumedBytes;
  }

  /** Sets the total number of bytes that native code has consumed, and continues feeding. */
  consumed(bytes: number): void {
    this.#consumedBytes = bytes;
    this.start();
  }

  /** Feeds until the queue is full, the source ended or failed, or `close`. */
  start(): void {
    if (!this.#running && !this.#over && this.queuedBytes < QUEUE_BYTES) void this.#run();
  }

  /**
   * Resolves when a fill is worthwhile: more than `seen` chunks were fed, and either the source gave nothing during a turn
   * of the event loop, or the time is up, or the queue is full, or nothing more will come. So records of a slow source are
   * not held back, and those of a fast source fill whole slabs.
   */
  async gathered(seen: number): Promise<void> {
    if (this.fedChunks <= seen && !this.#over) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const until = performance.now() + GATHER_MS;
    let before = -1;
    while (this.#running && before !== this.fedChunks && performance.now() < until) {
      before = this.fedChunks;
      await setImmediate();
    }
  }

  /** Ends feeding and closes the source. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#hold(NOTHING);
    this.#awake();
    await this.#pull.close();
  }

  get #over(): boolean {
    return this.#ended || this.#closed || this.failure !== undefined;
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (!this.#over && this.queuedBytes < QUEUE_BYTES) await this.#step();
    } catch (error) {
      this.failure = { error };
    } finally {
      this.#running = false;
      this.#awake();
    }
  }

  async #step(): Promise<void> {
    if (this.#chunkFed === this.#chunkBytes) {
      const chunk = await this.#pull.next();
      if (++this.#pulls % CHUNKS_PER_TURN === 0) await setImmediate();
      if (this.#closed) return;
      this.#hold(chunk ?? NOTHING);
      this.#ended = chunk === undefined;
    }
    if (this.#chunkFed === this.#chunkBytes && !this.#ended) return;
    const end = Math.min(this.#chunkFed + PIECE_BYTES, this.#chunkBytes);
    const count = end - this.#chunkFed;
    this.#feed(viewOf(unchanged(this.#chunk, this.#chunkBytes, this.#file), this.#chunkFed, end), this.#ended);
    this.#chunkFed = end;
    this.#fedBytes += count;
    if (end === this.#chunkBytes) this.#hold(NOTHING);
    this.fedChunks++;
    this.#awake();
  }

  #hold(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#chunkBytes = lengthOf(chunk);
    this.#chunkFed = 0;
  }

  #awake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
