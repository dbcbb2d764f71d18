import { type Bytes } from '../../base';
import { LARGEST_SHOWN, type MemoryPool } from '../../io';

/** The batches that users may read until the next step. */
const shown = new WeakMap<object, BatchMemory>();

/**
 * The memory of one batch that is valid until the next step: of its parsed arrays, and of arrays made of them. The step
 * releases all of it at once.
 */
export class BatchMemory {
  readonly #pool: MemoryPool;
  readonly #file: string;
  readonly #leased: Bytes[] = [];

  /** @param file name of the file in errors */
  constructor(pool: MemoryPool, file: string) {
    this.#pool = pool;
    this.#file = file;
  }

  /**
   * Returns uninitialized memory of at least `bytes`; undefined for 0 and for too many bytes. @throws TFRecordError
   * ENOMEM
   */
  take(bytes: number): ArrayBuffer | undefined {
    if (bytes === 0 || bytes > LARGEST_SHOWN) return undefined;
    const leased = this.#pool.leaseToShow(bytes, this.#file);
    this.#leased.push(leased);
    return leased.buffer;
  }

  /** Returns memory of the same pool, for a batch that is made of this one. */
  another(): BatchMemory {
    return new BatchMemory(this.#pool, this.#file);
  }

  /** Releases the memory, which the next batch may overwrite. Idempotent. */
  end(): void {
    for (const leased of this.#leased.splice(0)) this.#pool.end(leased);
  }

  /** Records that `batch` uses this memory. */
  hold(batch: object): void {
    shown.set(batch, this);
  }

  /** Releases the memory of `value` if it is a batch of `pool`. */
  static endOf(value: unknown, pool: MemoryPool): void {
    const memory = shown.get(value as object);
    if (memory !== undefined && memory.#pool === pool) memory.end();
  }
}
