import type { Bytes } from './origin';

/** Bytes that wait to be used again, at most. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Slabs whose records were all copied, and of which nobody has seen a byte: memory that is read into again need not be
 * collected, nor be fetched from the system.
 */
export class SlabPool {
  readonly #slabs: Bytes[] = [];
  #bytes = 0;

  /** One of `size` bytes or more, if there is one. */
  take(size: number): Bytes | undefined {
    const at = this.#slabs.findLastIndex(({ length }) => length >= size);
    if (at < 0) return undefined;
    const [slab] = this.#slabs.splice(at, 1) as [Bytes];
    this.#bytes -= slab.length;
    return slab;
  }

  give(slab: Bytes): void {
    if (this.#bytes + slab.length > MAX_BYTES) return;
    this.#slabs.push(slab);
    this.#bytes += slab.length;
  }

  /** Nobody will take any more. */
  clear(): void {
    this.#slabs.length = 0;
    this.#bytes = MAX_BYTES;
  }
}
