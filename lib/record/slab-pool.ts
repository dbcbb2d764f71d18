import { native } from '../native';
import type { Bytes } from './origin';

/** Bytes that wait to be used again, at most. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Slabs over whose memory nobody has an array any more: memory that is filled again need not be collected, nor be fetched from
 * the system.
 */
export class SlabPool {
  /** Oldest first. */
  readonly #slabs: Bytes[] = [];
  #bytes = 0;
  #cleared = false;

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

  /** Takes `slab`, instead of older ones if need be. */
  give(slab: Bytes): void {
    if (this.#cleared || slab.length > MAX_BYTES) {
      free([slab]);
      return;
    }
    let [older, bytes] = [0, this.#bytes + slab.length];
    while (bytes > MAX_BYTES) bytes -= (this.#slabs[older++] as Bytes).length;
    if (older > 0) free(this.#slabs.splice(0, older));
    this.#slabs.push(slab);
    this.#bytes = bytes;
  }

  /** Frees all, and all that is given later on. */
  clear(): void {
    this.#cleared = true;
    this.#bytes = 0;
    free(this.#slabs.splice(0));
  }
}

function free(slabs: readonly Bytes[]): void {
  native().detach(slabs.map(({ buffer }) => buffer));
}
