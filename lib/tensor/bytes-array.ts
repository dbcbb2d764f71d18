import { inspect, types } from 'node:util';

import {
  invalidArgType,
  invalidArgValue,
  isFalseArray,
  isInstance,
  isRevoked,
  outOfRange,
  TFRecordError,
  viewOf,
  type Bytes,
} from '../base';
import { givenLength, isShared, unsharedBytes } from '../io';
import { convertLiteral } from './literals';
import { allocateDense } from './limits';
import {
  checkForms,
  plainError,
  plainStrings,
  type BytesForm,
  type Int64Form,
  type ObjectOptions,
} from './plain-forms';
import type { PlainBytes } from './plain-types';
import { previewList } from './preview';
import { decodeTexts, NoText } from './texts';

/** True for an instance with the private fields of the class, which a Proxy of one does not have. */
let hasFields: (value: BytesArray) => boolean;

/** True for a BytesArray; false for a Proxy of one, whose methods throw. */
export function isBytesArray(value: unknown): value is BytesArray {
  return isInstance(value, BytesArray) && hasFields(value);
}

/** True while an array is made of parts that are known to be valid. */
let trusted = false;

/**
 * Byte strings in Arrow's layout: value i is `data[offsets[i] .. offsets[i + 1])`. Values are views of `data`, and stay
 * valid; each keeps all of `data` in memory, which `value.slice()` avoids.
 *
 * @example
 * const { name } = parseExample(records, { name: fixedLen([], 'bytes') });
 * console.log(name.length, name.at(0), name.text(-1), name.texts());
 */
export class BytesArray implements Iterable<Bytes> {
  /** Number of values. */
  readonly length: number;
  /** The bytes of all values, one after the other. */
  readonly data: Bytes;
  /** `length + 1` ascending positions in `data`, from 0 to its length unless the caller passed others. */
  readonly offsets: Int32Array;
  #text: Buffer | undefined;

  static {
    hasFields = (value) => #text in value;
  }

  /**
   * Uses both arrays without a copy. @throws TypeError unless `offsets` has at least one element, ascends, and stays in
   * `data`
   */
  constructor(data: Bytes, offsets: Int32Array) {
    this.length = trusted ? offsets.length - 1 : checkLayout(data, offsets);
    this.data = data;
    this.offsets = offsets;
  }

  /**
   * Copies `values` one after the other; strings are encoded as UTF-8. @throws TypeError for other values
   *
   * @example
   * BytesArray.from(['Zürich', new Uint8Array([0xff, 0xd8])]).length; // 2
   */
  static from(values: Iterable<string | Uint8Array>): BytesArray {
    // Iterating over a typed array yields numbers, or throws if its memory was transferred.
    const iterate: unknown =
      isRevoked(values) || isFalseArray(values)
        ? undefined
        : (values as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator];
    if (typeof iterate !== 'function' || ArrayBuffer.isView(values)) {
      throw invalidArgType('values', 'a list of strings and byte arrays', values);
    }
    const parts: Uint8Array[] = [];
    for (const value of values) {
      const converted = convertLiteral('bytes', value);
      if (!('value' in converted)) throw invalidArgType(`values[${parts.length}]`, converted.wanted, value);
      parts.push(converted.value);
    }
    return joinBytes(parts);
  }

  /**
   * Returns the value at `index`, counted from the end if negative; undefined if there is none.
   *
   * @example
   * BytesArray.from(['a', 'bc']).at(-1); // Uint8Array [98, 99]
   */
  at(index: number): Bytes | undefined {
    const i = this.#position(index);
    return i < 0 ? undefined : this.#view(i);
  }

  /**
   * Returns the value at `index` as UTF-8 text; bytes that are not UTF-8 become U+FFFD.
   *
   * @example
   * BytesArray.from(['a', 'bc']).text(1); // 'bc'
   */
  text(index: number): string | undefined {
    const i = this.#position(index);
    if (i < 0) return undefined;
    const size = this.#check(i);
    if (isShared(this.data)) return Buffer.from(unsharedBytes(this.#view(i))).toString('utf8');
    if (this.#text === undefined) {
      const { buffer, byteOffset, byteLength } = viewOf(this.data, 0, size);
      this.#text = Buffer.from(buffer, byteOffset, byteLength);
    }
    return this.#text.toString('utf8', this.offsets[i], this.offsets[i + 1]);
  }

  /**
   * Returns the values from `begin` to before `end`, as an array over their bytes only. Its offsets start at 0, so
   * arrays of the same values are equal. The arguments are those of `TypedArray.prototype.subarray`.
   *
   * @example
   * BytesArray.from(['a', 'bc', 'd']).subarray(1).texts(); // ['bc', 'd']
   */
  subarray(begin = 0, end = this.length): BytesArray {
    const from = clamp(begin, this.length);
    const to = Math.max(from, clamp(end, this.length));
    const { data, offsets } = this;
    const first = offsets[from]!;
    const last = offsets[to]!;
    // If offsets were overwritten, or memory was transferred, reading the values throws.
    if (!(first >= 0 && first <= last && last <= data.length) || data.length === 0)
      return newBytesArray(data, offsets.subarray(from, to + 1));
    return newBytesArray(
      data.subarray(first, last),
      first === 0 ? offsets.subarray(from, to + 1) : this.#offsets(from, to),
    );
  }

  /** Iterates over the values, in order. */
  *[Symbol.iterator](): IterableIterator<Bytes> {
    for (let i = 0; i < this.length; i++) yield this.#view(i);
  }

  /**
   * Returns the values as an array of views.
   *
   * @example
   * BytesArray.from(['a']).toArray(); // [Uint8Array [97]]
   */
  toArray(): Bytes[] {
    return Array.from({ length: this.length }, (_, i) => this.#view(i));
  }

  /**
   * Returns the values as strings. @throws TFRecordError TFR_FEATURE for a value that is not UTF-8, with its number
   *
   * @example
   * const { tags } = parseExample(records, { tags: ragged({ dtype: 'bytes' }) });
   * console.log(tags.values.data.texts()); // ['cat', 'dog', 'cat']
   */
  texts(): string[] {
    // Checks all offsets once; reading a single value checks its two offsets.
    for (let i = 0; i < this.length; i++) this.#check(i);
    const texts = decodeTexts(unsharedBytes(this.data), this.offsets.slice());
    if (!(texts instanceof NoText)) return texts;
    const { index, expected, found } = texts;
    throw new TFRecordError(
      'TFR_FEATURE',
      `Value ${index}: expected ${expected}, found ${found}. at(${index}) gives it.`,
      {
        expected,
        found,
      },
    );
  }

  /**
   * Returns printable UTF-8 values as strings, others as `{ base64 }`.
   *
   * @example
   * JSON.stringify(BytesArray.from(['a', new Uint8Array([0xff])])); // ["a",{"base64":"/w=="}]
   */
  toJSON(): unknown[] {
    return allocateDense([this.length], () => plainStrings(this, 0, this.length, 'auto', true));
  }

  /**
   * Returns the values as a plain array: printable UTF-8 as strings, other values as `{ base64 }`, or in the form of
   * `options.bytes`.
   * @throws TFRecordError TFR_FEATURE, with `bytes: 'text'`, for values that are not UTF-8
   *
   * @example
   * BytesArray.from(['a']).toObject({ bytes: 'base64' }); // ['YQ==']
   */
  toObject<B extends BytesForm = 'auto'>(options?: ObjectOptions<Int64Form, B>): PlainBytes<B>[] {
    const { bytes } = checkForms(options);
    try {
      return allocateDense([this.length], () => plainStrings(this, 0, this.length, bytes)) as PlainBytes<B>[];
    } catch (error) {
      throw plainError(error);
    }
  }

  /** @internal */
  [inspect.custom](): string {
    return `BytesArray(${this.length}) ${previewList(this)}`;
  }

  /** Returns a copy of offsets `from` to `to` that starts at 0. */
  #offsets(from: number, to: number): Int32Array {
    const { offsets } = this;
    const first = offsets[from]!;
    const rebased = new Int32Array(to - from + 1);
    for (let i = from; i <= to; i++) rebased[i - from] = offsets[i]! - first;
    return rebased;
  }

  #view(i: number): Bytes {
    this.#check(i);
    return viewOf(this.data, this.offsets[i]!, this.offsets[i + 1]!) as Bytes;
  }

  /**
   * Returns the size of the data. @throws RangeError if value `i` is not in it, because offsets were overwritten or
   * memory was transferred
   */
  #check(i: number): number {
    const { data, offsets } = this;
    const size = givenLength('data', data);
    const begin = offsets[i]!;
    const end = offsets[i + 1]!;
    if (begin >= 0 && begin <= end && end <= size) return size;
    givenLength('offsets', offsets);
    if (!(begin >= 0 && begin <= size)) {
      throw outOfRange(`offsets[${i}]`, `an integer from 0 to the length of data, ${size}`, begin);
    }
    throw outOfRange(`offsets[${i + 1}]`, `an integer from ${begin} to the length of data, ${size}`, end);
  }

  #position(index: number): number {
    const position = Math.trunc(index) || 0;
    const wanted = position < 0 ? position + this.length : position;
    return wanted < 0 || wanted >= this.length ? -1 : wanted;
  }
}

/** Returns an array over parts that are known to ascend and to fit. */
export function newBytesArray(data: Bytes, offsets: Int32Array): BytesArray {
  trusted = true;
  const array = new BytesArray(data, offsets);
  trusted = false;
  return array;
}

/** Copies `parts` into one array. @throws TypeError if together they are longer than int32 offsets can address */
function joinBytes(parts: readonly Uint8Array[]): BytesArray {
  const offsets = new Int32Array(parts.length + 1);
  let size = 0;
  for (const [i, part] of parts.entries()) {
    size += part.length;
    if (size > 0x7fff_ffff) throw invalidArgValue('values', 'of at most 2^31 − 1 bytes together', size);
    offsets[i + 1] = size;
  }
  const data = new Uint8Array(size);
  for (const [i, part] of parts.entries()) data.set(part, offsets[i]);
  return newBytesArray(data, offsets);
}

/** Checks the parts of an array. Returns the number of values. @throws TypeError */
function checkLayout(data: unknown, offsets: unknown): number {
  if (!types.isUint8Array(data)) throw invalidArgType('data', 'a Uint8Array', data);
  if (!types.isInt32Array(offsets)) throw invalidArgType('offsets', 'an Int32Array', offsets);
  const size = givenLength('data', data);
  // `givenLength` ignores own properties: it calls the getter of all typed arrays.
  const count = givenLength('offsets', offsets);
  if (count === 0) throw invalidArgValue('offsets', 'one longer than the number of values', offsets);
  let before = 0;
  for (let i = 0; i < count; i++) {
    const offset = offsets[i]!;
    if (offset < before) throw invalidArgValue('offsets', 'ascending, from 0 on', offset);
    before = offset;
  }
  if (before > size) throw invalidArgValue('offsets', `at most the length of data, ${size}`, before);
  return count - 1;
}

function clamp(index: number, length: number): number {
  const position = Math.trunc(index) || 0;
  return position < 0 ? Math.max(0, position + length) : Math.min(position, length);
}
