/** Writes tables as files of Parquet. DuckDB pulls the batches that the caller pushes. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { DataChunk, PendingResult, PreparedStatement } from '@duckdb/node-bindings';

import { systemErrorOf, TFRecordError, tfrecordError, advice, worded } from '../base';
import { tableBytes, type Table, type TableBatch } from '../table';
import { checkColumnNames, logicalType, writtenLevelsOf } from './column-types';
import { pathToWrite } from './duckdb-path';
import { boundConnection, duckdbTables, type Bindings } from './peers';
import { duckdbError, causeOfFailure, fullCodeOf } from './query-errors';
import { identifier, literal } from './sql-text';
import { addTableFunction } from './table-function';
import { writeVector } from './write-vector';

/** The codecs of Parquet's pages. */
export type ParquetCompression = 'snappy' | 'zstd' | 'gzip' | 'uncompressed';

/** Options of writing a file. */
export interface ParquetOptions {
  /** Default: `snappy`. */
  readonly compression?: ParquetCompression | undefined;
  /**
   * Size of a row group in memory, in bytes. Default: 64 MiB; 16 MiB if rows are long, because readers hold at least
   * one row group.
   */
  readonly rowGroupBytes?: number | undefined;
  /** Key-value metadata of the file. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Called with each batch after DuckDB has read all of it. */
  readonly onTaken?: ((batch: TableBatch) => void) | undefined;
}

const ROW_GROUP_BYTES = 64 * 1024 * 1024;
const LONG_ROW_GROUP_BYTES = 16 * 1024 * 1024;
/** Maximum size of the vectors that wait for DuckDB, in bytes; above it, the caller must wait. */
const WAITING_BYTES = 8 * 1024 * 1024;
/**
 * Total time per turn of the event loop for which all idle writers together block JavaScript. It is short at first,
 * because the next batch may arrive soon, and doubles with each turn.
 */
const FIRST_IDLE_MS = 1 / 64;
const LONGEST_IDLE_MS = 1;
/** Average length of the rows in the first batch above which rows are long, such as pictures. */
const LONG_BYTES = 1024;
/** If DuckDB requests no rows for this long although there are some, the query may have failed. */
const STALLED_MS = 2000;

/** Validity of rows that are null. */
const NO_ROW = new Uint8Array(8);

let openWriters = 0;
const nobody = new Int32Array(new SharedArrayBuffer(4));

/** Writes the batches of a table. Each writer has its own database, with one thread that encodes. */
export class ParquetWriter {
  readonly #db: Bindings;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #path: string;
  /** The path in the form that DuckDB needs. */
  readonly #target: string;
  readonly #columns: number;
  readonly #start: (longValues: boolean) => Promise<void>;
  readonly #onTaken: ((batch: TableBatch) => void) | undefined;
  #started: Promise<void> | undefined;
  #statement: PreparedStatement | undefined;
  #query: PendingResult | undefined;
  readonly #queue: TableBatch[] = [];
  #row = 0;
  #waitingBytes = 0;
  #idleMs = FIRST_IDLE_MS;
  #ended = false;
  #failure: TFRecordError | undefined;
  #settling: Promise<void> | undefined;
  /** Resolves the promise of a caller that waits for room. */
  #wake: (() => void) | undefined;
  #open = true;

  private constructor(
    db: Bindings,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    path: string,
    table: Table,
    options: ParquetOptions,
  ) {
    this.#db = db;
    this.#instance = instance;
    this.#connection = connection;
    this.#path = path;
    this.#target = pathToWrite(path);
    this.#columns = table.columns.length;
    this.#onTaken = options.onTaken;
    this.#start = (longValues) => this.#begin(table, options, longValues);
    openWriters++;
  }

  /** Begins to write the file `path`. @throws TFRecordError TFR_SPEC for columns that DuckDB cannot hold */
  static async open(path: string, table: Table, options: ParquetOptions = {}): Promise<ParquetWriter> {
    if (table.columns.length === 0) throw noParquetColumns(path);
    checkColumnNames(table, []);
    const { api, bindings } = duckdbTables('Writing Parquet');
    // One thread encodes. The other belongs to the caller, and is used only to end the query.
    const instance = await api.DuckDBInstance.create(':memory:', { threads: '2', preserve_insertion_order: 'false' });
    const connection = await instance.connect();
    // With caching, the filter would collect 2,048 rows of any length before the writer sees their size.
    await connection.run('SET enable_caching_operators = false');
    return new ParquetWriter(bindings, instance, connection, path, table, options);
  }

  /**
   * Writes `batch`, whose memory must stay unchanged. Returns a promise if the caller should wait. @throws if writing
   * failed
   */
  write(batch: TableBatch): Promise<void> | undefined {
    this.#check();
    if (batch.rows === 0) return undefined;
    this.#queue.push(batch);
    const bytes = tableBytes(batch);
    this.#waitingBytes += bytes;
    if (this.#started === undefined) {
      this.#started = this.#start(bytes > LONG_BYTES * batch.rows);
      return this.#started;
    }
    return this.#waitingBytes < WAITING_BYTES ? undefined : this.#room();
  }

  /** Completes the file. */
  async close(): Promise<void> {
    this.#check();
    this.#ended = true;
    try {
      await (this.#started ??= this.#start(false));
      await this.#settled();
    } finally {
      this.#dispose();
    }
  }

  /** Stops writing; an incomplete file may remain. Never rejects. */
  async abort(): Promise<void> {
    if (!this.#open) return;
    this.#failure ??= new TFRecordError('TFR_CLOSED', 'writing was given up');
    await this.#started?.catch(() => undefined);
    await this.#settled().catch(() => undefined);
    this.#dispose();
  }

  /** `longValues`: true if rows are so long that values hardly repeat. */
  async #begin(table: Table, options: ParquetOptions, longValues: boolean): Promise<void> {
    const db = this.#db;
    const names = table.columns.map(({ name }) => name);
    // An extra column marks the rows to write; others are filtered out.
    let shown = 'shown';
    while (names.some((name) => name.toLowerCase() === shown)) shown += '_';
    addTableFunction(db, boundConnection(this.#connection), 'pushed', {
      bind: (info) => {
        for (const column of table.columns) {
          db.bind_add_result_column(info, column.name, logicalType(db, column, writtenLevelsOf(column)));
        }
        db.bind_add_result_column(info, shown, db.create_logical_type(db.Type.BOOLEAN));
        db.bind_set_bind_data(info, {});
      },
      init: (info) => {
        db.init_set_init_data(info, {});
      },
      fill: (chunk) => {
        this.#fill(chunk);
      },
    });
    this.#statement = await db.prepare(
      boundConnection(this.#connection),
      `COPY (SELECT ${names.map(identifier).join(', ')} FROM pushed() WHERE ${identifier(shown)}) ` +
        `TO ${literal(this.#target)} (${copyOptions(options, table, longValues)})`,
    );
    // DuckDB's own thread runs the query, so that it does not occupy one of libuv's few threads while it waits for the
    // caller.
    this.#query = db.pending_prepared(this.#statement);
  }

  /** Fills `chunk` with the next rows; with none at the end. */
  #fill(chunk: DataChunk): void {
    if (this.#failure !== undefined) throw this.#failure;
    const db = this.#db;
    const [batch] = this.#queue;
    if (batch === undefined) {
      db.data_chunk_set_size(chunk, this.#ended ? 0 : 1);
      if (!this.#ended) this.#fillNothing(chunk);
      return;
    }
    this.#idleMs = FIRST_IDLE_MS;
    const rows = Math.min(db.vector_size(), batch.rows - this.#row);
    db.data_chunk_set_size(chunk, rows);
    batch.vectors.forEach((vector, i) => {
      writeVector(db, db.data_chunk_get_vector(chunk, i), vector, this.#row, rows, writtenLevelsOf(vector.column));
    });
    const shown = new Uint8Array(rows).fill(1);
    db.copy_data_to_vector(db.data_chunk_get_vector(chunk, this.#columns), 0, shown.buffer, 0, rows);
    this.#row += rows;
    if (this.#row < batch.rows) return;
    this.#row = 0;
    this.#queue.shift();
    this.#waitingBytes -= tableBytes(batch);
    this.#onTaken?.(batch);
    if (this.#waitingBytes < WAITING_BYTES) this.#wakeUp();
  }

  /**
   * Fills `chunk` with one row that is filtered out: a chunk without rows would be the last, and this call cannot wait
   * for a promise.
   */
  #fillNothing(chunk: DataChunk): void {
    const db = this.#db;
    for (let i = 0; i < this.#columns; i++) {
      const target = db.data_chunk_get_vector(chunk, i);
      // Sets the validity directly: after a reference to a null value, DuckDB could not reuse the vector of an array.
      db.vector_ensure_validity_writable(target);
      db.copy_data_to_vector_validity(target, 0, NO_ROW.buffer, 0, NO_ROW.byteLength);
    }
    db.copy_data_to_vector(db.data_chunk_get_vector(chunk, this.#columns), 0, new Uint8Array(1).buffer, 0, 1);
    Atomics.wait(nobody, 0, 0, this.#idleMs / openWriters);
    this.#idleMs = Math.min(2 * this.#idleMs, LONGEST_IDLE_MS);
  }

  /** Resolves when there is room for more, or writing failed. */
  async #room(): Promise<void> {
    while (this.#waitingBytes >= WAITING_BYTES) {
      const stalled = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, STALLED_MS, true);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      // DuckDB reports a failed query only to a caller that waits for it, which takes a thread of libuv.
      if (stalled) this.#settled().catch(() => undefined);
      this.#check();
    }
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Resolves when the query has ended. */
  #settled(): Promise<void> {
    return (this.#settling ??= this.#execute());
  }

  async #execute(): Promise<void> {
    if (this.#query === undefined) return;
    try {
      await this.#db.execute_pending(this.#query);
    } catch (error) {
      this.#failure ??= causeOfFailure(error) ?? writeError(error, this.#path, this.#target);
      this.#wakeUp();
      throw this.#failure;
    }
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #dispose(): void {
    if (!this.#open) return;
    this.#open = false;
    openWriters--;
    this.#queue.length = 0;
    if (this.#statement !== undefined) this.#db.destroy_prepare_sync(this.#statement);
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

function copyOptions(
  { compression = 'snappy', rowGroupBytes, metadata = {} }: ParquetOptions,
  { columns }: Table,
  longValues: boolean,
): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${literal(key)}: ${literal(value)}`);
  return [
    'FORMAT parquet',
    `COMPRESSION ${compression}`,
    `ROW_GROUP_SIZE_BYTES ${rowGroupBytes ?? (longValues ? LONG_ROW_GROUP_BYTES : ROW_GROUP_BYTES)}`,
    // DuckDB's dictionaries would mix up -0 with 0, and different NaNs. Long values hardly repeat, and comparing them
    // would double the time. Version 2 of Parquet would be smaller, but not every reader supports its encoding of
    // floats.
    ...(longValues || columns.some(({ dtype }) => dtype === 'float32') ? ['DICTIONARY_SIZE_LIMIT 0'] : []),
    ...(pairs.length === 0 ? [] : [`KV_METADATA {${pairs.join(', ')}}`]),
  ].join(', ');
}

/** The error for an error of DuckDB about writing `path`, which DuckDB knows as `target`. */
function writeError(cause: unknown, path: string, target: string): TFRecordError {
  const code = fullCodeOf(cause);
  return code === undefined ? duckdbError(cause, path, target) : systemErrorOf(code, 'write', path, undefined, cause);
}

/** The error for a table without columns, which Parquet cannot hold. */
export function noParquetColumns(file: string): TFRecordError {
  return tfrecordError(
    'TFR_SPEC',
    worded`no record has a feature, so ${file} would have no column, and Parquet needs one${advice`: name columns in a spec`}`,
    { file },
  );
}
