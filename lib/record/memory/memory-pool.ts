import { native } from '../../native';
import { newSlab } from '../bytes';
import type { Bytes } from '../origin';

/** Bytes that wait in a list, at most. */
const WAITING_BYTES = 8 * 1024 * 1024;
/** The largest memory that waits after users saw it. More than {@link WAITING_BYTES} waits alone. */
export const LARGEST_SHOWN = 64 * 1024 * 1024;
const PAGE = 4096;

/**
 * Memory of one reader, or of one iterator of a dataset, that is used again: it need not be collected, or fetched from
 * the system.
 *
 * Memory that user code has seen is never given to a native thread again, and never detached: the user may have passed it
 * to a call that goes on in the background. So there are two lists, and memory is leased for one of them.
 */
export class MemoryPool {
  readonly #unseen = new FreeList(WAITING_BYTES, (slabs) => {
    if (slabs.length > 0) native().detach(slabs.map(({ buffer }) => buffer));
  });
  /** What goes is left to the collector. */
  readonly #seen = new FreeList(LARGEST_SHOWN, () => undefined);
  /** The list to which leased memory returns. */
  readonly #leased = new WeakMap<ArrayBuffer, FreeList>();

  /**
   * Memory of `bytes` to twice as many bytes that native threads may fill, for no user code has seen it. Its lease may
   * end only if that is still so. @throws TFRecordError ENOMEM, naming `file`
   */
  lease(bytes: number, file: string): Bytes {
    return this.#lease(this.#unseen, this.#unseen.take(bytes) ?? newSlab(bytes, file));
  }

  /**
   * Memory of `bytes` or more that users may see until its lease ends. Then the JavaScript thread overwrites it.
   * @throws TFRecordError ENOMEM, naming `file`
   */
  leaseToShow(bytes: number, file: string): Bytes {
    const size = Math.max(bytes, PAGE);
    return this.#lease(this.#seen, this.#seen.take(size) ?? newSlab(commonSize(size), file));
  }

  /** Ends the lease of `memory`, which then serves again. Passes over memory that is not leased, or was transferred away. */
  end({ buffer }: Bytes): void {
    const list = this.#leased.get(buffer);
    this.#leased.delete(buffer);
    if (buffer.byteLength > 0) list?.give(new Uint8Array(buffer));
  }

  /** Frees what waits, and whatever lease ends later on. */
  close(): void {
    this.#unseen.close();
    this.#seen.close();
  }

  #lease(list: FreeList, memory: Bytes): Bytes {
    this.#leased.set(memory.buffer, list);
    return memory;
  }
}

/** `bytes` and up to a quarter more: of few sizes, so that memory serves the next batch, too. */
export function commonSize(bytes: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(bytes + 1)) - 2);
  return Math.ceil(bytes / step) * step;
}

/** Memory that waits for its next lease, the oldest first. */
class FreeList {
  readonly #largest: number;
  readonly #free: (slabs: readonly Bytes[]) => void;
  readonly #slabs: Bytes[] = [];
  #closed = false;

  /** `largest`: bytes of the largest slab that is kept. `free`: frees those that are not kept. */
  constructor(largest: number, free: (slabs: readonly Bytes[]) => void) {
    this.#largest = largest;
    this.#free = free;
  }

  /** The smallest of `size` bytes or more, if there is one; none of more than twice that: what is held should be used. */
  take(size: number): Bytes | undefined {
    let best: Bytes | undefined;
    for (const slab of this.#slabs) {
      if (slab.length >= size && slab.length <= (best?.length ?? 2 * size)) best = slab;
    }
    if (best !== undefined) this.#slabs.splice(this.#slabs.lastIndexOf(best), 1);
    return best;
  }

  /** Takes `slab`, instead of older ones if need be. */
  give(slab: Bytes): void {
    if (this.#closed || slab.length > this.#largest) {
      this.#free([slab]);
      return;
    }
    // Summed up each time, because slabs that users have seen may be transferred away.
    let [older, bytes] = [0, this.#slabs.reduce((sum, { length }) => sum + length, slab.length)];
    while (bytes > WAITING_BYTES && older < this.#slabs.length) bytes -= this.#slabs[older++]!.length;
    if (older > 0) this.#free(this.#slabs.splice(0, older));
    this.#slabs.push(slab);
  }

  close(): void {
    this.#closed = true;
    this.#free(this.#slabs.splice(0));
  }
}
