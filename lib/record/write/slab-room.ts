import { MemoryPool } from '../../io';
import { FrameSlab, SLAB_BYTES } from './frame-slab';

interface Wait {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Number of slabs, more than the threads, that may be under way before a caller should wait. */
const AHEAD = 2;
/**
 * Total size of slabs that may be under way before a caller should wait. A record over 1 MiB has a slab of its own.
 */
const AHEAD_BYTES = 64 * 1024 * 1024;
/** Maximum size of the memory that waits for its next use, beside that of usual slabs. */
const SPARE_BYTES = 48 * 1024 * 1024;
/** Number of slabs of a shared room that may be under way: small ones, whose objects take more memory than their bytes. */
const SHARED_AHEAD = 16;
/** Maximum total size of the slabs in a shared room that wait for more records. */
export const HELD_BYTES = 12 * 1024 * 1024;
/** Smallest slab of a writer that shares its room. */
const FIRST_BYTES = 4096;
/** Smaller slabs are freed at once: keeping thousands of them in order would take longer than allocating them. */
const LEAST_KEPT_BYTES = 64 * 1024;

/**
 * The memory and the back-pressure of slabs: of one writer, or, if it is shared, of many that are written at a time. Where
 * it is shared, slabs begin small and grow to 1 MiB, so that thousands of writers take the memory of what they hold.
 */
export class SlabRoom {
  readonly shared: boolean;
  /** Set while too many slabs are under way. Resolves when there is room; rejects, never unhandled, after a failure. */
  pressure: Promise<void> | undefined;
  /** Number of writers that share the room. */
  writers = 0;
  /** Called with the first failure of any of the writers that share the room. */
  onFailure: ((error: unknown) => void) | undefined;
  /** Total size of the slabs to which records are appended. */
  heldBytes = 0;

  readonly #limit: number;
  readonly #memory: MemoryPool;
  readonly #small = new MemoryPool(0);
  #underWay = 0;
  #underWayBytes = 0;
  #wait: Wait | undefined;

  /** `threads`: number of slabs that are worked on at a time. */
  constructor(threads: number, shared = false) {
    this.shared = shared;
    this.#limit = threads + AHEAD;
    this.#memory = new MemoryPool((this.#limit + 1) * SLAB_BYTES + (shared ? 0 : SPARE_BYTES));
  }

  /** Returns an empty slab for frames of `bytes`, and more. @throws TFRecordError ENOMEM, naming `file` */
  newSlab(bytes: number, file: string, maxRecordBytes: number): FrameSlab {
    // Slabs end at the same records, whatever memory is free: GZIP members, and so the bytes of the file, depend on it.
    const capacity = Math.max(bytes, this.shared ? this.#firstBytes : SLAB_BYTES);
    const slab = new FrameSlab(this.#poolOf(capacity).lease(capacity, file), capacity, maxRecordBytes);
    this.heldBytes += slab.buffer.length;
    return slab;
  }

  /** Returns `slab` with room for a frame of `bytes` more; undefined if it is as large as slabs become. */
  grown(slab: FrameSlab, bytes: number, file: string, maxRecordBytes: number): FrameSlab | undefined {
    const least = slab.used + bytes;
    if (!this.shared || slab.records === 0 || least > SLAB_BYTES) return undefined;
    const larger = this.newSlab(powerOf2(least), file, maxRecordBytes);
    larger.copyFrom(slab);
    this.drop(slab);
    return larger;
  }

  /** `slab` is on its way to the target. */
  sent(slab: FrameSlab): void {
    this.heldBytes -= slab.buffer.length;
    this.#underWay++;
    this.#underWayBytes += slab.buffer.length;
    if (this.#isFull && this.pressure === undefined) this.#holdBack();
  }

  /** The target has taken `slab`, which was sent. */
  takeBack(slab: FrameSlab): void {
    this.#underWay--;
    this.#underWayBytes -= slab.buffer.length;
    this.#poolOf(slab.buffer.length).end(slab.buffer);
    if (!this.#isFull) this.#letGo();
  }

  /** `slab`, which was not sent, is no longer needed. */
  drop(slab: FrameSlab): void {
    this.heldBytes -= slab.buffer.length;
    this.#poolOf(slab.buffer.length).end(slab.buffer);
  }

  /** Ends the wait of the caller with `error`. */
  fail(error: unknown): void {
    const report = this.onFailure;
    this.onFailure = undefined;
    report?.(error);
    this.#wait?.reject(error);
  }

  /** Frees the spare memory, and from now on all that comes back. */
  close(): void {
    this.#memory.close();
  }

  /** With few writers, slabs begin with their full size, so that nothing is copied. */
  get #firstBytes(): number {
    const fair = powerOf2(HELD_BYTES / (2 * this.writers) + 1) / 2;
    return Math.min(SLAB_BYTES, Math.max(FIRST_BYTES, fair));
  }

  #poolOf(bytes: number): MemoryPool {
    return bytes < LEAST_KEPT_BYTES ? this.#small : this.#memory;
  }

  get #isFull(): boolean {
    // Slabs of a shared room have any size.
    if (this.shared) return this.#underWay > SHARED_AHEAD || this.#underWayBytes > this.#limit * SLAB_BYTES;
    return this.#underWay > this.#limit || this.#underWayBytes > Math.max(AHEAD_BYTES, this.#limit * SLAB_BYTES);
  }

  #holdBack(): void {
    let wait!: Omit<Wait, 'promise'>;
    const promise = new Promise<void>((resolve, reject) => {
      wait = { resolve, reject };
    });
    // A caller that does not wait gets a failure from the next write, or from close.
    promise.catch(() => undefined);
    this.#wait = { promise, ...wait };
    this.pressure = promise;
  }

  #letGo(): void {
    this.#wait?.resolve();
    this.#wait = undefined;
    this.pressure = undefined;
  }
}

/** Returns the least power of 2 that is at least `value`. */
function powerOf2(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
