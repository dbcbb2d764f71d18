/** Passes the batches of a table to DuckDB, chunk by chunk. */
import type { DataChunk, Vector as Target } from '@duckdb/node-bindings';

import type { Origin } from '../base';
import type { WrittenBatch } from './column-types';
import type { Bindings } from './peers';
import { writeVector } from './write-vector';

/** A column besides those of the table. */
export type PlaceColumn = 'filename' | 'file_row_number' | 'record_offset';

/** Some rows of a query. */
export interface ScannedBatch extends WrittenBatch {
  /** Returns the origin of the record of `row`, for the place columns. */
  origin(row: number): Origin;
}

/** A column of a query: the index of a vector in the batches, or a place column. */
export type ScanColumn = number | PlaceColumn;

/** Position of a query in the batches. */
export class TableScan {
  readonly #batches: Generator<ScannedBatch, void>;
  readonly #columns: readonly ScanColumn[];
  #batch: ScannedBatch | undefined;
  #row = 0;

  constructor(batches: Generator<ScannedBatch, void>, columns: readonly ScanColumn[]) {
    this.#batches = batches;
    this.#columns = columns;
    // DuckDB drops the scan at the end of the query without a notification.
    dropped.register(this, batches);
  }

  /** Fills `chunk` with the next rows; with none at the end. @throws the errors of the batches */
  fill(db: Bindings, chunk: DataChunk): void {
    while (this.#batch === undefined || this.#row === this.#batch.rows) {
      const step = this.#batches.next();
      if (step.done === true) {
        db.data_chunk_set_size(chunk, 0);
        return;
      }
      this.#batch = step.value;
      this.#row = 0;
    }
    const rows = Math.min(db.vector_size(), this.#batch.rows - this.#row);
    db.data_chunk_set_size(chunk, rows);
    for (const [i, column] of this.#columns.entries()) {
      const target = db.data_chunk_get_vector(chunk, i);
      if (typeof column === 'number') writeVector(db, target, this.#batch.vectors[column]!, this.#row, rows);
      else writePlaces(db, target, column, this.#batch, this.#row, rows);
    }
    this.#row += rows;
  }
}

const dropped = new FinalizationRegistry<Generator>((batches) => {
  batches.return(undefined);
});

function writePlaces(
  db: Bindings,
  target: Target,
  column: PlaceColumn,
  batch: ScannedBatch,
  row: number,
  rows: number,
): void {
  if (column === 'filename') {
    db.vector_reference_value(target, db.create_varchar(batch.origin(row).file));
    return;
  }
  const member = column === 'file_row_number' ? 'record' : 'offset';
  const numbers = BigInt64Array.from({ length: rows }, (_, i) => BigInt(batch.origin(row + i)[member]));
  db.copy_data_to_vector(target, 0, numbers.buffer, 0, numbers.byteLength);
}
