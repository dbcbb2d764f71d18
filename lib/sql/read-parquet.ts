/** Reads files of Parquet as tables. */
import { TFRecordError } from '../errors';
import { COLUMNS_KEY, type Table, type TableBatch } from '../example';
import { pathToRead } from './duckdb-path';
import { readingOf } from './parquet-columns';
import { duckdbApi, duckdbBindings } from './peers';
import { duckdbError } from './query-errors';
import { readVector } from './read-vector';
import { identifier, literal } from './sql-text';

/** Options of reading a file. */
export interface ParquetReadOptions {
  /** The name of the file in errors. Default: the path. */
  readonly file?: string | undefined;
  /** The columns to read. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** True: DOUBLE values are rounded to float32. Default: one that float32 cannot hold is an error, TFR_FEATURE. */
  readonly round?: boolean | undefined;
}

/** A file of Parquet. */
export interface ParquetFile {
  readonly table: Table;
  /** The file's key-value metadata. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Number of rows. */
  readonly rows: number;
  /** The rows in order, some thousand at a time. */
  batches(): AsyncGenerator<TableBatch, void, undefined>;
  close(): void;
}

/** Most rows of a chunk of DuckDB's. */
const VECTOR_ROWS = 2048;
/** Bytes of rows that are copied at a time. */
const STEP_BYTES = 4 * 1024 * 1024;

/** The number of rows to copy at a time, for rows of `rowBytes` bytes: a multiple of 64. */
function rowsAtOnce(rowBytes: number): number {
  const whole = 64 * Math.floor(STEP_BYTES / Math.max(1, rowBytes) / 64);
  return Math.max(64, Math.min(VECTOR_ROWS, whole));
}

/**
 * Opens the file `path`. @throws TFRecordError TFR_FEATURE for a column that no feature can hold; TFR_SQL for a file that
 * DuckDB cannot read
 */
export async function openParquet(path: string, options: ParquetReadOptions = {}): Promise<ParquetFile> {
  const { DuckDBInstance } = duckdbApi('Parquet');
  const db = duckdbBindings();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  let given: string | undefined;
  try {
    given = pathToRead(path);
    const file = literal(given);
    const pairs = await connection.runAndReadAll(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${file}) WHERE key::VARCHAR LIKE 'tfrecord.%'`,
    );
    const metadata = new Map(pairs.getRowsJS() as [string, string][]);
    const counted = await connection.runAndReadAll(
      `SELECT num_rows, (SELECT sum(total_uncompressed_size)::DOUBLE FROM parquet_metadata(${file})) ` +
        `FROM parquet_file_metadata(${file})`,
    );
    const [[storedRows, bytes]] = counted.getRows() as [[bigint, number | null]];
    const rows = Number(storedRows);
    const step = rowsAtOnce((bytes ?? 0) / Math.max(1, rows));
    // DuckDB counts no bytes of strings in what it reads ahead, and would hold a whole file of pictures.
    if (step < VECTOR_ROWS) await connection.run("SET streaming_buffer_size = '1KB'; SET threads = 1");
    const chosen = options.columns?.map(identifier).join(', ') ?? '*';
    // A folder called NAME=VALUE would give a column, in place of the file's own of that name.
    const source = `FROM read_parquet(${file}, binary_as_string := false, hive_partitioning := false)`;
    const statement = await connection.prepare(`SELECT ${chosen} ${source}`);
    const stored = Array.from({ length: statement.columnCount }, (_, i) => {
      return { name: statement.columnName(i), type: statement.columnType(i) };
    });
    statement.destroySync();
    const known = await connection.runAndReadAll(`SELECT name FROM parquet_schema(${file})`);
    refuseRenamed(
      stored.map(({ name }) => name),
      known.getRows().map(([name]) => String(name)),
    );
    const { table, expressions } = readingOf(stored, metadata.get(COLUMNS_KEY), options.round === true);
    const batches = async function* (): AsyncGenerator<TableBatch, void, undefined> {
      try {
        const result = await connection.stream(`SELECT ${expressions.join(', ')} ${source}`);
        for (;;) {
          const chunk = await result.fetchChunk();
          if (chunk === null || chunk.rowCount === 0) return;
          const { rowCount } = chunk;
          for (let at = 0; at < rowCount; at += step) {
            const count = Math.min(step, rowCount - at);
            const vectors = table.columns.map((column, i) =>
              readVector(db, db.data_chunk_get_vector(chunk.chunk, i), column, at, count),
            );
            yield { rows: count, vectors };
          }
        }
      } catch (error) {
        throw parquetError(error, given, options.file ?? path);
      }
    };
    return { table, metadata, rows, batches, close };
  } catch (error) {
    close();
    throw parquetError(error, given, options.file ?? path);
  }
}

/**
 * DuckDB gives another name to a column whose name differs from an earlier one only in case. `inFile`: the names of all
 * levels. @throws TFRecordError TFR_FEATURE naming both
 */
function refuseRenamed(columns: readonly string[], inFile: readonly string[]): void {
  const renamed = columns.find((name) => !inFile.includes(name));
  if (renamed === undefined) return;
  const alike = inFile.filter((name, i) =>
    inFile.some((other, j) => i !== j && name.toLowerCase() === other.toLowerCase()),
  );
  const [name = renamed] = alike;
  const names = alike.length === 0 ? JSON.stringify(renamed) : alike.map((one) => JSON.stringify(one)).join(', ');
  throw new TFRecordError('TFR_FEATURE', `DuckDB does not tell apart the columns ${names}: rename them`, {
    feature: name,
    expected: 'names that differ not only in case',
    found: names,
  });
}

/** The error about `file`, which DuckDB was given as `path`. */
function parquetError(error: unknown, path: string | undefined, file: string): unknown {
  if (error instanceof TFRecordError) {
    const { code, message, feature, expected, found, cause } = error;
    return new TFRecordError(code, `${file}: ${message}`, { file, feature, expected, found, cause });
  }
  const [, own] = /TFR_FEATURE: ([^\n]*)/.exec(String((error as { message?: unknown }).message)) ?? [];
  return own === undefined
    ? duckdbError(error, file, path)
    : new TFRecordError('TFR_FEATURE', `${file}: ${own}`, { file });
}
