/** Finds the records for which a condition in SQL is true. */
import { isMainThread } from 'node:worker_threads';

import type { DataChunk, PreparedStatement } from '@duckdb/node-bindings';

import { invalidArgValue, TFRecordError, named, worded } from '../base';
import { newTable, parseTable, type Table, type TableBatch, type TableColumn } from '../table';
import type { RecordBatch } from '../record';
import { foldCase, logicalType } from './column-types';
import { conditionFault } from './condition';
import { Database } from './database';
import { duckdbTables, type Bindings } from './peers';
import { duckdbError, isAboutValue, reasonOf } from './query-errors';
import { identifier } from './sql-text';
import { addTableFunction } from './table-function';
import { writeVector } from './write-vector';

/** The records that {@link RowFilter.select} found among the first ones of a batch. */
export interface SelectedRows {
  /** Number of records that were checked: all of the batch, or those before the first with an error. */
  readonly rows: number;
  /** The indices, in the batch, of the records for which the condition is true, in order. */
  readonly kept: Uint32Array;
  /** The error about the record at index `rows`, for which the condition failed. */
  readonly error?: TFRecordError | undefined;
}

/** Maximum number of names in an error. */
const NAMES_SHOWN = 20;

const WHERE = 'options.where';

/** Interval in ms at which a query is interrupted until it ends: a query that has just begun ignores an interrupt. */
const INTERRUPT_MS = 20;

/** Evaluates a condition for one batch of records after the other. Has its own database, without access to files. */
export class RowFilter {
  readonly #db: Bindings;
  readonly #database: Database;
  readonly #columns: readonly TableColumn[];
  readonly #signal: AbortSignal | undefined;
  #statement: PreparedStatement | undefined;
  /** Resolves when the running query has ended. Undefined while none runs. */
  #running: Promise<void> | undefined;
  /** The columns that the condition uses. The next line maps all columns to their vectors in a batch. */
  #named: Table;
  #vectors: ReadonlyMap<number, number> = new Map();
  #scan: Scan = { batch: { rows: 0, vectors: [] }, rows: 0, row: 0, asked: [] };

  private constructor(db: Bindings, database: Database, table: Table, signal: AbortSignal | undefined) {
    this.#db = db;
    this.#database = database;
    this.#columns = nameable(table.columns);
    this.#signal = signal;
    this.#named = newTable([], table.sequenceExample);
  }

  /**
   * Prepares `where`, one expression, for the records of `table`. `name`: the name of the option, for errors. The
   * condition has access to the values that `read_tfrecord` returns, but not to files or other tables. When `signal`
   * aborts, calls that wait for a query reject at once with its reason, while the query continues in the background
   * until DuckDB notices, between two chunks of rows; in a worker thread they reject when the query has ended.
   * @throws TypeError ERR_INVALID_ARG_VALUE if DuckDB cannot parse it, or the records lack its columns;
   *   ERR_MODULE_NOT_FOUND without DuckDB
   */
  static async open(where: string, table: Table, signal?: AbortSignal): Promise<RowFilter> {
    const { bindings } = duckdbTables(worded`${named('where', WHERE)}`);
    const database = await Database.open(bindings, {
      threads: '1',
      enable_external_access: 'false',
      autoload_known_extensions: 'false',
      autoinstall_known_extensions: 'false',
    });
    const filter = new RowFilter(bindings, database, table, signal);
    try {
      await filter.#prepare(where, table);
      return filter;
    } catch (error) {
      filter.close();
      throw error;
    }
  }

  /** The columns that the condition uses. */
  get named(): readonly TableColumn[] {
    return this.#named.columns;
  }

  /**
   * Finds the records for which the condition is true (NULL is not true). Parses only the columns that the condition
   * uses. One call at a time. `lent`: as for `parseTable`.
   */
  async select(batch: RecordBatch, lent = false): Promise<SelectedRows> {
    const { rows, value, error } = await parseTable(batch, this.#named, lent);
    if (rows === 0) return { rows, kept: new Uint32Array(0), error };
    try {
      return { rows, kept: await this.#ask(value, rows), error };
    } catch (failure) {
      this.#signal?.throwIfAborted();
      if (!isAboutValue(failure)) throw duckdbError(failure);
      return this.#beforeFault(batch, value, failure);
    }
  }

  /** Frees DuckDB's memory as soon as no query runs. */
  close(): void {
    if (this.#running === undefined) this.#dispose();
    else
      void this.#running.then(() => {
        this.#dispose();
      });
  }

  #dispose(): void {
    if (this.#statement !== undefined) this.#db.destroy_prepare_sync(this.#statement);
    this.#statement = undefined;
    this.#database.close();
  }

  async #prepare(where: string, table: Table): Promise<void> {
    const refused = (reason: string): Error =>
      invalidArgValue(WHERE, `a condition in SQL: ${reason}. ${namesText(table.columns, this.#columns)}`, where);
    const fault = await conditionFault(this.#database, where);
    if (fault !== undefined) throw refused(fault);
    let number = '#';
    while (this.#columns.some((column) => foldCase(column.name) === number)) number += '#';
    this.#register(number);
    try {
      // DuckDB evaluates constant parts here.
      await this.#interruptible(async () => {
        this.#statement = await this.#db.prepare(
          this.#database.connection,
          `SELECT list(${identifier(number)}) FROM ${FUNCTION}() WHERE (\n${where}\n)`,
        );
      });
      // Runs the query without rows to find the columns that it uses.
      await this.#ask({ rows: 0, vectors: [] }, 0);
    } catch (error) {
      this.#signal?.throwIfAborted();
      throw refused(reasonOf(error));
    }
    const asked = this.#scan.asked.filter((index) => index < this.#columns.length);
    const named = asked.map((index) => this.#columns[index]!);
    this.#named = newTable(named, table.sequenceExample);
    this.#vectors = new Map(asked.map((index, i) => [index, i]));
  }

  /** Adds the function that returns the batch. Its last column, `number`, counts the rows. */
  #register(number: string): void {
    const db = this.#db;
    addTableFunction(db, this.#database.connection, FUNCTION, {
      define: (f) => {
        db.table_function_supports_projection_pushdown(f, true);
      },
      bind: (info) => {
        for (const column of this.#columns) db.bind_add_result_column(info, column.name, logicalType(db, column));
        db.bind_add_result_column(info, number, db.create_logical_type(db.Type.UINTEGER));
        db.bind_set_bind_data(info, {});
      },
      init: (info) => {
        const count = db.init_get_column_count(info);
        this.#scan.asked = Array.from({ length: count }, (_, i) => db.init_get_column_index(info, i));
        this.#scan.row = 0;
        db.init_set_init_data(info, {});
      },
      fill: (chunk) => {
        this.#fill(chunk);
      },
    });
  }

  /** Fills `chunk` with the next rows; with none at the end. */
  #fill(chunk: DataChunk): void {
    const db = this.#db;
    const { batch, rows, row, asked } = this.#scan;
    const count = Math.min(db.vector_size(), rows - row);
    db.data_chunk_set_size(chunk, count);
    if (count === 0) return;
    for (const [i, index] of asked.entries()) {
      const target = db.data_chunk_get_vector(chunk, i);
      const vector = this.#vectors.get(index);
      if (vector !== undefined) {
        writeVector(db, target, batch.vectors[vector]!, row, count);
        continue;
      }
      const numbers = Uint32Array.from({ length: count }, (_, at) => row + at);
      db.copy_data_to_vector(target, 0, numbers.buffer, 0, numbers.byteLength);
    }
    this.#scan.row += count;
  }

  /** The indices of the first `rows` rows of `batch` for which the condition is true. */
  async #ask(batch: TableBatch, rows: number): Promise<Uint32Array> {
    const db = this.#db;
    this.#scan = { batch, rows, row: 0, asked: [] };
    const result = await this.#interruptible(() => db.execute_prepared(this.#statement!));
    const list = db.data_chunk_get_vector(db.result_get_chunk(result, 0), 0);
    const count = db.list_vector_get_size(list);
    if (count === 0) return new Uint32Array(0);
    const numbers = db.vector_get_data(db.list_vector_get_child(list), Uint32Array.BYTES_PER_ELEMENT * count);
    return new Uint32Array(numbers.slice().buffer);
  }

  /** The result of the query that `begin` starts. Rejects when the signal aborts, and interrupts the query. */
  async #interruptible<T>(begin: () => Promise<T>): Promise<T> {
    const signal = this.#signal;
    if (signal === undefined) return begin();
    signal.throwIfAborted();
    const query = begin();
    let timer: NodeJS.Timeout | undefined;
    let abort: () => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      const interrupt = (): void => {
        this.#db.interrupt(this.#database.connection);
        timer = setTimeout(interrupt, INTERRUPT_MS);
      };
      abort = () => {
        interrupt();
        // Terminating a worker while DuckDB works for it would end the process, so there the end of the query rejects.
        if (!isMainThread) return;
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's reason may be anything
        reject(signal.reason);
      };
    });
    signal.addEventListener('abort', abort, { once: true });
    const ended = (): void => {
      signal.removeEventListener('abort', abort);
      clearTimeout(timer);
      this.#running = undefined;
    };
    this.#running = query.then(ended, ended);
    return Promise.race([query, aborted]);
  }

  /** Finds the first row for which the condition fails with `failure`, which lacks the position. */
  async #beforeFault(batch: RecordBatch, parsed: TableBatch, failure: unknown): Promise<SelectedRows> {
    let kept: Uint32Array = new Uint32Array(0);
    let whole = 0;
    let last = failure;
    for (let end = parsed.rows; end - whole > 1;) {
      const middle = (whole + end) >>> 1;
      try {
        kept = await this.#ask(parsed, middle);
        whole = middle;
      } catch (error) {
        this.#signal?.throwIfAborted();
        if (!isAboutValue(error)) throw duckdbError(error);
        last = error;
        end = middle;
      }
    }
    const { file, record, offset } = batch.origin(whole)!;
    const message = `Record ${record} of ${file}: the condition fails. DuckDB: ${reasonOf(last)}`;
    return { rows: whole, kept, error: new TFRecordError('TFR_SQL', message, { file, record, offset, cause: last }) };
  }
}

const FUNCTION = 'records_of_the_batch';

/** One pass over a batch. */
interface Scan {
  readonly batch: TableBatch;
  /** Number of the first rows of the batch that are passed to DuckDB. */
  readonly rows: number;
  row: number;
  /** The columns that DuckDB requests. */
  asked: readonly number[];
}

/** The columns that DuckDB can distinguish. */
function nameable(columns: readonly TableColumn[]): TableColumn[] {
  const counts = new Map<string, number>();
  for (const { name } of columns) counts.set(foldCase(name), (counts.get(foldCase(name)) ?? 0) + 1);
  return columns.filter(({ name }) => name !== '' && !name.includes('\0') && counts.get(foldCase(name)) === 1);
}

function namesText(all: readonly TableColumn[], known: readonly TableColumn[]): string {
  const names = (columns: readonly TableColumn[]): string => {
    const shown = columns.slice(0, NAMES_SHOWN).map(({ name }) => JSON.stringify(name));
    const more = columns.length - shown.length;
    return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const others = all.filter((column) => !known.includes(column));
  const features = known.length === 0 ? 'There are no columns' : `The columns are: ${names(known)}`;
  return `${features}${others.length === 0 ? '' : `; DuckDB cannot distinguish ${names(others)}`}`;
}
