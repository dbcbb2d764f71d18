import { crc32c } from '../../record';

/** A summary of some pictures of a list. It changes when one of the pictures does. */
export interface ListSummary {
  readonly bytes: number;
  /** Time of the latest change, in milliseconds. */
  readonly modified: number;
  /** CRC-32C of all paths, sizes and times. */
  readonly crc32c: string;
}

/** Stands for the size of a file whose stats could not be read. Opening the file reports the error. */
export const UNKNOWN = -1;
/** Stands for the size of a pipe or a device. */
export const NO_FILE = -2;

/**
 * Paths, sizes and times of files, in order. There may be millions, so a few arrays hold them. Paths are the bytes of
 * the system, which need not be text.
 */
export class PictureList {
  #bytes = Buffer.alloc(4096);
  #ends = new Float64Array(64);
  #sizes = new Float64Array(64);
  #times = new Float64Array(64);
  #begin = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#begin;
  }

  /** Adds a path, with one character for each byte. */
  add(path: string, size: number, modified: number): void {
    const i = this.#end++;
    const start = i === 0 ? 0 : this.#ends[i - 1]!;
    const end = start + path.length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * end);
    if (i === this.#ends.length) {
      [this.#ends, this.#sizes, this.#times] = [grown(this.#ends), grown(this.#sizes), grown(this.#times)];
    }
    this.#bytes.write(path, start, 'latin1');
    this.#ends[i] = end;
    this.#sizes[i] = size;
    this.#times[i] = modified;
  }

  /** The pictures from `begin` to `end`. Do not add to either list afterwards. */
  slice(begin: number, end: number): PictureList {
    const part = new PictureList();
    [part.#bytes, part.#ends, part.#sizes, part.#times] = [this.#bytes, this.#ends, this.#sizes, this.#times];
    [part.#begin, part.#end] = [this.#begin + begin, this.#begin + end];
    return part;
  }

  /** The path of picture `i`, as a view. */
  path(i: number): Buffer {
    const at = this.#begin + i;
    return this.#bytes.subarray(at === 0 ? 0 : this.#ends[at - 1]!, this.#ends[at]);
  }

  /** The size of picture `i`, or {@link UNKNOWN} or {@link NO_FILE}. */
  size(i: number): number {
    return this.#sizes[this.#begin + i]!;
  }

  /** Time of the last change of picture `i`, in milliseconds. */
  modified(i: number): number {
    return this.#times[this.#begin + i]!;
  }

  /** The number of the picture at `path`, if the paths are in byte order; -1 if it is not in the list. */
  indexOf(path: Uint8Array): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = Buffer.compare(this.path(middle), path);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  summary(): ListSummary {
    const { length } = this;
    let [bytes, modified] = [0, 0];
    for (let i = 0; i < length; i++) {
      bytes += Math.max(this.size(i), 0);
      modified = Math.max(modified, this.modified(i));
    }
    const from = this.#begin === 0 ? 0 : this.#ends[this.#begin - 1]!;
    const to = length === 0 ? from : this.#ends[this.#end - 1]!;
    let sum = crc32c(this.#bytes.subarray(from, to));
    for (const array of [this.#ends, this.#sizes, this.#times]) {
      // Only the part itself is summed, so that a slice has the sum of a list with the same pictures.
      const part = array.slice(this.#begin, this.#end);
      if (array === this.#ends) for (let i = 0; i < length; i++) part[i]! -= from;
      sum = crc32c(new Uint8Array(part.buffer), sum);
    }
    return { bytes, modified, crc32c: sum.toString(16).padStart(8, '0') };
  }
}

function grown(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}
