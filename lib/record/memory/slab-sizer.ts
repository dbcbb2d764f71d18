import type { SlabFill } from '../../native';
import { FRAME_BYTES } from '../format';

/**
 * Records that a slab is sized for. V8 frees a slab cheaply while it is young: when all its records were used before
 * much else was allocated. Slabs of many more records grow old first, and then up to 64 MB of them wait for a full
 * collection. Measured over an idle Node: 1 MiB slabs of 100-byte records peak at 100 MB, of 100 kB records at 80; slabs
 * of these sizes at 30 and 55.
 */
const RECORDS_PER_SLAB = 1024;
const SMALLEST = 128 * 1024;
const LARGEST = 384 * 1024;
const STEP = 64 * 1024;
/** Slabs grow to the longest record, so that native can read ahead of it, but not beyond this. */
const LARGEST_KEPT = 8 * 1024 * 1024;
/** Slabs for small inputs are no smaller than this: a compressed file may hold more than its size tells. */
const MIN_SLAB_BYTES = 16 * 1024;
/** What a reader needs beyond the bytes of the file to see in one fill that it ended. */
const END_MARGIN = 64;

/** Chooses the size of the next slab of one stream: as the caller says, else by the records seen. */
export class SlabSizer {
  readonly #asked: number | undefined;
  #bytes: number;

  /** `batchBytes`: what the caller asked for. */
  constructor(batchBytes: number | undefined) {
    this.#asked = batchBytes;
    this.#bytes = batchBytes ?? SMALLEST;
  }

  /**
   * Bytes of the next slab: at least `need`, for a record that did not fit; else no more than an input of `inputBytes`
   * (all of it, or what is at hand) fills, when that is known.
   */
  next(inputBytes: number | undefined, need = 0): number {
    this.#grow(need);
    if (inputBytes === undefined) return Math.max(need, this.#bytes);
    return Math.max(need, Math.min(this.#bytes, Math.max(MIN_SLAB_BYTES, inputBytes + END_MARGIN)));
  }

  /** Learns from a slab that was filled. */
  learn({ frames }: SlabFill): void {
    if (frames.length === 0) return;
    if (this.#asked !== undefined) {
      // Long records may come in a row; behind them what was asked for holds again.
      this.#bytes = this.#asked;
      this.#grow(longest(frames) + FRAME_BYTES);
      return;
    }
    const end = frames.at(-2)! + frames.at(-1)!;
    const wanted = (end / (frames.length / 2)) * RECORDS_PER_SLAB;
    this.#bytes = Math.max(SMALLEST, Math.min(LARGEST, Math.ceil(wanted / STEP) * STEP));
  }

  /** A record needs a slab of `bytes`: so may the next. */
  #grow(bytes: number): void {
    if (bytes <= LARGEST_KEPT) this.#bytes = Math.max(this.#bytes, bytes);
  }
}

function longest(frames: Uint32Array): number {
  let most = 0;
  for (let i = 1; i < frames.length; i += 2) most = Math.max(most, frames[i]!);
  return most;
}

/** What bounds the memory of what is read and made ahead of use, for many that share it. */
export interface AheadBudget {
  /** Bytes that are left; not above 0 where nobody should run ahead. */
  readonly room: number;
  /** Bytes that wait to be used. */
  hold(bytes: number): void;
  /** They are used, or given up. */
  release(bytes: number): void;
}
