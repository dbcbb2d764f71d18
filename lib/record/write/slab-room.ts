import { LARGE_WAITING_BYTES, MemoryPool, newSlab } from '../../io';
import { FrameSlab, SLAB_BYTES } from './frame-slab';
import { SpareSlabs } from './spare-slabs';
import type { WritePlan } from './write-options';

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
/** Number of slabs of a shared room that may be under way: small ones, whose objects take more memory than their bytes. */
const SHARED_AHEAD = 16;
/** Maximum total size of the slabs in a shared room that wait for more records. */
export const HELD_BYTES = 12 * 1024 * 1024;
/** Smallest slab of a writer that shares its room. */
const FIRST_BYTES = 4096;
/** Number of slabs of the size with which writers begin that wait for their next use in a shared room. */
const SHARED_SPARES = 64;
/**
 * Slabs of a shared room that are smaller are copied when they are sent, and serve the next records at once. Memory that
 * thousands of writers need anew all the time would be promoted to the old space of V8 before its collection.
 */
const LEAST_UNCOPIED_BYTES = 64 * 1024;

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
  readonly #maxRecordBytes: number;
  readonly #memory: MemoryPool;
  /** Those of a shared room. */
  readonly #spares = new SpareSlabs();
  #closed = false;
  #underWay = 0;
  #underWayBytes = 0;
  #wait: Wait | undefined;

  /** `plan`: that of all writers. Its `threads` are the number of slabs that are worked on at a time. */
  constructor({ threads, maxRecordBytes }: WritePlan, shared = false) {
    this.shared = shared;
    this.#limit = threads + AHEAD;
    this.#maxRecordBytes = maxRecordBytes;
    this.#memory = new MemoryPool((this.#limit + 1) * SLAB_BYTES + LARGE_WAITING_BYTES);
  }

  /** Returns an empty slab for frames of `bytes`, and more. @throws TFRecordError ENOMEM, naming `file` */
  newSlab(bytes: number, file: string): FrameSlab {
    // Slabs end at the same records, whatever memory is free: GZIP members, and so the bytes of the file, depend on it.
    const capacity = this.shared ? this.#sharedSize(bytes) : Math.max(bytes, SLAB_BYTES);
    const slab = this.#spares.take(capacity) ?? this.#allocated(capacity, file);
    this.heldBytes += slab.buffer.length;
    this.#limitSpares();
    return slab;
  }

  /** True if `slab` is copied when it is sent. */
  copies(slab: FrameSlab): boolean {
    return this.shared && slab.buffer.length < LEAST_UNCOPIED_BYTES;
  }

  /** Returns `slab` with room for a frame of `bytes` more; undefined if it is as large as slabs become. */
  grown(slab: FrameSlab, bytes: number, file: string): FrameSlab | undefined {
    const least = slab.used + bytes;
    if (!this.shared || slab.records === 0 || least > SLAB_BYTES) return undefined;
    const larger = this.newSlab(least, file);
    larger.copyFrom(slab);
    this.drop(slab);
    return larger;
  }

  /** `slab` is on its way to the target. */
  sent(slab: FrameSlab): void {
    const { length } = slab.buffer;
    if (this.copies(slab)) this.drop(slab);
    else this.heldBytes -= length;
    this.sentBytes(length);
  }

  /** `bytes`, in a slab of this room or in other memory, are on their way to the target. */
  sentBytes(bytes: number): void {
    this.#underWay++;
    this.#underWayBytes += bytes;
    if (this.#isFull && this.pressure === undefined) this.#holdBack();
  }

  /** The target has taken `bytes` that were sent: those of `slab`, unless it was copied. */
  takeBack(bytes: number, slab: FrameSlab | undefined): void {
    this.#underWay--;
    this.#underWayBytes -= bytes;
    if (slab !== undefined) this.#recycle(slab);
    if (!this.#isFull) this.#letGo();
  }

  /** Nobody needs `slab`, whose records are elsewhere or lost. */
  drop(slab: FrameSlab): void {
    this.heldBytes -= slab.buffer.length;
    this.#recycle(slab);
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
    this.#closed = true;
    this.#memory.close();
    this.#limitSpares();
  }

  /** With few writers, slabs begin with their full size, so that nothing is copied. */
  get #firstBytes(): number {
    const fair = powerOf2(HELD_BYTES / (2 * this.writers) + 1) / 2;
    return Math.min(SLAB_BYTES, Math.max(FIRST_BYTES, fair));
  }

  /** A few sizes, so that a slab that was used serves again; a record over 1 MiB has a slab of its own. */
  #sharedSize(bytes: number): number {
    return bytes > SLAB_BYTES ? bytes : Math.max(powerOf2(bytes), this.#firstBytes);
  }

  #allocated(bytes: number, file: string): FrameSlab {
    const memory = this.shared ? newSlab(bytes, file) : this.#memory.lease(bytes, file);
    return new FrameSlab(memory, bytes, this.#maxRecordBytes);
  }

  #recycle(slab: FrameSlab): void {
    if (!this.shared) this.#memory.end(slab.buffer);
    else {
      this.#spares.give(slab);
      this.#limitSpares();
    }
  }

  /** Spare slabs are bounded together with held ones: the writers may need slabs of other sizes than before. */
  #limitSpares(): void {
    const few = Math.min((this.#limit + 1) * SLAB_BYTES, SHARED_SPARES * this.#firstBytes);
    this.#spares.limit(this.#closed ? 0 : Math.max(0, HELD_BYTES + few - this.heldBytes));
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
