import { unusable } from '../index-file';
import { readRange } from '../index-source';
import type { RangedSource } from '../../../io';

const READ_BYTES = 2 ** 16;

/** The bytes of an index of another program, in order, of which little is in memory. */
export class ForeignBytes {
  readonly size: number;
  readonly #source: RangedSource;
  #at: number;
  /** Bytes from `#at` on that were read. */
  #read: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  constructor(source: RangedSource, size: number, at = 0) {
    this.#source = source;
    this.size = size;
    this.#at = at;
  }

  /** The path of the index. */
  get name(): string {
    return this.#source.name;
  }

  get left(): number {
    return this.size - this.#at;
  }

  /** The same bytes, from byte `at` on. */
  from(at: number): ForeignBytes {
    return new ForeignBytes(this.#source, this.size, at);
  }

  /** Resolves with the next `length` bytes, at most 2 MiB. @throws TFRecordError TFR_STATE_MISMATCH if there are fewer */
  async take(length: number): Promise<DataView<ArrayBuffer>> {
    if (length > this.left) throw this.damaged(`${length} bytes at byte ${this.#at}`, `${this.left}`);
    if (length > this.#read.length) {
      this.#read = await readRange(this.#source, this.#at, Math.min(Math.max(length, READ_BYTES), this.left));
      // It has become shorter.
      if (length > this.#read.length) {
        throw this.damaged(`${length} bytes at byte ${this.#at}`, `${this.#read.length}`);
      }
    }
    const { buffer, byteOffset } = this.#read;
    this.#read = this.#read.subarray(length);
    this.#at += length;
    return new DataView(buffer, byteOffset, length);
  }

  /** Resolves with some of the next bytes; with none at the end. */
  async some(): Promise<Uint8Array<ArrayBuffer>> {
    return bytesOf(await this.take(Math.min(this.left, READ_BYTES)));
  }

  /** The error of bytes that are not those of such an index. */
  damaged(expected: string, found: string): Error {
    return unusable(this.name, expected, found);
  }

  /** Returns `value`, a size or an offset. @throws TFRecordError TFR_STATE_MISMATCH if it is too large for one */
  number(value: bigint): number {
    if (value <= Number.MAX_SAFE_INTEGER) return Number(value);
    throw this.damaged('sizes below 2^53', String(value));
  }
}

export function bytesOf({ buffer, byteOffset, byteLength }: DataView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
