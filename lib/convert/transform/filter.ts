import type { RecordBatch } from '../../record';
import { RowFilter } from '../../sql';
import type { Table } from '../../table';
import { sliceOf, subset } from '../batches';
import type { Faults } from '../format';

/** Keeps the records for which a condition in SQL is true, as they are. */
export class Filter {
  readonly #rows: RowFilter;

  private constructor(rows: RowFilter) {
    this.#rows = rows;
  }

  /**
   * Prepares `where` for the records of `table`. Close the filter at the end. `signal` ends its queries.
   * @throws TypeError ERR_INVALID_ARG_VALUE for a wrong condition; ERR_MODULE_NOT_FOUND without DuckDB
   */
  static async open(where: string, table: Table, signal?: AbortSignal): Promise<Filter> {
    return new Filter(await RowFilter.open(where, table, signal));
  }

  /**
   * The records of `batch` to keep, with their places, in the same memory, which nobody may write to meanwhile. Those
   * that do not fit the table, or for which the condition fails, are left out, if `faults` agree. One call at a time.
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
