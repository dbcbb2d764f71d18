import {
  checkBoolean,
  checkOptions,
  invalidArgType,
  invalidArgValue,
  TFRecordError,
  type Bytes,
  type CompressionOption,
} from '../../base';
import {
  checkCsvOptions,
  type ByteString,
  type CsvDefaults,
  type CsvDType,
  type CsvField,
  type CsvNullable,
} from '../../decode';
import { type RecordSource } from '../../io';
import { csvFraming, LINES, type ErrorPolicy } from '../../record';
import { ArrayElements } from '../engine/elements';
import { Input } from '../engine/input';
import { flag, type Label } from '../engine/labels';
import type { Chunk, Json, Mark, Operator } from '../engine/operator';
import { RAW, recordsOf } from '../engine/record-forms';
import { stagePath, type Run } from '../engine/run';
import { CsvLayout, type CsvSettings, type CsvStageColumn } from './csv-layout';
import { checkCompression, CutFilesStage, type FileOptions } from './cut-files';
import type { CutFrames } from './cut-records';
import { LINE_LIMITS, utf8Check } from './text';

/** The types of defaults of text columns and of the dtypes of `decodeCsv`. */
export interface CsvColumnDefaults extends CsvDefaults {
  /** Text. */
  text: string;
}

/** A column with its type. */
export interface CsvTypedColumn<D extends keyof CsvColumnDefaults> {
  /** The type of its values. */
  readonly dtype: D;
  /** The value of an empty field. Default: none; the field is then required. */
  readonly default?: CsvColumnDefaults[D] | undefined;
}

/**
 * A column: the default for empty fields, whose type is that of the column (a number is float64, a bigint int64, a
 * string text, a Uint8Array bytes), or `{ dtype, default }`: without a default, the field is required; with the default
 * `null`, an empty field is null. The name of a dtype as a string is a TypeError, because it would be a default text.
 */
export type CsvColumn =
  | number
  | bigint
  | string
  | Uint8Array
  | { [D in keyof CsvColumnDefaults]: CsvTypedColumn<D> | CsvNullable<D> }[keyof CsvColumnDefaults];

/** The type of a column's values in rows. */
export type CsvValue<C> = C extends number
  ? number
  : C extends bigint
    ? bigint
    : C extends string
      ? string
      : C extends Uint8Array
        ? Bytes
        : C extends CsvTypedColumn<infer D>
          ? CsvTypedValue<D>
          : C extends CsvNullable<infer D>
            ? CsvTypedValue<D> | null
            : never;

/** The type of a dtype's values in rows. */
export type CsvTypedValue<D extends string> = D extends 'text'
  ? string
  : D extends 'bytes'
    ? Bytes
    : D extends 'int64'
      ? bigint
      : number;

/** Options of `Dataset.csv`. Unknown names throw. */
export interface DatasetCsvOptions<C extends Readonly<Record<string, CsvColumn>>> extends FileOptions {
  /**
   * The columns of the rows, by name. Files with a header: any of the columns, in any order; without: all columns, in
   * the order of the fields.
   */
  columns: C;
  /** True if the first record of each file names its fields. Default: true. */
  header?: boolean | undefined;
  /** The separator of fields: one ASCII character. Default `,`. */
  delimiter?: string | undefined;
  /** True if fields may be quoted with `"`; quoted fields may contain line ends. Default true. */
  quotes?: boolean | undefined;
  /** A field with this content counts as empty. Default: the empty string. */
  naValue?: ByteString | undefined;
}

/** Names of types, which could be mistaken for a default text. */
const DTYPES: ReadonlySet<string> = new Set(['float32', 'float64', 'int32', 'int64', 'bytes', 'text'] satisfies (
  CsvDType | 'text'
)[]);
const NAMES = ['columns', 'header', 'delimiter', 'quotes', 'naValue', 'compression'] as const;

const columnsLabel: Label = (fields) =>
  `columns ${(fields as readonly (readonly string[])[]).map(([name, dtype]) => `${name}: ${dtype}`).join(' ')}`;
const delimiterLabel: Label = (byte) => `delimiter ${JSON.stringify(String.fromCharCode(Number(byte)))}`;
const naLabel: Label = (value) => `naValue ${JSON.stringify(value)}`;

/** The stage of `Dataset.csv`, which reads the rows of files as objects. */
export class CsvStage extends CutFilesStage {
  readonly kind = 'csv';
  override readonly labels = [columnsLabel, flag('header'), delimiterLabel, flag('quotes'), naLabel];
  readonly #settings: CsvSettings;

  static of(source: RecordSource, options: DatasetCsvOptions<Record<string, CsvColumn>> | undefined): CsvStage {
    const { columns, header, delimiter, quotes, naValue, compression } = checkOptions(options, NAMES);
    if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
      throw invalidArgType('options.columns', 'an object of defaults or { dtype } by name', columns);
    }
    const given = Object.entries(columns).map(([name, column]) => checkColumn(name, column));
    if (given.length === 0) throw invalidArgValue('options.columns', 'an object with at least one column', columns);
    const rules = checkCsvOptions({
      recordDefaults: given.map(({ field }) => field),
      fieldDelim: delimiter,
      useQuoteDelim: quotes,
      naValue,
    });
    return new CsvStage(source, checkCompression(compression), {
      columns: given.map(({ column }) => column),
      rules,
      header: checkBoolean('options.header', header, true),
    });
  }

  private constructor(source: RecordSource, compression: CompressionOption, settings: CsvSettings) {
    const { rules, columns, header } = settings;
    super(source, {
      compression,
      headRecords: header ? 1 : 0,
      wantsHead: header,
      ...LINE_LIMITS,
      framing: rules.quotes ? csvFraming(rules.delimiter) : LINES,
      form: RAW,
      check: columns.some(({ text }) => text) ? utf8Check('Record') : undefined,
      checkHead: (source) => {
        const layout = layoutOf(settings, source);
        return layout instanceof TFRecordError ? layout : undefined;
      },
      order: orderOf(settings),
    });
    this.#settings = settings;
  }

  override open(run: Run, from: Mark): Operator {
    const input = new Input(this.openRecords(run, from), run.scope, from);
    return new CsvOperator(input, this.#settings, run.policy(stagePath(run, this)));
  }
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
  if (fallback !== undefined && fallback !== null && typeof fallback !== 'string') {
    throw invalidArgType(`options.${option}.default`, 'a string or null', fallback);
  }
  return of('bytes', fallback, true);
}

/** Returns the layout of a file, or the error of its header. */
function layoutOf(settings: CsvSettings, { file, head }: CutFrames): CsvLayout | TFRecordError {
  try {
    return new CsvLayout(settings, head, file);
  } catch (error) {
    if (error instanceof TFRecordError) return error;
    throw error;
  }
}

/**
 * Returns the default as states and caches store it. A required column is "null", and was before defaults could be
 * null.
 */
function defaultOrder(fallback: number | bigint | Uint8Array | null | undefined): string {
  return fallback === null ? 'nullable' : String(fallback ?? null);
}

function orderOf({ columns, rules, header }: CsvSettings): Json {
  const fields = columns.map(({ name, dtype, text }, i) => [
    name,
    text ? 'text' : dtype,
    defaultOrder(rules.columns[i]?.fallback),
  ]);
  return [fields, header, rules.delimiter, rules.quotes, String(rules.naValue)];
}

/** Decodes records, one row each. The policy decides about each record that cannot be decoded. */
class CsvOperator implements Operator {
  readonly #input: Input;
  readonly #settings: CsvSettings;
  readonly #policy: ErrorPolicy;
  #file: string | undefined;
  /** The layout of the current file; undefined if the file was skipped because of its header. */
  #layout: CsvLayout | undefined;
  #ended = false;

  constructor(input: Input, settings: CsvSettings, policy: ErrorPolicy) {
    this.#input = input;
    this.#settings = settings;
    this.#policy = policy;
  }

  async next(max: number): Promise<Chunk | undefined> {
    const input = this.#input;
    while (!this.#ended && (await input.load(max))) {
      const { mark } = input;
      const end = Math.min(input.elements.length, input.index + max);
      const records = recordsOf(input.elements.slice(input.index, end), RAW, 'csv');
      const source = records.slab(0).source as CutFrames;
      const layout = this.#layoutOf(source);
      if (layout === undefined) {
        input.index = end;
        continue;
      }
      const { rows, error } = layout.decode(
        source,
        Array.from({ length: records.length }, (_, index) => records.frame(index)),
      );
      input.index += rows.length;
      if (rows.length > 0) {
        return { elements: new ArrayElements(rows, records.slice(0, rows.length).origins), mark };
      }
      // The first record is invalid; the rows before it were returned.
      if (error !== undefined) this.#resolve(error);
      input.index++;
    }
    return undefined;
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  #layoutOf(source: CutFrames): CsvLayout | undefined {
    const { file } = source;
    if (file === this.#file) return this.#layout;
    this.#file = file;
    const layout = layoutOf(this.#settings, source);
    this.#layout = layout instanceof TFRecordError ? undefined : layout;
    if (layout instanceof TFRecordError) this.#resolve(layout);
    return this.#layout;
  }

  #resolve(error: TFRecordError): void {
    if (this.#policy.resolve(error) === 'stop') this.#ended = true;
  }
}
