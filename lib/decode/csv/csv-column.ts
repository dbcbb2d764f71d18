import type { TensorArrays } from '../dtypes';
import { ByteStringsBuilder } from './byte-strings-builder';
import type { CsvDType } from './csv-options';
import { parseFloat32, parseFloat64 } from './parse-float';
import { parseInt32, parseInt64 } from './parse-integer';

/** One column while its values come in, one a record. */
export interface CsvColumn {
  /** Adds the value that is written in `bytes[start .. end)`; false when it is none of the column's dtype. */
  add(bytes: Uint8Array, start: number, end: number): boolean;
  /** Adds the default. */
  addDefault(): void;
  finish(): TensorArrays[CsvDType];
}

/** A column of `length` values; `fallback` is what `addDefault` adds, as it is stored. */
export function newColumn(dtype: CsvDType, fallback: unknown, length: number): CsvColumn {
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
