/** Rows that JavaScript copies to DuckDB, where native code cannot. */
import type { DataChunk } from '@duckdb/node-bindings';

import { logicalType, writtenLevelsOf, type WrittenBatch } from './column-types';
import type { ParquetQuery, RowQueue } from './parquet-query';
import { identifier } from './sql-text';
import { addTableFunction } from './table-function';
import { writeVector } from './write-vector';

/**
 * Total time per turn of the event loop for which all idle queues together block JavaScript. It is short at first,
 * because the next batch may arrive soon, and doubles with each turn.
 */
const FIRST_IDLE_MS = 1 / 64;
const LONGEST_IDLE_MS = 1;
/** Validity of rows that are null. */
const NO_ROW = new Uint8Array(8);

let openQueues = 0;
const nobody = new Int32Array(new SharedArrayBuffer(4));

/**
 * A query calls JavaScript for each chunk of rows. While there are none, it gets rows that it filters out, because the
 * call cannot wait.
 */
export class ScriptQueue implements RowQueue {
  readonly source: string;
  readonly #query: ParquetQuery;
  readonly #taken: () => void;
  readonly #columns: number;
  readonly #batches: WrittenBatch[] = [];
  #row = 0;
  #idleMs = FIRST_IDLE_MS;
  #open = true;
  #ended = false;

  constructor(query: ParquetQuery, taken: () => void) {
    this.#query = query;
    this.#taken = taken;
    const { db, connection, table } = query;
    const { columns } = table;
    this.#columns = columns.length;
    const names = columns.map(({ name }) => name);
    // An extra column marks the rows to write; others are filtered out.
    let shown = 'shown';
    while (names.some((name) => name.toLowerCase() === shown)) shown += '_';
    this.source = `pushed() WHERE ${identifier(shown)}`;
    addTableFunction(db, connection, 'pushed', {
      bind: (info) => {
        for (const column of columns) {
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
    openQueues++;
  }

  push(batch: WrittenBatch): void {
    this.#batches.push(batch);
  }

  end(): void {
    this.#ended = true;
    this.#close();
  }

  fail(): void {
    // The next call throws the failure of the query.
    this.#batches.length = 0;
    this.#close();
  }

  #close(): void {
    if (this.#open) openQueues--;
    this.#open = false;
  }

  /** Fills `chunk` with the next rows; with none at the end. */
  #fill(chunk: DataChunk): void {
    this.#query.check();
    const { db } = this.#query;
    const [batch] = this.#batches;
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
    this.#batches.shift();
    this.#taken();
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
    Atomics.wait(nobody, 0, 0, this.#idleMs / Math.max(openQueues, 1));
    this.#idleMs = Math.min(2 * this.#idleMs, LONGEST_IDLE_MS);
  }
}
