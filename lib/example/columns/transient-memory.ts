/**
 * Memory of batches that last only until the next step. The JavaScript thread then overwrites it. The memory is never
 * detached or given to another thread, because users may have passed it to a call that goes on in the background.
 */
import { SlabPool } from '../../record';

/** The largest slab that is lent. */
const MOST_LENT = 64 * 2 ** 20;
const PAGE = 4096;

/** The slabs of one reader, or of one iterator of a dataset. */
export class TransientMemory {
  // Slabs that the pool does not keep are left to the collector.
  readonly #pool = new SlabPool({ free: () => undefined, most: MOST_LENT });
  readonly #lent = new WeakSet<ArrayBuffer>();
  readonly #batches = new WeakMap<object, readonly ArrayBuffer[]>();

  /**
   * A slab of `bytes` bytes or more, whose content is anything; undefined for none, and for too many.
   * @throws RangeError where there is no memory
   */
  take(bytes: number): ArrayBuffer | undefined {
    if (bytes === 0 || bytes > MOST_LENT) return undefined;
    const slab = this.#pool.take(Math.max(bytes, PAGE))?.buffer ?? fresh(bytes);
    this.#lent.add(slab);
    return slab;
  }

  /** `batch` consists of `memory`: it is to be given back with {@link giveBackBatch}. */
  hold(batch: object, memory: readonly ArrayBuffer[]): void {
    this.#batches.set(batch, memory);
  }

  /** Takes the memory of a batch that it holds; passes over anything else. */
  giveBackBatch(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const memory = this.#batches.get(value);
    if (memory === undefined) return;
    this.#batches.delete(value);
    this.giveBack(memory);
  }

  /** Takes back the slabs of `memory` that it has lent, for reuse. Arrays over them will show other values. */
  giveBack(memory: readonly ArrayBuffer[]): void {
    for (const slab of memory) {
      // The slab may have been transferred away.
      if (this.#lent.delete(slab) && slab.byteLength > 0) this.#pool.give(new Uint8Array(slab));
    }
  }

  /** Releases all memory. */
  release(): void {
    this.#pool.clear();
  }
}

/** Somewhat more than `bytes`, so that it serves the next batch, too. */
function fresh(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(Math.ceil((bytes * 1.125) / PAGE) * PAGE).buffer;
}
