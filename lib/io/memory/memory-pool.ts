import { LARGEST_ARRAY, type Bytes } from '../../base';
import { native } from '../../native';
import { newSlab } from './bytes';

/** Default of the maximum number of bytes that a free list keeps, unless it keeps a single slab. */
const WAITING_BYTES = 8 * 1024 * 1024;
/**
 * The same for pools of slabs with records of some MiB each: allocating such a slab anew would cost more than copying the
 * records.
 */
export const LARGE_WAITING_BYTES = 48 * 1024 * 1024;
/** Size of the largest slab that is kept after users saw it. One of more than {@link WAITING_BYTES} is kept alone. */
export const LARGEST_SHOWN = 64 * 1024 * 1024;
const PAGE = 4096;

/**
 * Recycles the memory of one reader, or of one iterator of a dataset, so that it need not be collected and allocated again.
 *
 * Memory that user code has seen is never given to a native thread again, and never detached, because the user may have
 * passed it to a call that goes on in the background. So there are two free lists, and memory is leased from one of them.
 */
export class MemoryPool {
  readonly #unseen: FreeList;
  /** Slabs that it drops are left to the collector. */
  readonly #seen: FreeList;
  /** The list to which leased memory returns. */
  readonly #leased = new WeakMap<ArrayBuffer, FreeList>();

  /**
   * `unseenBytes` and `seenBytes`: maximum numbers of bytes that the two lists keep, unless the latter keeps a single slab.
   */
  constructor(unseenBytes = WAITING_BYTES, seenBytes = unseenBytes) {
    this.#unseen = new FreeList(unseenBytes, unseenBytes, (slabs) => {
      if (slabs.length > 0) native().detach(slabs.map(({ buffer }) => buffer));
    });
    this.#seen = new FreeList(seenBytes, LARGEST_SHOWN, () => undefined);
  }

  /**
   * Leases `bytes` to twice as many bytes that native threads may fill, because no user code has seen them. Users must
   * still not have seen them when the lease ends. @throws TFRecordError ENOMEM, naming `file`.
   */
  lease(bytes: number, file: string): Bytes {
    return this.#lease(this.#unseen, this.#unseen.take(bytes) ?? newSlab(bytes, file));
  }

  /**
   * Leases `bytes` or more that users may see until the lease ends. After that, the JavaScript thread overwrites them.
   * @throws TFRecordError ENOMEM, naming `file`.
   */
  leaseToShow(bytes: number, file: string): Bytes {
    const size = Math.max(bytes, PAGE);
    return this.#lease(this.#seen, this.#seen.take(size) ?? newSlab(commonSize(size), file));
  }

  /** Ends the lease of `memory`, which can then be leased again. Ignores memory that is not leased or was transferred. */
  end({ buffer }: Bytes): void {
    const list = this.#leased.get(buffer);
    this.#leased.delete(buffer);
    if (buffer.byteLength > 0) list?.give(new Uint8Array(buffer));
  }

  /** Frees the memory in both lists, and from now on all memory whose lease ends. */
  close(): void {
    this.#unseen.close();
    this.#seen.close();
  }

  #lease(list: FreeList, memory: Bytes): Bytes {
    this.#leased.set(memory.buffer, list);
    return memory;
  }
}

/**
 * Rounds `bytes` up by at most a quarter to one of a few sizes, so that the memory also fits the next batch. Does not
 * exceed the largest array unless `bytes` do.
 */
export function commonSize(bytes: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(bytes + 1)) - 2);
  return Math.max(bytes, Math.min(LARGEST_ARRAY, Math.ceil(bytes / step) * step));
}

/** Slabs that wait for their next lease, the oldest first. */
class FreeList {
  readonly #waitingBytes: number;
  readonly #largest: number;
  readonly #free: (slabs: readonly Bytes[]) => void;
  #slabs: Bytes[] = [];
  #closed = false;

  /**
   * `waitingBytes`: maximum number of bytes to keep, unless it is a single slab. `largest`: size of the largest slab to
   * keep. `free`: frees slabs that are not kept.
   */
  constructor(waitingBytes: number, largest: number, free: (slabs: readonly Bytes[]) => void) {
    this.#waitingBytes = waitingBytes;
    this.#largest = largest;
    this.#free = free;
  }

  /** Takes the smallest slab of `size` to twice as many bytes, if there is one. Larger slabs would waste memory. */
  take(size: number): Bytes | undefined {
    let best: Bytes | undefined;
    for (const slab of this.#slabs) {
      if (slab.length >= size && slab.length <= (best?.length ?? 2 * size)) best = slab;
    }
    if (best !== undefined) this.#slabs.splice(this.#slabs.lastIndexOf(best), 1);
    return best;
  }

  /** Adds `slab`, and drops older ones if there are too many bytes. */
  give(slab: Bytes): void {
    if (this.#closed || slab.length > this.#largest) {
      this.#free([slab]);
      return;
    }
    // Users may have transferred slabs that they saw.
    this.#slabs = this.#slabs.filter(({ length }) => length > 0);
    let [older, bytes] = [0, this.#slabs.reduce((sum, { length }) => sum + length, slab.length)];
    while (bytes > this.#waitingBytes && older < this.#slabs.length) bytes -= this.#slabs[older++]!.length;
    this.#free(this.#slabs.splice(0, older));
    this.#slabs.push(slab);
  }

  close(): void {
    this.#closed = true;
    this.#free(this.#slabs.splice(0));
  }
}
