import type { ByteString } from '../byte-strings';
import type { TensorArrays } from '../dtypes';

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
  /** Whether fields may be quoted with `"`; if not, quotes are characters like others. Default: true. */
  readonly useQuoteDelim?: boolean | undefined;
  /** A field with this content counts as empty, also in quotes. Default: the empty string. */
  readonly naValue?: ByteString | undefined;
  /** Ascending indices of the fields that are decoded, one for each of `recordDefaults`. Default, and `[]`: all. */
  readonly selectCols?: readonly number[] | undefined;
}
