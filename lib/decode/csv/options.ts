import { checkBoolean, checkOptions, invalidArgType, invalidArgValue, type Bytes, isInteger } from '../../base';
import { convertLiteral } from '../../tensor';
import { bytesOf, checkRequiredChoice, type ByteString } from '../arguments';
import type { TensorArrays } from '../dtypes';
import type { FieldRules } from './split-record';

/** The dtypes of CSV columns. */
export type CsvDType = 'float32' | 'float64' | 'int32' | 'int64' | 'bytes';

/** The types of a column's default value. */
export interface CsvDefaults {
  /** A number within float32's range. It is rounded to float32. */
  float32: number;
  /** A number. */
  float64: number;
  /** A 32-bit integer. */
  int32: number;
  /** A 64-bit integer. A number must be a safe integer. */
  int64: number | bigint;
  /** A byte string. Text means its UTF-8 bytes. */
  bytes: ByteString;
}

/** A column with a default value for empty fields. */
export interface CsvDefault<D extends CsvDType> {
  /** The type of the values. */
  readonly dtype: D;
  /** The value of an empty field. Default: none, and an empty field is an error. */
  readonly default?: CsvDefaults[D] | undefined;
}

/** A column whose empty fields are `null`. */
export interface CsvNullable<D extends string> {
  /** The type of the values. */
  readonly dtype: D;
  /** `null`: an empty field has no value. */
  readonly default: null;
}

/** A column: a dtype alone if all its fields are required, or a dtype with a default, which may be `null`. */
export type CsvField = CsvDType | { [D in CsvDType]: CsvDefault<D> | CsvNullable<D> }[CsvDType];

/** The decoded columns: for each field, the array of its dtype. With a `null` default, an array of values and nulls. */
export type CsvColumns<F extends readonly CsvField[]> = {
  -readonly [I in keyof F]: F[I] extends CsvDType
    ? TensorArrays[F[I]]
    : F[I] extends CsvDefault<infer D>
      ? TensorArrays[D]
      : F[I] extends CsvNullable<infer D extends CsvDType>
        ? (CsvScalars[D] | null)[]
        : never;
};

/** The types of a column's single values. */
export interface CsvScalars {
  /** A number that is a float32. */
  float32: number;
  /** Any number. */
  float64: number;
  /** A 32-bit integer. */
  int32: number;
  /** A 64-bit integer. */
  int64: bigint;
  /** A byte string, with memory of its own. */
  bytes: Bytes;
}

/** Options of `decodeCsv`, under TensorFlow's names. */
export interface CsvOptions<F extends readonly CsvField[]> {
  /** The columns, one for each field (or each selected field): a dtype, or a dtype with a default. */
  readonly recordDefaults: F;
  /** The delimiter between fields: one ASCII character. Default: `,`. */
  readonly fieldDelim?: string | undefined;
  /** True if fields may be quoted with `"`. If false, a quote is an ordinary character. Default: true. */
  readonly useQuoteDelim?: boolean | undefined;
  /** A field with this content, also in quotes, counts as empty. Default: the empty string. */
  readonly naValue?: ByteString | undefined;
  /** Ascending indices of the fields to decode, one for each of `recordDefaults`. Default: all, as for `[]`. */
  readonly selectCols?: readonly number[] | undefined;
}

const CSV_DTYPES: readonly CsvDType[] = ['float32', 'float64', 'int32', 'int64', 'bytes'];

/** A checked column. */
interface CheckedField {
  readonly dtype: CsvDType;
  /** The default value in the column's array type; undefined if the field is required. */
  readonly fallback: number | bigint | Uint8Array | null | undefined;
}

/** Checked options with their defaults. */
export interface CheckedCsvOptions extends FieldRules {
  readonly columns: readonly CheckedField[];
  readonly naValue: Uint8Array;
}

/** Checks `options` and fills in defaults. @throws TypeError if they are not {@link CsvOptions}. */
export function checkCsvOptions(options: CsvOptions<readonly CsvField[]>): CheckedCsvOptions {
  const given = checkOptions(options, ['recordDefaults', 'fieldDelim', 'useQuoteDelim', 'naValue', 'selectCols']);
  const columns = checkColumns(given.recordDefaults);
  return {
    columns,
    delimiter: checkDelimiter(given.fieldDelim),
    quotes: checkBoolean('options.useQuoteDelim', given.useQuoteDelim, true),
    naValue: bytesOf('options.naValue', given.naValue ?? '').slice(),
    selected: checkSelection(given.selectCols, columns.length),
  };
}

function checkColumns(value: unknown): CheckedField[] {
  const name = 'options.recordDefaults';
  if (!Array.isArray(value)) throw invalidArgType(name, 'an array of dtypes, or of { dtype, default }', value);
  if (value.length === 0) throw invalidArgValue(name, 'an array of at least one column', value);
  return Array.from(value, (field: unknown, i) => checkField(`recordDefaults[${i}]`, field));
}

function checkField(option: string, field: unknown): CheckedField {
  const name = `options.${option}`;
  if (typeof field === 'string') return { dtype: checkRequiredChoice(name, field, CSV_DTYPES), fallback: undefined };
  if (typeof field !== 'object' || field === null || Array.isArray(field)) {
    throw invalidArgType(name, 'a dtype or { dtype, default }', field);
  }
  const given = checkOptions(field as CsvDefault<CsvDType> | CsvNullable<CsvDType>, ['dtype', 'default'], option);
  const dtype = checkRequiredChoice(`${name}.dtype`, given.dtype, CSV_DTYPES);
  const value = given.default;
  return {
    dtype,
    fallback: value === undefined || value === null ? value : checkDefault(`${name}.default`, dtype, value),
  };
}

function checkDefault(name: string, dtype: CsvDType, value: unknown): number | bigint | Uint8Array {
  switch (dtype) {
    case 'float64':
      if (typeof value !== 'number') throw invalidArgType(name, 'a number', value);
      return value;
    case 'int32':
      if (typeof value !== 'number') throw invalidArgType(name, 'a number', value);
      if ((value | 0) !== value) throw invalidArgValue(name, 'an integer of 32 bits', value);
      return value;
    case 'bytes':
      return bytesOf(name, value).slice();
    default: {
      const converted = convertLiteral(dtype, value);
      if (!('value' in converted)) throw invalidArgValue(name, converted.wanted, value);
      return converted.value;
    }
  }
}

function checkDelimiter(value: unknown = ','): number {
  if (typeof value !== 'string') throw invalidArgType('options.fieldDelim', 'a string', value);
  const byte = value.charCodeAt(0);
  if (value.length !== 1 || byte > 0x7f) throw invalidArgValue('options.fieldDelim', 'one ASCII character', value);
  return byte;
}

function checkSelection(value: unknown, columns: number): readonly number[] | undefined {
  const name = 'options.selectCols';
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidArgType(name, 'an array of indices', value);
  if (value.length === 0) return undefined;
  if (value.length !== columns) {
    throw invalidArgValue(name, `as long as options.recordDefaults (${columns})`, value);
  }
  let before = -1;
  const indices: number[] = [];
  for (const index of value) {
    if (!isInteger(index, before + 1)) {
      throw invalidArgValue(name, 'ascending indices, from 0 on', index);
    }
    before = index;
    indices.push(index);
  }
  return indices;
}
