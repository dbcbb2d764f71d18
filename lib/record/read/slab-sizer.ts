import { FRAME_BYTES } from '../../base';
import type { SlabFill } from '../../native';

/**
 * Number of records for which a slab is sized. V8 frees a slab cheaply while it is young, that is, if all its records were
 * used before much else was allocated. Slabs with many more records grow old first, and then up to 64 MB of them wait for a
 * full collection. Measured over an idle Node: slabs of 1 MiB peak at 100 MB for 100-byte records and at 80 MB for 100 kB
 * records; slabs of the sizes below peak at 30 and 55 MB.
 */
const RECORDS_PER_SLAB = 1024;
const SMALLEST = 128 * 1024;
const LARGEST = 384 * 1024;
const STEP = 64 * 1024;
/**
 * Size of slabs that are filled again and again, and so are never collected: only a few exist, and every fill costs some 15 µs
 * of two threads, which is a tenth of reading 1 MiB of records of 100 kB.
 */
export const REUSED_SLAB_BYTES = 1024 * 1024;
const LARGEST_REUSED = 2 * REUSED_SLAB_BYTES;
/** Slabs grow with the longest record, so that native code can read ahead of it, but not beyond this size. */
const LARGEST_KEPT = 8 * 1024 * 1024;
/** Smallest slab for a small input. The input may be compressed, and so longer than its size. */
const MIN_SLAB_BYTES = 16 * 1024;
/** Bytes that a slab needs beyond those of the file, so that one fill also finds the end. */
const END_MARGIN = 64;

/** Chooses the size of a stream's next slab: the size that the caller asked for, else by the records seen so far. */
export class SlabSizer {
  readonly #asked: number | undefined;
  readonly #reused: boolean;
  #bytes: number;

  /** `batchBytes`: the size that the caller asked for, if any. `reused`: slabs are filled again. */
  constructor(batchBytes: number | undefined, reused = false) {
    this.#asked = batchBytes;
    this.#reused = reused;
    this.#bytes = batchBytes ?? (reused ? REUSED_SLAB_BYTES : SMALLEST);
  }

  /**
   * Returns the size of the next slab: at least `need` bytes, for a record that did not fit, and otherwise no more than
   * `inputBytes` need, if that is known (the size of the whole input, or of what is at hand).
   */
  next(inputBytes: number | undefined, need = 0): number {
    this.#grow(need);
    if (inputBytes === undefined) return Math.max(need, this.#bytes);
    return Math.max(need, Math.min(this.#bytes, Math.max(MIN_SLAB_BYTES, inputBytes + END_MARGIN)));
  }

  /** Adapts the size to the records of a filled slab. */
  learn(fill: SlabFill): void {
    const { frames } = fill;
    if (frames.length === 0) return;
    if (this.#asked !== undefined) {
      // Several long records may come in a row. After them, the size that the caller asked for applies again.
      this.#bytes = this.#asked;
      this.#grow(longest(frames) + FRAME_BYTES);
      return;
    }
    const wanted = (endOf(fill) / (frames.length / 2)) * RECORDS_PER_SLAB;
    const [least, most] = this.#reused ? [REUSED_SLAB_BYTES, LARGEST_REUSED] : [SMALLEST, LARGEST];
    this.#bytes = Math.max(least, Math.min(most, Math.ceil(wanted / STEP) * STEP));
    if (this.#reused) this.#grow(longest(frames) + FRAME_BYTES);
  }

  /** Grows the size to `bytes`, because the next record may be as long as the one that needs them. */
  #grow(bytes: number): void {
    if (bytes <= LARGEST_KEPT) this.#bytes = Math.max(this.#bytes, bytes);
  }
}

/** Returns the place in a filled slab after its last record; 0 if it has none. */
export function endOf({ frames }: SlabFill): number {
  return frames.length === 0 ? 0 : frames.at(-2)! + frames.at(-1)!;
}

function longest(frames: Uint32Array): number {
  let most = 0;
  for (let i = 1; i < frames.length; i += 2) most = Math.max(most, frames[i]!);
  return most;
}

/** A budget, shared by many readers and stages, for the memory of data that is read or made ahead of its use. */
export interface AheadBudget {
  /** Number of bytes left; 0 or less if nothing should be read ahead. */
  readonly room: number;
  /** Takes bytes from the budget for data that waits to be used. */
  hold(bytes: number): void;
  /** Returns bytes to the budget when their data was used or given up. */
  release(bytes: number): void;
}
