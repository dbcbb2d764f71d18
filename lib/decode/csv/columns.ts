import { TFRecordError } from '../../base';
import { newBytesArray, type BytesArray } from '../../tensor';
import type { TensorArrays } from '../dtypes';
import { parseFloat32, parseFloat64, parseInt32, parseInt64 } from './numbers';
import type { CsvDType, CsvScalars } from './options';

/** The values of a column: typed arrays, byte strings, text, or an array of values and nulls. */
export type CsvValues = TensorArrays[CsvDType] | (CsvScalars[CsvDType] | string | null)[];

/** The dtype of a column, and its default as it is stored; null: an empty field is null; undefined: the field is required. */
export interface CsvColumnRule {
  readonly dtype: CsvDType | 'text';
  readonly fallback: number | bigint | Uint8Array | null | undefined;
}

/** Collects the values of one column, one per record. */
interface CsvColumn {
  /** Parses `bytes[start .. end)` and adds the value. Returns false if it is not a value of the column's dtype. */
  add(bytes: Uint8Array, start: number, end: number): boolean;
  /** Adds the default value. */
  addDefault(): void;
  finish(): CsvValues;
}

/** Returns a column of `length` values. */
export function newColumn({ dtype, fallback }: CsvColumnRule, length: number): CsvColumn {
  if (dtype === 'text') return new TextColumn(fallback as Uint8Array | null | undefined);
  if (fallback === null) return new NullableColumn<CsvScalars[CsvDType]>(PARSERS[dtype]);
  switch (dtype) {
    case 'float32':
      return new NumberColumn(new Float32Array(length), parseFloat32, fallback as number);
    case 'float64':
      return new NumberColumn(new Float64Array(length), parseFloat64, fallback as number);
    case 'int32':
      return new NumberColumn(new Int32Array(length), parseInt32, fallback as number);
    case 'int64':
      return new NumberColumn(new BigInt64Array(length), parseInt64, fallback as bigint);
    case 'bytes':
      return new BytesColumn(length, fallback as Uint8Array);
  }
}

type NumberArray<V> = TensorArrays[Exclude<CsvDType, 'bytes'>] & Record<number, V>;
type Parse<V> = (bytes: Uint8Array, start: number, end: number) => V | undefined;

class NumberColumn<V extends number | bigint> implements CsvColumn {
  readonly #values: NumberArray<V>;
  readonly #parse: Parse<V>;
  readonly #fallback: V;
  #count = 0;

  constructor(values: NumberArray<V>, parse: Parse<V>, fallback: V) {
    this.#values = values;
    this.#parse = parse;
    this.#fallback = fallback;
  }

  add(bytes: Uint8Array, start: number, end: number): boolean {
    const value = this.#parse(bytes, start, end);
    if (value === undefined) return false;
    this.#values[this.#count++] = value;
    return true;
  }

  addDefault(): void {
    this.#values[this.#count++] = this.#fallback;
  }

  finish(): NumberArray<V> {
    return this.#values;
  }
}

const PARSERS: { readonly [D in CsvDType]: Parse<CsvScalars[D]> } = {
  float32: parseFloat32,
  float64: parseFloat64,
  int32: parseInt32,
  int64: parseInt64,
  bytes: (bytes, start, end) => new Uint8Array(bytes.subarray(start, end)),
};

/** Collects values, with null for empty fields. */
class NullableColumn<V extends CsvScalars[CsvDType]> implements CsvColumn {
  readonly #values: (V | null)[] = [];
  readonly #parse: Parse<V>;

  constructor(parse: Parse<V>) {
    this.#parse = parse;
  }

  add(bytes: Uint8Array, start: number, end: number): boolean {
    const value = this.#parse(bytes, start, end);
    if (value === undefined) return false;
    this.#values.push(value);
    return true;
  }

  addDefault(): void {
    this.#values.push(null);
  }

  finish(): (V | null)[] {
    return this.#values;
  }
}

class BytesColumn implements CsvColumn {
  readonly #values: ByteStringsBuilder;
  readonly #fallback: Uint8Array;

  constructor(length: number, fallback: Uint8Array) {
    this.#values = new ByteStringsBuilder(length);
    this.#fallback = fallback;
  }

  add(bytes: Uint8Array, start: number, end: number): boolean {
    this.#values.add(bytes, start, end);
    return true;
  }

  addDefault(): void {
    this.#values.add(this.#fallback, 0, this.#fallback.length);
  }

  finish(): TensorArrays['bytes'] {
    return this.#values.finish();
  }
}

/** Collects values as strings, decoded from UTF-8. */
class TextColumn implements CsvColumn {
  readonly #values: (string | null)[] = [];
  readonly #fallback: string | null;
  #bytes: Uint8Array | undefined;
  #text: Buffer = NO_TEXT;

  constructor(fallback: Uint8Array | null | undefined) {
    this.#fallback = fallback === null ? null : Buffer.from(fallback ?? NO_TEXT).toString();
  }

  add(bytes: Uint8Array, start: number, end: number): boolean {
    // Most consecutive fields are in the same slab.
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.#values.push(this.#text.toString('utf8', start, end));
    return true;
  }

  addDefault(): void {
    this.#values.push(this.#fallback);
  }

  finish(): (string | null)[] {
    return this.#values;
  }
}

const NO_TEXT = Buffer.alloc(0);
const MAX_BYTES = 2 ** 31 - 1;
/** Values shorter than this are copied faster byte by byte. */
const SHORT = 32;

/** Collects a known number of byte strings of unknown sizes, one per record. */
class ByteStringsBuilder {
  readonly #offsets: Int32Array<ArrayBuffer>;
  #data = new Uint8Array(256);
  #count = 0;
  #size = 0;

  constructor(length: number) {
    this.#offsets = new Int32Array(length + 1);
  }

  /** Copies `bytes[start .. end)`. @throws TFRecordError TFR_RECORD_TOO_LARGE if the total exceeds int32 offsets. */
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
