/** Reads files of Parquet as tables. */
import { TFRecordError } from '../errors';
import { COLUMNS_KEY, type Table, type TableBatch } from '../example';
import { readingOf } from './parquet-columns';
import { duckdbError } from './parquet-writer';
import { duckdbApi, duckdbBindings } from './peers';
import { readVector } from './read-vector';
import { identifier, literal } from './sql-text';

/** How a file is read. */
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
  try {
    const pairs = await connection.runAndReadAll(
      `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${literal(path)}) WHERE key::VARCHAR LIKE 'tfrecord.%'`,
    );
    const metadata = new Map(pairs.getRowsJS() as [string, string][]);
    const counted = await connection.runAndReadAll(`SELECT num_rows FROM parquet_file_metadata(${literal(path)})`);
    const rows = Number(counted.getRows()[0]![0]);
    const chosen = options.columns?.map(identifier).join(', ') ?? '*';
    const source = `FROM read_parquet(${literal(path)}, binary_as_string := false)`;
    const statement = await connection.prepare(`SELECT ${chosen} ${source}`);
    const stored = Array.from({ length: statement.columnCount }, (_, i) => {
      return { name: statement.columnName(i), type: statement.columnType(i) };
    });
    statement.destroySync();
    const { table, expressions } = readingOf(stored, metadata.get(COLUMNS_KEY), options.round === true);
    const batches = async function* (): AsyncGenerator<TableBatch, void, undefined> {
      try {
        const result = await connection.stream(`SELECT ${expressions.join(', ')} ${source}`);
        for (;;) {
          const chunk = await result.fetchChunk();
          if (chunk === null || chunk.rowCount === 0) return;
          const { rowCount } = chunk;
          const vectors = table.columns.map((column, i) =>
            readVector(db, db.data_chunk_get_vector(chunk.chunk, i), column, rowCount),
          );
          yield { rows: rowCount, vectors };
        }
      } catch (error) {
        throw parquetError(error, path, options.file);
      }
    };
    return { table, metadata, rows, batches, close };
  } catch (error) {
    close();
    throw parquetError(error, path, options.file);
  }
}

function parquetError(error: unknown, path: string, file = path): unknown {
  if (error instanceof TFRecordError) return error;
  const [, own] = /TFR_FEATURE: ([^\n]*)/.exec(String((error as { message?: unknown }).message)) ?? [];
  return own === undefined
    ? duckdbError(error, file, path)
    : new TFRecordError('TFR_FEATURE', `${file}: ${own}`, { file });
}
