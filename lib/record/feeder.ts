import { setImmediate } from 'node:timers/promises';

import type { ChunkPull } from './source';

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
  readonly #pull: ChunkPull;
  readonly #feed: (chunk: Uint8Array, last: boolean) => void;
  #running = false;
  #ended = false;
  #closed = false;
  #pulls = 0;
  #fedBytes = 0;
  #consumedBytes = 0;
  #wake: (() => void) | undefined;
  /** What remains of a large chunk. */
  #rest: Uint8Array = NOTHING;
  /** Chunks fed so far; the end counts as one. */
  fedChunks = 0;
  /** The source's own error, or ENOMEM; the end of the feeding. */
  failure: { readonly error: unknown } | undefined;

  constructor(pull: ChunkPull, feed: (chunk: Uint8Array, last: boolean) => void) {
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
   * turn of the event loop or for long, or the queue is full, or nothing more will come. So records of a slow source are not held
   * back, and those of a fast one are read by the slab.
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
    this.#rest = NOTHING;
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
    if (this.#rest.length === 0) {
      const chunk = await this.#pull.next();
      if (++this.#pulls % CHUNKS_PER_TURN === 0) await setImmediate();
      if (this.#closed) return;
      this.#rest = chunk ?? NOTHING;
      this.#ended = chunk === undefined;
    }
    if (this.#rest.length === 0 && !this.#ended) return;
    const piece = this.#rest.subarray(0, PIECE_BYTES);
    this.#rest = this.#rest.subarray(PIECE_BYTES);
    this.#feed(piece, this.#ended);
    this.#fedBytes += piece.length;
    this.fedChunks++;
    this.#awake();
  }

  #awake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
