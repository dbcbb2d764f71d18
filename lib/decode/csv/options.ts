import { invalidArgType, invalidArgValue } from '../../errors';
import { convertLiteral } from '../../tensor';
import { checkBoolean, checkOptions } from '../../record';
import { bytesOf, checkRequiredChoice, type ByteString } from '../arguments';
import type { TensorArrays } from '../dtypes';
import type { FieldRules } from './split-record';

/** The dtypes of CSV columns. */
export type CsvDType = 'float32' | 'float64' | 'int32' | 'int64' | 'bytes';

/** What the default of a column may be. */
export interface CsvDefaults {
  /** A number; it is rounded to float32, whose range it may not leave. */
  float32: number;
  /** A number. */
  float64: number;
  /** An integer of 32 bits. */
  int32: number;
  /** An integer of 64 bits; as a number, a safe one. */
  int64: number | bigint;
  /** Text stands for its UTF-8. */
  bytes: ByteString;
}

/** A column, with what stands in for an empty field. */
export interface CsvDefault<D extends CsvDType> {
  /** What the values are. */
  readonly dtype: D;
  /** One value. Without it an empty field is an error. */
  readonly default?: CsvDefaults[D] | undefined;
}

/** A column: a dtype alone when its fields are required. */
export type CsvField = CsvDType | { [D in CsvDType]: CsvDefault<D> }[CsvDType];

/** The columns that come out: for each field the array of its dtype. */
export type CsvColumns<F extends readonly CsvField[]> = {
  -readonly [I in keyof F]: F[I] extends CsvDType
    ? TensorArrays[F[I]]
    : F[I] extends CsvDefault<infer D>
      ? TensorArrays[D]
      : never;
};

/** Options of `decodeCsv`, under TensorFlow's names. */
export interface CsvOptions<F extends readonly CsvField[]> {
  /** The columns, one a field (one a selected field): a dtype, or a dtype with a default. */
  readonly recordDefaults: F;
  /** What is between fields: one ASCII character. Default: `,`. */
  readonly fieldDelim?: string | undefined;
  /** True if fields may be quoted with `"`; if not, quotes are characters like others. Default: true. */
  readonly useQuoteDelim?: boolean | undefined;
  /** A field with this content counts as empty, also in quotes. Default: the empty string. */
  readonly naValue?: ByteString | undefined;
  /** Ascending indices of the fields that are decoded, one for each of `recordDefaults`. Default, and `[]`: all. */
  readonly selectCols?: readonly number[] | undefined;
}

const CSV_DTYPES: readonly CsvDType[] = ['float32', 'float64', 'int32', 'int64', 'bytes'];

/** A column of checked options. */
interface CheckedField {
  readonly dtype: CsvDType;
  /** As it is stored; undefined: the field is required. */
  readonly fallback: number | bigint | Uint8Array | undefined;
}

/** Checked options, with their defaults. */
export interface CheckedCsvOptions extends FieldRules {
  readonly columns: readonly CheckedField[];
  readonly naValue: Uint8Array;
}

/** @throws TypeError for what is no {@link CsvOptions}. */
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
  if (value.length === 0) throw invalidArgValue(name, 'of at least one column', value);
  return Array.from(value as unknown[], (field, i) => checkField(`recordDefaults[${i}]`, field));
}

function checkField(option: string, field: unknown): CheckedField {
  const name = `options.${option}`;
  if (typeof field === 'string') return { dtype: checkRequiredChoice(name, field, CSV_DTYPES), fallback: undefined };
  if (typeof field !== 'object' || field === null || Array.isArray(field)) {
    throw invalidArgType(name, 'a dtype or { dtype, default }', field);
  }
  const given = checkOptions(field as CsvDefault<CsvDType>, ['dtype', 'default'], option);
  const dtype = checkRequiredChoice(`${name}.dtype`, given.dtype, CSV_DTYPES);
  const value = given.default;
  return { dtype, fallback: value === undefined ? undefined : checkDefault(`${name}.default`, dtype, value) };
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
  for (const index of value as unknown[]) {
    if (!Number.isSafeInteger(index) || (index as number) <= before) {
      throw invalidArgValue(name, 'ascending indices, from 0 on', index);
    }
    before = index as number;
  }
  return [...(value as number[])];
}
