/** Checks of the arrays that callers hand over, and copies between them: no call of the module needed. */

type ArrayName = 'Uint8Array' | 'Int32Array' | 'Uint32Array' | 'Float32Array' | 'Float64Array' | 'BigInt64Array';

// Getters of the language know an array of any realm, which `instanceof` does not, and nobody can lie to them.
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its array
const nameGetter = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Symbol.toStringTag,
)!.get! as (this: unknown) => string | undefined;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its buffer
const sizeGetter = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')!.get! as (
  this: unknown,
) => number;

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
  return nameGetter.call(array) === name && isOwnBuffer((array as Uint8Array).buffer);
}

/** Returns the array. @throws TypeError if it is not of this type, or in memory that other threads can change */
export function ownArray<T extends ArrayBufferView>(array: T, name: ArrayName, message: string): T {
  if (isOwnArray(array, name)) return array;
  throw new TypeError(message);
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
    ownArray(records, 'Uint32Array', NOT_RECORDS);
    for (const slab of slabs) {
      if (nameGetter.call(slab) !== 'Uint8Array') throw new TypeError('tfrecord: not a Uint8Array');
    }
    this.#slabs = slabs;
    this.#records = records;
    this.count = count;
    if (3 * count > records.length) throw new RangeError(NOT_RECORDS);
    let bytes = 0;
    for (let i = 0; i < 3 * count; i += 3) {
      const slab = slabs[records[i]!];
      if (slab === undefined || records[i + 1]! + records[i + 2]! > slab.length) {
        throw new RangeError(NOT_RECORDS);
      }
      bytes += records[i + 2]!;
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
  if (scattered.bytes > to.length) throw new RangeError(NOT_RECORDS);
  scattered.copyTo(to);
}

export function frame(
  slabs: readonly Uint8Array[],
  records: Uint32Array,
  count: number,
  to: Uint8Array,
  at: number,
): void {
  const scattered = new ScatteredRecords(slabs, records, count);
  ownBytes(to);
  if (!(at >= 0 && scattered.framedBytes <= to.length - at)) throw new RangeError(NOT_RECORDS);
  scattered.frameTo(to, at);
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
  if (ownArray(splits, 'Int32Array', NOT_ROWS).length === 0) throw new TypeError(NOT_ROWS);
  let longest = 0;
  for (let row = 1; row < splits.length; row++) longest = Math.max(longest, splits[row]! - splits[row - 1]!);
  return longest;
}

export function padRows<T extends Float32Array | Float64Array | BigInt64Array>(
  from: T,
  splits: Int32Array,
  unit: number,
  to: T,
  padding: T | undefined,
): void {
  const name = PADDED.find((each) => isOwnArray(from, each));
  if (name === undefined) throw new TypeError(NOT_ROWS);
  for (const array of [to, padding]) if (array !== undefined) ownArray(array, name, NOT_ROWS);
  if (ownArray(splits, 'Int32Array', NOT_ROWS).length === 0) throw new TypeError(NOT_ROWS);
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
