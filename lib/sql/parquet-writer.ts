/** Writes tables as files of Parquet. DuckDB pulls the batches that the caller pushes. */
import type { DataChunk } from '@duckdb/node-bindings';

import { TFRecordError } from '../base';
import { tableBytes, type Table, type TableBatch } from '../table';
import { logicalType, writtenLevelsOf } from './column-types';
import { copyRecords, type CopiedRecords } from './parquet-copy';
import { ParquetQuery, type ParquetOptions } from './parquet-query';
import { boundConnection } from './peers';
import { identifier } from './sql-text';
import { addTableFunction } from './table-function';
import { writeVector } from './write-vector';

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

/** Writes the batches of a table. */
export class ParquetWriter {
  readonly #query: ParquetQuery;
  readonly #columns: number;
  readonly #onTaken: ((batch: TableBatch) => void) | undefined;
  #started: Promise<void> | undefined;
  readonly #queue: TableBatch[] = [];
  #row = 0;
  #waitingBytes = 0;
  #idleMs = FIRST_IDLE_MS;
  #ended = false;
  /** Resolves the promise of a caller that waits for room. */
  #wake: (() => void) | undefined;

  private constructor(query: ParquetQuery, { onTaken }: ParquetOptions) {
    this.#query = query;
    this.#columns = query.table.columns.length;
    this.#onTaken = onTaken;
    openWriters++;
  }

  /** Begins to write the file `path`. @throws TFRecordError TFR_SPEC for columns that DuckDB cannot hold */
  static async open(path: string, table: Table, options: ParquetOptions = {}): Promise<ParquetWriter> {
    return new ParquetWriter(await ParquetQuery.open(path, table, options), options);
  }

  /**
   * Writes `batch`, whose memory must stay unchanged. Returns a promise if the caller should wait. @throws if writing
   * failed
   */
  write(batch: TableBatch): Promise<void> | undefined {
    this.#query.check();
    if (batch.rows === 0) return undefined;
    this.#queue.push(batch);
    const bytes = tableBytes(batch);
    this.#waitingBytes += bytes;
    if (this.#started === undefined) {
      this.#started = this.#begin(areLong(batch));
      return this.#started;
    }
    return this.#waitingBytes < WAITING_BYTES ? undefined : this.#room();
  }

  /**
   * Writes all `records`, instead of batches. `first`: the first of them. Returns undefined, and does nothing, if native
   * code cannot; otherwise resolves with their number. @throws if writing failed, or the errors of reading
   */
  copy(records: CopiedRecords, first: TableBatch): Promise<number> | undefined {
    return copyRecords(this.#query, records, areLong(first), (started) => {
      this.#started = started;
    });
  }

  /** Completes the file. */
  async close(): Promise<void> {
    this.#query.check();
    this.#ended = true;
    try {
      await (this.#started ??= this.#begin(false));
      await this.#settled();
    } finally {
      this.#dispose();
    }
  }

  /** Stops writing; an incomplete file may remain. Never rejects. */
  async abort(): Promise<void> {
    if (!this.#query.open) return;
    this.#query.fail(new TFRecordError('TFR_CLOSED', 'writing was given up'));
    await this.#started?.catch(() => undefined);
    await this.#settled().catch(() => undefined);
    this.#dispose();
  }

  async #begin(longRows: boolean): Promise<void> {
    const { db, connection, table } = this.#query;
    const names = table.columns.map(({ name }) => name);
    // An extra column marks the rows to write; others are filtered out.
    let shown = 'shown';
    while (names.some((name) => name.toLowerCase() === shown)) shown += '_';
    addTableFunction(db, boundConnection(connection), 'pushed', {
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
    await this.#query.begin(`pushed() WHERE ${identifier(shown)}`, longRows);
  }

  /** Fills `chunk` with the next rows; with none at the end. */
  #fill(chunk: DataChunk): void {
    this.#query.check();
    const { db } = this.#query;
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
    const { db } = this.#query;
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
      if (stalled) this.#settled().catch(() => undefined);
      this.#query.check();
    }
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Resolves when the query has ended. */
  async #settled(): Promise<void> {
    try {
      await this.#query.settled();
    } catch (error) {
      this.#wakeUp();
      throw error;
    }
  }

  #dispose(): void {
    if (!this.#query.open) return;
    openWriters--;
    this.#queue.length = 0;
    this.#query.dispose();
  }
}

/** True if rows are so long that values hardly repeat. */
function areLong(batch: TableBatch): boolean {
  return tableBytes(batch) > LONG_BYTES * batch.rows;
}
