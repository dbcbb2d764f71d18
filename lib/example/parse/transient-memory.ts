/** Memory of batches that last until the next step, and then serves again. */
import { native } from '../../native';
import { movedMemory, SlabPool } from '../../record';

/** What is larger is not lent. */
const MOST_LENT = 64 * 2 ** 20;
const PAGE = 4096;

/** The slabs of one reader, or of one iterator of a dataset. */
export class TransientMemory {
  readonly #pool = new SlabPool();
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

  /** Takes the memory of all arrays over `memory`, which are empty then. Frees what it has not lent. */
  giveBack(memory: readonly ArrayBuffer[]): void {
    const others = memory.filter((buffer) => !this.#reclaim(buffer));
    if (others.length > 0) native().detach(others);
  }

  /** Frees what lies ready, and all that is given back later on. */
  release(): void {
    this.#pool.clear();
  }

  #reclaim(slab: ArrayBuffer): boolean {
    if (!this.#lent.delete(slab)) return false;
    const moved = movedMemory(slab);
    if (moved !== undefined) this.#pool.give(new Uint8Array(moved));
    return moved !== undefined;
  }
}

/** Somewhat more than `bytes`, so that it serves the next batch, too. */
function fresh(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(Math.ceil((bytes * 1.125) / PAGE) * PAGE).buffer;
}
