import { native } from '../native';
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

  /** The smallest of `size` bytes or more, if there is one; none of more than twice that: what is held should be used. */
  take(size: number): Bytes | undefined {
    let best: Bytes | undefined;
    for (const slab of this.#slabs) {
      if (slab.length >= size && slab.length <= (best?.length ?? 2 * size)) best = slab;
    }
    if (best === undefined) return undefined;
    this.#slabs.splice(this.#slabs.lastIndexOf(best), 1);
    this.#bytes -= best.length;
    return best;
  }

  give(slab: Bytes): void {
    if (this.#bytes + slab.length > MAX_BYTES) {
      native().detach([slab.buffer]);
      return;
    }
    this.#slabs.push(slab);
    this.#bytes += slab.length;
  }

  /** Nobody will take any more. */
  clear(): void {
    native().detach(this.#slabs.splice(0).map(({ buffer }) => buffer));
    this.#bytes = MAX_BYTES;
  }
}
