import type {
  Connection,
  DataChunk,
  TableFunction,
  TableFunctionBindInfo,
  TableFunctionInfo,
  TableFunctionInitInfo,
} from '@duckdb/node-bindings';

import type { Bindings } from './peers';
import { textForDuckDB } from './query-errors';

/** The callbacks of a table function. An error that one of them throws becomes the error of the query. */
export interface TableCalls {
  /** Adds the parameters of the function, and declares what it supports. Default: no parameters. */
  define?(f: TableFunction): void;
  /** Adds the columns of a query's result. Must set the bind data. */
  bind(info: TableFunctionBindInfo): void;
  /** Begins a query. Must set the init data. */
  init(info: TableFunctionInitInfo): void;
  /** Fills `chunk` with the next rows; with none at the end. */
  fill(chunk: DataChunk, info: TableFunctionInfo): void;
}

/** Adds the table function `name` to `connection`. A single thread calls it, so that rows keep their order. */
export function addTableFunction(db: Bindings, connection: Connection, name: string, calls: TableCalls): void {
  const f = db.create_table_function();
  db.table_function_set_name(f, name);
  calls.define?.(f);
  db.table_function_set_bind(f, (info) => {
    try {
      calls.bind(info);
    } catch (error) {
      db.bind_set_error(info, textForDuckDB(error));
    }
  });
  db.table_function_set_init(f, (info) => {
    try {
      calls.init(info);
      db.init_set_max_threads(info, 1);
    } catch (error) {
      db.init_set_error(info, textForDuckDB(error));
    }
  });
  db.table_function_set_function(f, (info, chunk) => {
    try {
      calls.fill(chunk, info);
    } catch (error) {
      db.function_set_error(info, textForDuckDB(error));
    }
  });
  db.register_table_function(connection, f);
}
