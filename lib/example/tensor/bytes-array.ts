import type { Bytes } from '../../record';

/**
 * Byte strings in one piece of memory, in Arrow's layout: value `i` is `data[offsets[i] .. offsets[i + 1])`. Values are
 * views, valid for ever; each keeps `data` alive.
 */
export class BytesArray implements Iterable<Bytes> {
  /** Number of values. */
  readonly length: number;
  /** All values, one behind the other. */
  readonly data: Bytes;
  /** `length + 1` places in `data`, ascending. */
  readonly offsets: Int32Array;

  /** The arguments are kept, not copied, and not checked: `offsets` must have at least one element. */
  constructor(data: Bytes, offsets: Int32Array) {
    this.length = offsets.length - 1;
    this.data = data;
    this.offsets = offsets;
  }

  /** The value at `index`, counted from the end when negative; undefined when there is none. */
  at(index: number): Bytes | undefined {
    const position = Math.trunc(index) || 0;
    const wanted = position < 0 ? position + this.length : position;
    if (wanted < 0 || wanted >= this.length) return undefined;
    return this.data.subarray(this.offsets[wanted], this.offsets[wanted + 1]);
  }

  /** The value at `index` as UTF-8 text (what is not valid becomes U+FFFD); undefined when there is none. */
  text(index: number): string | undefined {
    const value = this.at(index);
    return value === undefined ? undefined : decoder.decode(value);
  }

  /** The values, in order. */
  *[Symbol.iterator](): IterableIterator<Bytes> {
    for (let i = 0; i < this.length; i++) yield this.data.subarray(this.offsets[i], this.offsets[i + 1]);
  }
}

/** A byte order mark is part of the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
