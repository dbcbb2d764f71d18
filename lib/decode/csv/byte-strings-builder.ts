import { TFRecordError } from '../../errors';
import { newBytesArray, type BytesArray } from '../../example';

const MAX_BYTES = 2 ** 31 - 1;
/** Shorter values are copied quicker byte by byte. */
const SHORT = 32;

/** Collects a known number of byte strings of unknown sizes, one a record. */
export class ByteStringsBuilder {
  readonly #offsets: Int32Array<ArrayBuffer>;
  #data = new Uint8Array(256);
  #count = 0;
  #size = 0;

  constructor(length: number) {
    this.#offsets = new Int32Array(length + 1);
  }

  /** Copies `bytes[start .. end)`. @throws TFRecordError TFR_RECORD_TOO_LARGE when all is more than int32 offsets can say. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const size = this.#size + end - start;
    if (size > this.#data.length) this.#grow(size);
    const data = this.#data;
    if (end - start < SHORT) for (let i = start, to = this.#size; i < end; i++) data[to++] = bytes[i]!;
    else data.set(bytes.subarray(start, end), this.#size);
    this.#size = size;
    this.#offsets[++this.#count] = size;
  }

  finish(): BytesArray {
    return newBytesArray(this.#data.slice(0, this.#size), this.#offsets);
  }

  #grow(size: number): void {
    const record = this.#count;
    if (size > MAX_BYTES) {
      const message = `Record ${record}: a column of bytes would grow beyond 2^31 − 1 bytes. Decode fewer records at once.`;
      throw new TFRecordError('TFR_RECORD_TOO_LARGE', message, { record });
    }
    const data = new Uint8Array(Math.min(MAX_BYTES, Math.max(size, 2 * this.#data.length)));
    data.set(this.#data.subarray(0, this.#size));
    this.#data = data;
  }
}
