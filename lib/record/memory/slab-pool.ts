import { native } from '../../native';
import type { Bytes } from '../origin';

/** Bytes that wait to be used again, at most. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The rules for slabs that a pool does not keep. */
export interface PoolRules {
  readonly free: (slabs: readonly Bytes[]) => void;
  /** Size of the largest slab that is kept, in bytes; a slab of more than 8 MiB is kept alone. */
  readonly most: number;
}

/** Slabs that native threads may fill again: nobody else has an array over their memory. */
const UNSEEN: PoolRules = { free: detach, most: MAX_BYTES };

/** Slabs that wait for reuse: memory that is filled again need not be collected, or fetched from the system. */
export class SlabPool {
  readonly #rules: PoolRules;
  /** Oldest first. */
  readonly #slabs: Bytes[] = [];
  #cleared = false;

  /** The default `rules` are for slabs that no user code has seen, which are freed at once. */
  constructor(rules: PoolRules = UNSEEN) {
    this.#rules = rules;
  }

  /** The smallest of `size` bytes or more, if there is one; none of more than twice that: what is held should be used. */
  take(size: number): Bytes | undefined {
    let best: Bytes | undefined;
    for (const slab of this.#slabs) {
      if (slab.length >= size && slab.length <= (best?.length ?? 2 * size)) best = slab;
    }
    if (best === undefined) return undefined;
    this.#slabs.splice(this.#slabs.lastIndexOf(best), 1);
    return best;
  }

  /** Takes `slab`, instead of older ones if need be. */
  give(slab: Bytes): void {
    const { free, most } = this.#rules;
    if (this.#cleared || slab.length > most) {
      free([slab]);
      return;
    }
    // Summed up each time, because slabs that users have seen may be transferred away.
    let [older, bytes] = [0, this.#slabs.reduce((sum, { length }) => sum + length, slab.length)];
    while (bytes > MAX_BYTES && older < this.#slabs.length) bytes -= this.#slabs[older++]!.length;
    if (older > 0) free(this.#slabs.splice(0, older));
    this.#slabs.push(slab);
  }

  /** Frees all, and all that is given later on. */
  clear(): void {
    this.#cleared = true;
    this.#rules.free(this.#slabs.splice(0));
  }
}

function detach(slabs: readonly Bytes[]): void {
  native().detach(slabs.map(({ buffer }) => buffer));
}
