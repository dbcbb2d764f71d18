/** The options of `Dataset.csv`, and their checks. */
import { checkCsvOptions, type ByteString, type CsvDefaults, type CsvDType, type CsvField } from '../decode';
import { invalidArgType, invalidArgValue } from '../errors';
import { checkBoolean, checkOptions, type Bytes } from '../record';
import { checkOptionsObject } from './arguments';
import { checkCompression, type FileOptions } from './file-options';
import type { CsvStageColumn, CsvStageOptions } from './sources/csv-layout';

/** What the defaults of columns of text and of the dtypes of `decodeCsv` may be. */
export interface CsvColumnDefaults extends CsvDefaults {
  /** Text. */
  text: string;
}

/** A column by its type. */
export interface CsvTypedColumn<D extends keyof CsvColumnDefaults> {
  /** The type of its values. */
  readonly dtype: D;
  /** What an empty field is. Default: none, a field is required. */
  readonly default?: CsvColumnDefaults[D] | undefined;
}

/**
 * A column: the default for empty fields, whose type is that of the column (a number is float64, a bigint int64, a string
 * text, a Uint8Array bytes), or `{ dtype }`, where a field without a default is required. The name of a dtype alone is
 * refused, because it would be a default text.
 */
export type CsvColumn =
  | number
  | bigint
  | string
  | Uint8Array
  | { [D in keyof CsvColumnDefaults]: CsvTypedColumn<D> }[keyof CsvColumnDefaults];

/** The value that a column has in a row. */
export type CsvValue<C> = C extends number
  ? number
  : C extends bigint
    ? bigint
    : C extends string
      ? string
      : C extends Uint8Array
        ? Bytes
        : C extends CsvTypedColumn<infer D>
          ? D extends 'text'
            ? string
            : D extends 'bytes'
              ? Bytes
              : D extends 'int64'
                ? bigint
                : number
          : never;

/** How to read comma-separated values. Unknown names throw. */
export interface DatasetCsvOptions<C extends Readonly<Record<string, CsvColumn>>> extends FileOptions {
  /** The columns of the rows, by name. With a header in any order, and not all need be named; else all, in their order. */
  columns: C;
  /** Whether the first record of each file names its fields. Default true. */
  header?: boolean | undefined;
  /** What is between fields: one ASCII character. Default `,`. */
  delimiter?: string | undefined;
  /** Whether fields may be quoted with `"`; they may hold line ends then. Default true. */
  quotes?: boolean | undefined;
  /** A field with this content counts as empty. Default: the empty string. */
  naValue?: ByteString | undefined;
}

/** Options of which the stage is made. */
export interface CheckedCsv {
  readonly compression: ReturnType<typeof checkCompression>;
  readonly stage: CsvStageOptions;
}

/** Names of types, which are taken for a default text all too easily. */
const DTYPES: ReadonlySet<string> = new Set(['float32', 'float64', 'int32', 'int64', 'bytes', 'text'] satisfies (
  CsvDType | 'text'
)[]);
const NAMES = ['columns', 'header', 'delimiter', 'quotes', 'naValue', 'compression'] as const;

export function checkDatasetCsvOptions(options: DatasetCsvOptions<Record<string, CsvColumn>> | undefined): CheckedCsv {
  const { columns, header, delimiter, quotes, naValue, compression } = checkOptionsObject('csv', options, NAMES);
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
    throw invalidArgType('options.columns', 'an object of defaults or { dtype } by name', columns);
  }
  const given = Object.entries(columns).map(([name, column]) => checkColumn(name, column));
  if (given.length === 0) throw invalidArgValue('options.columns', 'of at least one column', columns);
  const rules = checkCsvOptions({
    recordDefaults: given.map(({ field }) => field),
    fieldDelim: delimiter,
    useQuoteDelim: quotes,
    naValue,
  });
  return {
    compression: checkCompression(compression),
    stage: {
      columns: given.map(({ column }) => column),
      rules,
      header: checkBoolean('options.header', header, true),
    },
  };
}

interface CheckedColumn {
  readonly column: CsvStageColumn;
  readonly field: CsvField;
}

function checkColumn(name: string, given: unknown): CheckedColumn {
  const option = `columns.${name}`;
  const of = (dtype: CsvDType, fallback: unknown, text = false): CheckedColumn => ({
    column: { name, dtype, text },
    field: (fallback === undefined ? dtype : { dtype, default: fallback }) as CsvField,
  });
  switch (typeof given) {
    case 'number':
      return of('float64', given);
    case 'bigint':
      return of('int64', given);
    case 'string':
      if (DTYPES.has(given)) {
        const text = `for "${given}" as the default text, give { dtype: 'text', default: '${given}' }`;
        throw invalidArgValue(`options.${option}`, `{ dtype: '${given}' } for values of that type (${text})`, given);
      }
      return of('bytes', given, true);
    default:
  }
  if (given instanceof Uint8Array) return of('bytes', given);
  if (typeof given !== 'object' || given === null) {
    throw invalidArgType(
      `options.${option}`,
      'a number, a bigint, a string, a Uint8Array or { dtype, default }',
      given,
    );
  }
  const { dtype, default: fallback } = checkOptions(
    given as { dtype: CsvDType | 'text'; default?: unknown },
    ['dtype', 'default'],
    option,
  );
  if (dtype !== 'text') return of(dtype, fallback);
  if (fallback !== undefined && typeof fallback !== 'string') {
    throw invalidArgType(`options.${option}.default`, 'a string', fallback);
  }
  return of('bytes', fallback, true);
}
