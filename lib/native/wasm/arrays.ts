/** Checks of the arrays that callers hand over, and copies between them: no call of the module needed. */
import { bufferOf, plainArray, typeOf } from '../../base';

const TYPES = { Uint8Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array };

export type ArrayName = keyof typeof TYPES;

// A getter of the language knows the memory of any realm, which `instanceof` does not.
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its buffer
const sizeGetter: (this: unknown) => number = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get!;

/** True for memory that no other thread can change. */
export function isOwnBuffer(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  try {
    sizeGetter.call(buffer);
    return true;
  } catch {
    return false;
  }
}

/** True for an array of this type, over memory that no other thread can change. */
export function isOwnArray(array: unknown, name: ArrayName): boolean {
  return typeOf(array) === name && isOwnBuffer(bufferOf(array as Uint8Array));
}

/**
 * Returns a plain array over the memory of `array`, so that code which reads its length again, or takes a part of it,
 * gets the same answers.
 * @throws TypeError if it is not of this type, or in memory that other threads can change
 */
export function ownArray<T extends NodeJS.TypedArray>(array: T, name: ArrayName, message: string): T {
  if (!isOwnArray(array, name)) throw new TypeError(message);
  return plainArray(array, TYPES[name] as unknown as new () => T);
}

export function ownBytes(bytes: Uint8Array): Uint8Array {
  return ownArray(bytes, 'Uint8Array', 'tfrecord: not an unshared Uint8Array');
}

export function isOwn(bytes: unknown): bytes is Uint8Array {
  return isOwnArray(bytes, 'Uint8Array');
}

const NOT_RECORDS = 'tfrecord: not records in slabs';

/** Records in several slabs: the arguments of `gather` in binding.ts. */
export class ScatteredRecords {
  readonly #slabs: readonly Uint8Array[];
  readonly #records: Uint32Array;
  readonly count: number;
  /** Sum of the lengths. */
  readonly bytes: number;

  /** @throws RangeError for records outside of their slabs */
  constructor(slabs: readonly Uint8Array[], records: Uint32Array, count: number) {
    this.#records = ownArray(records, 'Uint32Array', NOT_RECORDS);
    this.#slabs = slabs.map((slab) => {
      if (typeOf(slab) !== 'Uint8Array') throw new TypeError('tfrecord: not a Uint8Array');
      return plainArray(slab, Uint8Array);
    });
    this.count = count;
    const numbers = this.#records;
    if (3 * count > numbers.length) throw new RangeError(NOT_RECORDS);
    let bytes = 0;
    for (let i = 0; i < 3 * count; i += 3) {
      const slab = this.#slabs[numbers[i]!];
      if (slab === undefined || numbers[i + 1]! + numbers[i + 2]! > slab.length) {
        throw new RangeError(NOT_RECORDS);
      }
      bytes += numbers[i + 2]!;
    }
    this.bytes = bytes;
  }

  length(index: number): number {
    return this.#records[3 * index + 2]!;
  }

  #copy(index: number, to: Uint8Array, at: number): void {
    const records = this.#records;
    const offset = records[3 * index + 1]!;
    to.set(this.#slabs[records[3 * index]!]!.subarray(offset, offset + records[3 * index + 2]!), at);
  }

  copyTo(to: Uint8Array): void {
    for (let i = 0, at = 0; i < this.count; at += this.length(i++)) this.#copy(i, to, at);
  }

  /** Copies the records as frames without their checksums. There must be room for `framedBytes`. */
  frameTo(to: Uint8Array, start: number): void {
    const header = new DataView(to.buffer, to.byteOffset);
    for (let i = 0, at = start; i < this.count; i++) {
      const length = this.length(i);
      header.setUint32(at, length, true);
      header.setUint32(at + 4, 0, true);
      this.#copy(i, to, at + HEADER_BYTES);
      at += HEADER_BYTES + length + FOOTER_BYTES;
    }
  }

  get framedBytes(): number {
    return this.bytes + this.count * (HEADER_BYTES + FOOTER_BYTES);
  }
}

/** A length and its checksum; the checksum of the data. */
const HEADER_BYTES = 12;
const FOOTER_BYTES = 4;

export function gather(slabs: readonly Uint8Array[], records: Uint32Array, count: number, to: Uint8Array): void {
  const scattered = new ScatteredRecords(slabs, records, count);
  const target = plainArray(to, Uint8Array);
  if (scattered.bytes > target.length) throw new RangeError(NOT_RECORDS);
  scattered.copyTo(target);
}

export function frame(
  slabs: readonly Uint8Array[],
  records: Uint32Array,
  count: number,
  to: Uint8Array,
  at: number,
): void {
  const scattered = new ScatteredRecords(slabs, records, count);
  const target = ownBytes(to);
  if (!(at >= 0 && scattered.framedBytes <= target.length - at)) throw new RangeError(NOT_RECORDS);
  scattered.frameTo(target, at);
}

export function detach(buffers: readonly ArrayBuffer[]): void {
  for (const buffer of buffers) {
    // Fails for a buffer that is detached already.
    if (isOwnBuffer(buffer) && buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer] });
  }
}

const NOT_ROWS = 'tfrecord: not rows';
const PADDED = ['Float32Array', 'Float64Array', 'BigInt64Array'] as const;

export function longestRow(splits: Int32Array): number {
  const rows = ownArray(splits, 'Int32Array', NOT_ROWS);
  if (rows.length === 0) throw new TypeError(NOT_ROWS);
  let longest = 0;
  for (let row = 1; row < rows.length; row++) longest = Math.max(longest, rows[row]! - rows[row - 1]!);
  return longest;
}

export function padRows<T extends Float32Array | Float64Array | BigInt64Array>(
  given: T,
  givenSplits: Int32Array,
  unit: number,
  target: T,
  givenPadding: T | undefined,
): void {
  const name = PADDED.find((each) => isOwnArray(given, each));
  if (name === undefined) throw new TypeError(NOT_ROWS);
  const [from, to] = [given, target].map((array) => ownArray(array, name, NOT_ROWS)) as [T, T];
  const padding = givenPadding && ownArray(givenPadding, name, NOT_ROWS);
  const splits = ownArray(givenSplits, 'Int32Array', NOT_ROWS);
  if (splits.length === 0) throw new TypeError(NOT_ROWS);
  const rows = splits.length - 1;
  const width = rows === 0 ? 0 : to.length / rows;
  let fits = Number.isInteger(width) && width * rows === to.length;
  fits &&= padding === undefined || padding.length === 1;
  for (let row = 0; row < rows && fits; row++) {
    const begin = splits[row]!;
    const end = splits[row + 1]!;
    fits = begin >= 0 && begin <= end && unit * end <= from.length && unit * (end - begin) <= width;
  }
  if (!fits) throw new RangeError(NOT_ROWS);
  const words = from.BYTES_PER_ELEMENT / WORD_BYTES;
  pad(wordsOf(from), splits, unit * words, wordsOf(to), width * words, padding && wordsOf(padding));
}

const WORD_BYTES = 4;

/** Words keep the bits of every NaN, and are faster than BigInts. */
function wordsOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / WORD_BYTES);
}

/** Word by word: most rows are short. */
function pad(
  from: Uint32Array,
  splits: Int32Array,
  unit: number,
  to: Uint32Array,
  width: number,
  padding: Uint32Array | undefined,
): void {
  for (let row = 0, start = 0; row < splits.length - 1; row++, start += width) {
    const end = unit * splits[row + 1]!;
    let at = start;
    for (let i = unit * splits[row]!; i < end; i++) to[at++] = from[i]!;
    if (padding === undefined) continue;
    for (let i = 0; at < start + width; i++) to[at++] = padding[i % padding.length]!;
  }
}
