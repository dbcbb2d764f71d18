import { setImmediate } from 'node:timers/promises';

import { lengthOf, viewOf, unchanged } from '../bytes';
import type { ChunkPull } from '../source/pull-bytes';

/** Bytes that may wait in native's queue: what keeps native busy while JavaScript waits for the source. */
const QUEUE_BYTES = 2 * 1024 * 1024;
/** Larger chunks are passed on in pieces, so that native never copies more than the queue may hold. */
const PIECE_BYTES = 1024 * 1024;
/** After this many chunks the event loop may turn, however fast an iterable gives them. */
const CHUNKS_PER_TURN = 512;
/** A source of tiny chunks is not waited for longer than this, in milliseconds. */
const GATHER_MS = 10;
const NOTHING = new Uint8Array(0);

/** Pulls chunks and feeds them to native, as far as its queue has room. */
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
  /** The chunk in hand, its length when it came, and how much of it was fed. */
  #chunk: Uint8Array = NOTHING;
  #chunkBytes = 0;
  #chunkFed = 0;
  /** Chunks fed so far; the end counts as one. */
  fedChunks = 0;
  /** The source's own error, or ENOMEM; the end of the feeding. */
  failure: { readonly error: unknown } | undefined;

  /** `file`: what errors name. */
  constructor(file: string, pull: ChunkPull, feed: (chunk: Uint8Array, last: boolean) => void) {
    this.#file = file;
    this.#pull = pull;
    this.#feed = feed;
  }

  /** Bytes that native has not consumed. */
  get queuedBytes(): number {
    return this.#fedBytes - this.#consumedBytes;
  }

  /** Tells how many bytes native has consumed in all, and goes on feeding. */
  consumed(bytes: number): void {
    this.#consumedBytes = bytes;
    this.start();
  }

  /** Feeds until the queue is full, the source ended or failed, or `close`. */
  start(): void {
    if (!this.#running && !this.#over && this.queuedBytes < QUEUE_BYTES) void this.#run();
  }

  /**
   * Resolves when a fill is worth while: there is more than the `seen` chunks, and the source did not answer within a
   * turn of the event loop or for long, or the queue is full, or nothing more will come. So records of a slow source are
   * not held back, and those of a fast one are read by the slab.
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

  /** Ends the feeding and closes the source. */
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
