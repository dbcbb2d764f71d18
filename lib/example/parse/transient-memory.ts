/** Memory of batches that last until the next step, and then serves again. */
import { native } from '../../native';
import { movedMemory } from '../../record';

/** What is larger is not lent. */
const MOST_LENT = 64 * 2 ** 20;
/** What is larger is given back to the system. */
const MOST_POOLED = 4 * 2 ** 20;
/** Bytes that lie ready, at most. */
const MOST_FREE = 8 * 2 ** 20;
/** A slab may be so many times as large as what is asked for. */
const MOST_WASTE = 4;
const PAGE = 4096;

/** The slabs of one reader, or of one iterator of a dataset. */
export class TransientMemory {
  readonly #lent = new WeakSet<ArrayBuffer>();
  readonly #batches = new WeakMap<object, readonly ArrayBuffer[]>();
  /** Largest last. */
  #free: ArrayBuffer[] = [];
  #freeBytes = 0;
  #released = false;

  /**
   * A slab of `bytes` bytes or more, whose content is anything; undefined for none, and for too many.
   * @throws RangeError where there is no memory
   */
  take(bytes: number): ArrayBuffer | undefined {
    if (bytes === 0 || bytes > MOST_LENT) return undefined;
    const place = this.#free.findIndex(({ byteLength }) => byteLength >= bytes);
    const found = this.#free[place];
    if (found !== undefined && found.byteLength <= MOST_WASTE * Math.max(bytes, PAGE)) {
      this.#free.splice(place, 1);
      this.#freeBytes -= found.byteLength;
      this.#lent.add(found);
      return found;
    }
    // Somewhat more, so that it serves the next batch, too.
    const slab = Buffer.allocUnsafeSlow(Math.ceil((bytes * 1.125) / PAGE) * PAGE).buffer;
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

  /** Takes the memory of all arrays over `memory`, which are empty then. */
  giveBack(memory: readonly ArrayBuffer[]): void {
    const others = memory.filter((buffer) => !this.#reclaim(buffer));
    if (others.length > 0) native().detach(others);
  }

  /** Frees what lies ready, and all that is given back later on. */
  release(): void {
    this.#released = true;
    native().detach(this.#free);
    this.#free = [];
  }

  /** False for memory that is not this one's, or not wanted. */
  #reclaim(slab: ArrayBuffer): boolean {
    const { byteLength } = slab;
    // One that was transferred is gone.
    if (byteLength === 0) return true;
    if (this.#released || !this.#lent.delete(slab)) return false;
    if (byteLength > MOST_POOLED || this.#freeBytes + byteLength > MOST_FREE) return false;
    const place = this.#free.findIndex((each) => each.byteLength >= byteLength);
    this.#free.splice(place < 0 ? this.#free.length : place, 0, movedMemory(slab));
    this.#freeBytes += byteLength;
    return true;
  }
}
