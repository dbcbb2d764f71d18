import { type Bytes } from '../../base';
import { LARGEST_SHOWN, type MemoryPool } from '../../io';

/** The batches that are shown to users until the next step. */
const shown = new WeakMap<object, BatchMemory>();

/**
 * The memory of one batch that lasts until the next step: of the arrays that were parsed, and of those that are made of
 * them. The step ends all of it at once.
 */
export class BatchMemory {
  readonly #pool: MemoryPool;
  readonly #file: string;
  readonly #leased: Bytes[] = [];

  /** `file`: for errors. */
  constructor(pool: MemoryPool, file: string) {
    this.#pool = pool;
    this.#file = file;
  }

  /** Memory of `bytes` or more, whose content is anything; undefined for none, and for too many. @throws TFRecordError ENOMEM */
  take(bytes: number): ArrayBuffer | undefined {
    if (bytes === 0 || bytes > LARGEST_SHOWN) return undefined;
    const leased = this.#pool.leaseToShow(bytes, this.#file);
    this.#leased.push(leased);
    return leased.buffer;
  }

  /** Memory of the same pool, for a batch that is made of this one. */
  another(): BatchMemory {
    return new BatchMemory(this.#pool, this.#file);
  }

  /** The next batch may overwrite it. Idempotent. */
  end(): void {
    for (const leased of this.#leased.splice(0)) this.#pool.end(leased);
  }

  /** Notes that `batch` lies in this memory. */
  hold(batch: object): void {
    shown.set(batch, this);
  }

  /** Ends the memory of `value` if it is a batch of `pool`. */
  static endOf(value: unknown, pool: MemoryPool): void {
    const memory = shown.get(value as object);
    if (memory !== undefined && memory.#pool === pool) memory.end();
  }
}
