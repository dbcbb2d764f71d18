/** Writes the records of files as Parquet by native code, which passes them to DuckDB without JavaScript. */
import type { DuckdbHost } from '../native';
import type { ReadableFile, ReadPlan } from '../record';
import type { Table } from '../table';
import { writtenLevelsOf } from './column-types';
import { addHost, columnOf, orText } from './native-function';
import { NativeReading } from './native-reading';
import type { ParquetQuery } from './parquet-query';
import { textForDuckDB } from './query-errors';

/** Records to write, and what to do with errors. */
export interface CopiedRecords {
  readonly files: readonly ReadableFile[];
  readonly plan: ReadPlan;
  /** See `ReadingRequest`. */
  readonly progress: (bytes: number, rows: number) => void;
}

/**
 * Writes the rows of `records`, which `table` describes, by `query`. Returns undefined, and does nothing, if native code cannot call DuckDB;
 * otherwise resolves with their number, and calls `begun` with the promise that the query runs.
 * @throws if writing failed, or the errors of reading
 */
export function writeRecords(
  query: ParquetQuery,
  table: Table,
  records: CopiedRecords,
  longRows: boolean,
  begun: (started: Promise<void>) => void,
): Promise<number> | undefined {
  const copy = new RecordCopy(query, table, records);
  if (!addHost(query.connection, 'records', {}, copy)) return undefined;
  const started = query.begin('records(NULL)', longRows);
  begun(started);
  return started.then(() => copy.finished());
}

class RecordCopy implements DuckdbHost {
  readonly #query: ParquetQuery;
  readonly #table: Table;
  readonly #records: CopiedRecords;
  #reading: NativeReading | undefined;

  constructor(query: ParquetQuery, table: Table, records: CopiedRecords) {
    this.#query = query;
    this.#table = table;
    this.#records = records;
  }

  bind(): ReturnType<DuckdbHost['bind']> {
    const { db } = this.#query;
    const table = this.#table;
    return {
      columns: table.columns.map((column) => columnOf(db, column, writtenLevelsOf(column))),
      begin: (used) => orText(() => (this.#reading = this.#newReading(used))),
    };
  }

  /** Resolves with the number of rows when the file is complete. */
  async finished(): Promise<number> {
    await this.#query.settled();
    return this.#reading?.rows ?? 0;
  }

  #newReading(used: readonly number[]): NativeReading {
    const table = this.#table;
    const { files, plan, progress } = this.#records;
    return new NativeReading({
      // The query uses all columns, in the order of the table.
      ...{ table, columns: used, files, plan },
      refusesEvents: true,
      progress: (bytes, rows) => {
        this.#query.check();
        plan.signal?.throwIfAborted();
        progress(bytes, rows);
      },
      fail: (error) => {
        this.#query.fail(error);
        return textForDuckDB(error);
      },
    });
  }
}
