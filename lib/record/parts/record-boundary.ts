/** Finds where a record begins near a byte of a plain file, without its index. */
import { FRAME_BYTES, HEADER_BYTES } from '../../base';
import type { RangedSource } from '../../io';
import { native } from '../../native';
import { maskCrc32c } from '../crc32c';
import { readRange } from '../index/index-source';

/** The longest record. It is the same everywhere, because all who look for a boundary must find the same one. */
const LONGEST = 2 ** 32 - 1 - FRAME_BYTES;
/** Bytes that are read at a time. */
const BLOCK = 256 * 1024;
/** A record that was found is believed if whole headers follow it over so many bytes, or to the end of the file. */
const FOLLOWED = 4 * 2 ** 20;

/**
 * Returns the offset of a record of the plain file `source`, which has `size` bytes: the first one from byte `from` on whose
 * length and data have right checksums, and which is followed by right headers over 4 MiB, or to the end of the file. `size` if
 * there is none. The bytes of the file alone decide, so everybody finds the same.
 *
 * It may be within the data of a longer record, which holds framed records: a reader that comes from before then finds no
 * record that begins there. Two readers of neighbouring parts must compare.
 */
export async function findBoundary(source: RangedSource, size: number, from: number): Promise<number> {
  if (from <= 0) return 0;
  const search = new BoundarySearch(source, size);
  for (let at = from; at < size;) {
    const found = await search.headerFrom(at);
    if (found === undefined) break;
    const broken = await search.brokenAfter(found);
    if (broken === undefined) return found;
    at = broken;
  }
  return size;
}

/** True if `source` is a plain TFRecord file, by its first header. */
export async function isPlain(source: RangedSource): Promise<boolean> {
  return isHeader(await readRange(source, 0, HEADER_BYTES));
}

function isHeader(bytes: Uint8Array): boolean {
  return bytes.length === HEADER_BYTES && native().findHeader(bytes, LONGEST) === 0;
}

class BoundarySearch {
  readonly #source: RangedSource;
  readonly #size: number;
  #block: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #blockAt = 0;

  constructor(source: RangedSource, size: number) {
    this.#source = source;
    this.#size = size;
  }

  /** Returns the offset of the first right header from `from` on, if there is one. */
  async headerFrom(from: number): Promise<number | undefined> {
    for (let at = from; at + FRAME_BYTES <= this.#size;) {
      const bytes = await this.#bytes(at, HEADER_BYTES);
      if (bytes.length < HEADER_BYTES) return undefined;
      const found = native().findHeader(bytes, LONGEST);
      if (found + HEADER_BYTES <= bytes.length) return at + found;
      at += found;
    }
    return undefined;
  }

  /**
   * Follows the records from the header at `first` on. Returns undefined if they are right; else where a search goes on: after
   * the last right record, and after `first` if there is none.
   */
  async brokenAfter(first: number): Promise<number | undefined> {
    let at = first;
    while (at < this.#size && at - first < FOLLOWED) {
      const header = (await this.#bytes(at, HEADER_BYTES)).subarray(0, HEADER_BYTES);
      const end = at + lengthIn(header) + FRAME_BYTES;
      if (!isHeader(header) || end > this.#size) return Math.max(at, first + 1);
      if (at === first && !(await this.#hasRightData(at + HEADER_BYTES, end))) return first + 1;
      at = end;
    }
    return undefined;
  }

  /** True if the data from `begin` on has the checksum that is stored before `end`. */
  async #hasRightData(begin: number, end: number): Promise<boolean> {
    const stored = end - (FRAME_BYTES - HEADER_BYTES);
    let sum = 0;
    for (let at = begin; at < stored;) {
      const bytes = await this.#bytes(at, 1);
      if (bytes.length === 0) return false;
      const part = bytes.subarray(0, stored - at);
      sum = native().crc32c(part, sum);
      at += part.length;
    }
    const footer = await this.#bytes(stored, end - stored);
    return footer.length >= end - stored && littleEndian(footer, 0) === maskCrc32c(sum);
  }

  /** Returns at least `least` bytes from `at` on, if the file has them. */
  async #bytes(at: number, least: number): Promise<Uint8Array<ArrayBuffer>> {
    const inside = at - this.#blockAt;
    if (inside >= 0 && inside + least <= this.#block.length) return this.#block.subarray(inside);
    this.#block = await readRange(this.#source, at, Math.min(BLOCK, this.#size - at));
    this.#blockAt = at;
    return this.#block;
  }
}

function lengthIn(header: Uint8Array): number {
  return header.length < HEADER_BYTES ? 0 : littleEndian(header, 0) + littleEndian(header, 4) * 2 ** 32;
}

function littleEndian(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
}
