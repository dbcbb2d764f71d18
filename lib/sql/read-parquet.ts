/** Reads files of Parquet as tables. */
import { stat } from 'node:fs/promises';

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Vector as Stored } from '@duckdb/node-bindings';

import { TFRecordError, tfrecordError, advice, messageOf, worded } from '../base';
import {
  COLUMN_ADVICE,
  COLUMNS_KEY,
  isoTexts,
  microsecondsOf,
  misfitOf,
  SpecFault,
  type ColumnReading,
  type DateType,
  type RefuseDate,
  type Table,
  type TableBatch,
  type TableColumn,
  type Vector,
} from '../table';
import { pathToRead } from './duckdb-path';
import { readingOf, type ColumnSource } from './parquet-columns';
import { duckdb, type Bindings } from './peers';
import { duckdbError, QueryMessages } from './query-errors';
import { readVector } from './read-vector';
import { literal } from './sql-text';
import { namedColumns } from './stored-columns';

/** Options of reading a file. */
export interface ParquetReadOptions extends ColumnReading {
  /** The name of the file in errors. Default: the path. */
  readonly file?: string | undefined;
  /** The columns to read. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /**
   * True: rounds DOUBLE values to float32. Default: false; a value that float32 cannot hold is an error, TFR_FEATURE.
   */
  readonly round?: boolean | undefined;
}

/** A file of Parquet. */
export interface ParquetFile {
  readonly table: Table;
  /** Key-value metadata of the file. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Number of rows. */
  readonly rows: number;
  /** The rows in order, in batches of up to a few thousand. */
  batches(): AsyncGenerator<TableBatch, void, undefined>;
  close(): void;
}

/** Maximum number of rows in a chunk of DuckDB. */
const VECTOR_ROWS = 2048;
/** Size of the rows that are copied together, in bytes. */
const STEP_BYTES = 4 * 1024 * 1024;

/** The number of rows to copy together, if each has `rowBytes` bytes: a multiple of 64. */
function rowsAtOnce(rowBytes: number): number {
  const whole = 64 * Math.floor(STEP_BYTES / Math.max(1, rowBytes) / 64);
  return Math.max(64, Math.min(VECTOR_ROWS, whole));
}

/** Approximate uncompressed size of `path`, in bytes. `file`: the path as a literal in SQL. */
async function uncompressedSize(connection: DuckDBConnection, file: string, path: string): Promise<number> {
  try {
    const summed = await connection.runAndReadAll(
      `SELECT sum(total_uncompressed_size)::DOUBLE FROM parquet_metadata(${file})`,
    );
    return (summed.getRows() as [[number | null]])[0][0] ?? 0;
  } catch {
    // DuckDB fails at bounds of a column that it cannot print, such as the earliest timestamps of pandas.
    return (await stat(path)).size;
  }
}

/**
 * Opens the file `path`. @throws TFRecordError TFR_FEATURE for a column that no feature can hold; TFR_SQL for a file
 * that DuckDB cannot read
 */
export async function openParquet(path: string, options: ParquetReadOptions = {}): Promise<ParquetFile> {
  const { api, bindings: db } = duckdb('Parquet');
  const instance = await api.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  const messages = new QueryMessages();
  let given: string | undefined;
  try {
    given = pathToRead(path);
    const file = literal(given);
    const pairs = await connection.runAndReadAll(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${file}) WHERE key::VARCHAR LIKE 'tfrecord.%'`,
    );
    const metadata = new Map(pairs.getRowsJS() as [string, string][]);
    const counted = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${file})`);
    const [[storedRows]] = counted.getRows() as [[bigint]];
    const rows = Number(storedRows);
    const step = rowsAtOnce((await uncompressedSize(connection, file, given)) / Math.max(1, rows));
    // DuckDB ignores the bytes of strings when it reads ahead, so it would hold a whole file of pictures in memory.
    if (step < VECTOR_ROWS) await connection.run("SET streaming_buffer_size = '1KB'; SET threads = 1");
    // With Hive partitioning, a folder called NAME=VALUE would replace the file's own column of that name.
    const source = `FROM read_parquet(${file}, binary_as_string := false, hive_partitioning := false)`;
    // Prepared statements of DuckDB 1.4 do not describe their columns.
    const described = await connection.run(`SELECT * ${source} LIMIT 0`);
    const types = described.columnTypes();
    const aliases = described.columnNames().map((alias, i) => ({ alias, type: types[i]! }));
    const known = await connection.runAndReadAll(
      `SELECT name, coalesce(num_children, 0)::INTEGER FROM parquet_schema(${file})`,
    );
    const stored = namedColumns(aliases, known.getRows() as [string, number][]);
    const { columns } = options;
    const { table, sources } = readingOf(
      columns === undefined ? stored : stored.filter(({ name }) => columns.includes(name)),
      { ...options, described: metadata.get(COLUMNS_KEY), rounded: options.round === true, messages },
    );
    // A file without wanted columns still has rows.
    const expressions = sources.length === 0 ? ['1'] : sources.map(({ expression }) => expression);
    const batches = async function* (): AsyncGenerator<TableBatch, void, undefined> {
      try {
        let first = 0;
        const result = await connection.stream(`SELECT ${expressions.join(', ')} ${source}`);
        for (;;) {
          const chunk = await result.fetchChunk();
          if (chunk === null || chunk.rowCount === 0) return;
          const { rowCount } = chunk;
          for (let at = 0; at < rowCount; at += step) {
            const count = Math.min(step, rowCount - at);
            const vectors = table.columns.map((column, i) =>
              columnVector(db, db.data_chunk_get_vector(chunk.chunk, i), column, sources[i]!, at, count, first + at),
            );
            yield { rows: count, vectors };
          }
          first += rowCount;
        }
      } catch (error) {
        throw parquetError(error, given, options.file ?? path, messages);
      }
    };
    return { table, metadata, rows, batches, close };
  } catch (error) {
    close();
    throw parquetError(error, given, options.file ?? path, messages);
  }
}

/**
 * The values of `count` rows of `stored`, from index `at`. `first`: the number of the first row in the file. @throws
 * TFRecordError TFR_FEATURE
 */
function columnVector(
  db: Bindings,
  stored: Stored,
  column: TableColumn,
  { dates, wanted }: ColumnSource,
  at: number,
  count: number,
  first: number,
): Vector {
  // DuckDB's vectors store dates as int64.
  const read = readVector(db, stored, dates === undefined ? column : { ...column, dtype: 'int64' }, at, count);
  const vector = dates === undefined ? read : { ...read, column, ...datesIn(read, column, dates) };
  const misfit = wanted === undefined ? undefined : misfitOf(wanted, vector);
  if (misfit === undefined) return vector;
  const { row, expected, found, advice: cure } = misfit;
  const place = `Column ${JSON.stringify(column.name)}, row ${first + row}`;
  const message = worded`${place}: expected ${expected}, found ${found}.${advice` ${cure}`}`;
  throw tfrecordError('TFR_FEATURE', message, { feature: column.key, record: first + row, expected, found }, SpecFault);
}

function datesIn(
  { values }: Vector,
  { name, key, dtype }: TableColumn,
  dates: DateType,
): Pick<Vector, 'values' | 'offsets'> {
  const refuse: RefuseDate = (_, expected, found, cure) => {
    const message = worded`Column ${JSON.stringify(name)}: expected ${expected}, found ${found}.${advice` ${cure}`}`;
    throw tfrecordError('TFR_FEATURE', message, { feature: key, expected, found });
  };
  const numbers = values as BigInt64Array;
  if (dtype === 'int64') return { values: microsecondsOf(numbers, dates, refuse), offsets: undefined };
  return isoTexts(numbers, dates, refuse);
}

/** Advice for a column that no feature can hold. */
const ADVICE = advice`. ${COLUMN_ADVICE}, or make other columns first: tfrecord sql "COPY (SELECT id, price::DOUBLE AS price FROM 'in.parquet') TO 'out.parquet'"`;

function parquetError(error: unknown, path: string | undefined, file: string, messages: QueryMessages): unknown {
  if (error instanceof TFRecordError) {
    const { code, record, feature, expected, found, cause } = error;
    const cure = code === 'TFR_FEATURE' && !(error instanceof SpecFault) ? ADVICE : undefined;
    return tfrecordError(code, worded`${file}: ${messageOf(error)}${cure}`, {
      file,
      record,
      feature,
      expected,
      found,
      cause,
    });
  }
  const own = messages.thrownBy(error);
  return own === undefined
    ? duckdbError(error, file, path)
    : tfrecordError('TFR_FEATURE', worded`${file}: ${own}${ADVICE}`, { file });
}
