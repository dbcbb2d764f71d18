/** Determines the files and columns of a query with `read_tfrecord`. */
import {
  advice,
  checkChoice,
  COMPRESSION_OPTIONS,
  invalidArgValue,
  messageOf,
  objectScheme,
  shownUrl,
  tfrecordError,
  TFRecordError,
  worded,
  type CompressionOption,
} from '../base';
import { planFromText } from '../example';
import type { ReadOptions } from '../record';
import { newTable, tableOfPlan, type Table } from '../table';
import { checkColumnNames } from './column-types';
import { ArgumentError } from './query-errors';
import { SAMPLE_RECORDS } from './sample-table';
import type { PlaceColumn, ScanColumn } from './table-scan';

/** The columns that a query can add. */
export const PLACE_COLUMNS: readonly PlaceColumn[] = ['filename', 'file_row_number', 'record_offset'];

/** The arguments of a query. */
export interface QueryArguments {
  /** Null for NULL; undefined for anything but a text or a list of texts. */
  readonly paths: readonly string[] | null | undefined;
  /** Returns the text of a named parameter; undefined if it is NULL or absent. */
  readonly named: (name: string) => string | undefined;
}

/** The files and the columns that a query reads. */
export interface BoundQuery {
  readonly paths: readonly string[];
  readonly table: Table;
  /** True if the table was inferred from the first records. */
  readonly sampled: boolean;
  readonly places: readonly PlaceColumn[];
  readonly read: ReadOptions;
}

/**
 * Determines the columns of a query. `registered`: the table of queries without a spec. `sample` infers it from the first
 * records. @throws for wrong arguments
 */
export function bindQuery(
  { paths, named }: QueryArguments,
  registered: Table | undefined,
  options: ReadOptions,
  sample: (paths: readonly string[], options: ReadOptions) => Table,
): BoundQuery {
  if (paths === undefined || paths === null) {
    throw invalidArgValue('the argument', 'a path, a pattern, or a list of these', paths);
  }
  checkFiles(paths, 'read_tfrecord', 'convert URL a.parquet');
  const places = PLACE_COLUMNS.filter((name) => named(name) === 'true');
  const compression = checkChoice<CompressionOption>(
    'compression',
    named('compression'),
    COMPRESSION_OPTIONS,
    options.compression ?? 'auto',
  );
  const read = { ...options, compression };
  const spec = named('spec');
  const known = spec === undefined ? registered : tableOfText(spec);
  const table = known ?? sample(paths, read);
  if (table.columns.length === 0 && places.length === 0) throw noColumns();
  checkColumnNames(table, places);
  return { paths, table, sampled: known === undefined, places, read };
}

/** The part of a table that a query uses, and where each column that it uses comes from. */
export interface UsedColumns {
  readonly table: Table;
  readonly columns: readonly ScanColumn[];
}

/** Returns what a query uses. `used`: indices of the columns of its result. */
export function usedColumns({ table, places }: BoundQuery, used: readonly number[]): UsedColumns {
  const { columns, sequenceExample } = table;
  const stored = used.filter((index) => index < columns.length);
  return {
    table: newTable(
      stored.map((index) => columns[index]!),
      sequenceExample,
    ),
    columns: used.map((index): ScanColumn => {
      return index < columns.length ? stored.indexOf(index) : places[index - columns.length]!;
    }),
  };
}

/** The error of a scan of `bound` for `error`, which reading threw. */
export function scanError({ sampled }: BoundQuery, error: unknown): unknown {
  return sampled && error instanceof TFRecordError && error.code === 'TFR_FEATURE' ? unlikeSample(error) : error;
}

/**
 * Checks the paths of the function `name`. `command`: makes a file of Parquet of a URL. @throws ArgumentError TFR_SQL for a
 * URL: DuckDB's threads wait for rows, so nothing may be awaited
 */
export function checkFiles(paths: readonly string[], name: string, command: string): void {
  const url = paths.find((path) => objectScheme(path) !== undefined);
  if (url === undefined) return;
  const found = shownUrl(url);
  const message = worded`${name} reads files only: found ${found}.${advice` "tfrecord ${command}" makes a file that read_parquet('a.parquet') reads.`}`;
  throw tfrecordError('TFR_SQL', message, { expected: 'paths of files', found }, ArgumentError);
}

function tableOfText(text: string): Table {
  try {
    return tableOfPlan(planFromText(text));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new ArgumentError('TFR_SPEC', `spec is not JSON: ${error.message}`, { cause: error });
    }
    if (!(error instanceof TFRecordError)) throw error;
    const { code, feature } = error;
    throw tfrecordError(code, worded`spec: ${messageOf(error)}`, { feature, cause: error }, ArgumentError);
  }
}

function noColumns(): TFRecordError {
  return new TFRecordError(
    'TFR_SPEC',
    "the files have no record with a feature, so their columns are unknown: name them, as in read_tfrecord('a', spec := '{…}')",
  );
}

/** The error for `error`, which is about a record that does not match the columns of the first records. */
function unlikeSample(error: TFRecordError): TFRecordError {
  const { code, file, record, offset, feature, expected, found } = error;
  return tfrecordError(
    code,
    worded`${messageOf(error)} The columns are those of the first ${SAMPLE_RECORDS} records${advice`; spec := \u2026 gives others.`}`,
    { file, record, offset, feature, expected, found, cause: error },
  );
}
