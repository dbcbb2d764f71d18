import type { Bytes } from '../../base';
import { LARGE_WAITING_BYTES, LARGEST_SHOWN, MemoryPool } from '../../io';

/** Maximum number of bytes of slabs that wait to be shown again, unless it is a single one. One is shown at a time. */
const WAITING_SHOWN_BYTES = 8 * 1024 * 1024;

/**
 * The memory of a reader whose records are valid until the next step only. Native threads fill slabs that no user code has
 * seen. The JavaScript thread copies the records of each into the slab that showed those before them.
 */
export class ShownMemory {
  /** The pool for the slabs to fill. */
  readonly pool = new MemoryPool(LARGE_WAITING_BYTES, WAITING_SHOWN_BYTES);
  #shown: Bytes | undefined;

  /**
   * Ends the lease of `filled`, and returns memory with the same first `end` bytes. It is valid until the next call.
   * @throws TFRecordError ENOMEM, naming `file`
   */
  show(filled: Bytes, end: number, file: string): Bytes {
    this.#hide();
    // A slab that would not be kept is shown itself: copying it would only take more time and memory.
    if (filled.length > LARGEST_SHOWN) return filled;
    const shown = this.pool.leaseToShow(filled.length, file);
    shown.set(filled.subarray(0, end));
    this.pool.end(filled);
    this.#shown = shown;
    return shown;
  }

  /**
   * Shows `filled`, which the calling thread filled in memory that `pool.leaseToShow` returned. It is valid until the next
   * call.
   */
  showInPlace(filled: Bytes): void {
    this.#hide();
    this.#shown = filled;
  }

  /** Frees all memory but what is shown. */
  close(): void {
    this.#shown = undefined;
    this.pool.close();
  }

  #hide(): void {
    if (this.#shown !== undefined) this.pool.end(this.#shown);
    this.#shown = undefined;
  }
}
