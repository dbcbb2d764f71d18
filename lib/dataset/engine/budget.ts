import type { AheadBudget } from '../../record';

/** 256 MiB. */
export const DEFAULT_BYTES = 256 * 1024 * 1024;
/** Part of the budget that one chunk may have. */
const CHUNK_SHARE = 1 / 16;

/**
 * Bytes that an iteration may hold ahead of use: shared by all that runs ahead, each as it needs. Who is waited for goes on
 * without it, an element at a time.
 */
export class Budget implements AheadBudget {
  readonly #bytes: number;
  #held = 0;

  constructor(bytes = DEFAULT_BYTES) {
    this.#bytes = bytes;
  }

  get room(): number {
    return this.#bytes - this.#held;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** Elements of `each` bytes that go into one chunk; 1 or more. */
  chunkOf(each: number): number {
    return Math.max(1, Math.floor((this.#bytes * CHUNK_SHARE) / Math.max(1, each)));
  }
}
