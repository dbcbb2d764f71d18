import { native } from '../../native';
import { SLAB_BYTES, type FrameSlab } from './frame-slab';

/**
 * Empty slabs that wait for their next use, for writers whose slabs have a few sizes up to 1 MiB. User code never sees
 * their memory.
 */
export class SpareSlabs {
  readonly #bySize = new Map<number, FrameSlab[]>();
  /** Their total size. */
  #bytes = 0;

  /** Takes a slab of exactly `size` bytes, if there is one. */
  take(size: number): FrameSlab | undefined {
    const slab = this.#bySize.get(size)?.pop();
    if (slab !== undefined) this.#bytes -= size;
    return slab;
  }

  /** Adds `slab`, whose records nobody needs any more. One over 1 MiB is freed: hardly another record has its size. */
  give(slab: FrameSlab): void {
    const { length, buffer } = slab.buffer;
    if (length > SLAB_BYTES) {
      native().detach([buffer]);
      return;
    }
    slab.reset();
    const same = this.#bySize.get(length);
    if (same === undefined) this.#bySize.set(length, [slab]);
    else same.push(slab);
    this.#bytes += length;
  }

  /** Frees slabs until the others take at most `most` bytes. */
  limit(most: number): void {
    if (this.#bytes <= most) return;
    const freed: ArrayBuffer[] = [];
    for (const [size, slabs] of this.#bySize) {
      for (; this.#bytes > most && slabs.length > 0; this.#bytes -= size) freed.push(slabs.pop()!.buffer.buffer);
    }
    native().detach(freed);
  }
}
