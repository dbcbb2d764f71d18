import { subset, type RecordBatch } from '../../record';
import { RowFilter } from '../../sql';
import type { Table } from '../../table';
import { sliceOf } from '../batches';
import type { Faults } from '../format';

/** Keeps the records for which an SQL condition is true, unchanged. */
export class Filter {
  readonly #rows: RowFilter;

  private constructor(rows: RowFilter) {
    this.#rows = rows;
  }

  /**
   * Prepares `where` for the records of `table`. Close the filter at the end. `signal` aborts its queries.
   * @throws TypeError ERR_INVALID_ARG_VALUE for an invalid condition; ERR_MODULE_NOT_FOUND without DuckDB
   */
  static async open(where: string, table: Table, signal?: AbortSignal): Promise<Filter> {
    return new Filter(await RowFilter.open(where, table, signal));
  }

  /**
   * Returns the records of `batch` to keep, with their origins, in the same memory, which must not change meanwhile.
   * Leaves out records that do not match the table, or for which the condition fails, if `faults` accepts that. One
   * call at a time.
   */
  async apply(batch: RecordBatch, faults: Faults): Promise<RecordBatch> {
    const places: number[] = [];
    for (let at = 0; at < batch.length && !faults.stopped;) {
      const { rows, kept, error } = await this.#rows.select(sliceOf(batch, at), true);
      for (const row of kept) places.push(at + row);
      at += rows;
      if (error === undefined) break;
      faults.leaveOut(error);
      at++;
    }
    if (places.length === batch.length) return batch;
    return subset(batch, places) ?? sliceOf(batch, 0, 0);
  }

  close(): void {
    this.#rows.close();
  }
}
