import { callNative, memoryError } from '../../../base';
import type { RangedSource } from '../../../io';
import { native, type IndexHandle } from '../../../native';
import { unusable } from '../index-file';
import { newIndex } from '../index-options';
import { readRange } from '../index-source';
import { gzipHeaderSize, LEAST_HEADER, WINDOW_BYTES } from './inflate-points';

/** Bytes of a member's header in which names fit; a longer one is not found. */
const HEADER_BYTES = 512;
const MOST_BITS = 7;

/** The sizes that an index states, of the file and of its content; undefined or 0 if it does not. */
export interface ForeignSizes {
  readonly file?: number;
  readonly content?: number;
}

/** A point at which, by an index of another program, a block of deflate data begins. */
export interface ForeignPoint {
  readonly position: number;
  readonly offset: number;
  /** Bits of the byte before `position` that are after the point. */
  readonly bits: number;
  /** The content before the point; undefined if the data of a member begins there. */
  readonly window: Uint8Array | undefined;
}

/**
 * The points of an index of another program, by which a GZIP file is inflated on several threads. Only their order and their
 * bounds are checked here: a scan uses a point if inflating from the one before leads to exactly this one.
 */
export class PointList {
  readonly #indexPath: string;
  readonly #source: RangedSource;
  readonly #size: number;
  readonly #handle: IndexHandle;
  #last = { position: 0, offset: 0 };

  /** `size`: that of the file `source`. `indexPath` names the index in errors. */
  constructor(indexPath: string, source: RangedSource, size: number) {
    this.#indexPath = indexPath;
    this.#source = source;
    this.#size = size;
    this.#handle = newIndex(indexPath, SPACING);
  }

  /** The index of the points. */
  get handle(): IndexHandle {
    return this.#handle;
  }

  /** Adds a point. @throws TFRecordError TFR_STATE_MISMATCH if it is not after the last one, or not in the file */
  async add({ position, offset, bits, window }: ForeignPoint): Promise<void> {
    if (bits > MOST_BITS) throw this.#wrong(`at most ${MOST_BITS} bits of a byte`, `${bits}`);
    // At the end of the file, some programs note that it ends there.
    if (!this.#isNext(position, offset) || position === this.#size) return;
    if (window === undefined) {
      const header = await this.#headerBefore(position);
      if (header !== undefined) this.#add(header, offset);
      return;
    }
    const size = Math.min(window.length, offset, WINDOW_BYTES);
    const state = new Uint8Array(2 + size);
    if (bits > 0) state.set([bits, (await readRange(this.#source, position - 1, 1)).at(0)! >> (8 - bits)]);
    state.set(window.subarray(window.length - size), 2);
    this.#add(position, offset, state);
  }

  /** Adds a member, whose header begins at `position`. @throws as `add` */
  async addMember(position: number, offset: number): Promise<void> {
    if (this.#isNext(position, offset)) this.#add(position, offset);
    return Promise.resolve();
  }

  /** Returns false at the beginning of the content, where no point is needed. */
  #isNext(position: number, offset: number): boolean {
    if (position > this.#size) throw this.#wrong(`points in a file of ${this.#size} bytes`, `one at byte ${position}`);
    const last = this.#last;
    if (position < last.position || offset < last.offset) {
      throw this.#wrong(`a point after byte ${last.position}`, `one at byte ${position}`);
    }
    const isNext = position > last.position && offset > last.offset;
    this.#last = { position, offset };
    return isNext;
  }

  /** Returns where the header of a member begins whose data begins at `position`; undefined if none is seen. */
  async #headerBefore(position: number): Promise<number | undefined> {
    const from = Math.max(position - HEADER_BYTES, 0);
    const bytes = await readRange(this.#source, from, position - from);
    for (let at = bytes.length - LEAST_HEADER; at >= 0; at--) {
      if (gzipHeaderSize(bytes.subarray(at)) === bytes.length - at) return from + at;
    }
    return undefined;
  }

  #add(position: number, offset: number, state?: Uint8Array<ArrayBuffer>): void {
    if (!callNative(this.#indexPath, () => native().indexAddPoint(this.#handle, position, offset, state))) {
      throw memoryError(this.#indexPath);
    }
  }

  #wrong(expected: string, found: string): Error {
    return unusable(this.#indexPath, expected, found);
  }
}

/** Points are kept as they come. */
const SPACING = { checkpointBytes: 1 };
