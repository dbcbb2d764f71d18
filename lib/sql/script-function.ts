/** `read_tfrecord` in JavaScript: for DuckDBs that native code cannot call, and where there is no native code. */
import type {
  Connection,
  LogicalType,
  TableFunctionBindInfo,
  TableFunctionInitInfo,
  Type,
  Value,
} from '@duckdb/node-bindings';

import type { ReadOptions } from '../record';
import { readTableSync, type PlacedBatch, type Table } from '../table';
import { bindQuery, PLACE_COLUMNS, scanError, usedColumns, type BoundQuery } from './bound-query';
import { logicalType } from './column-types';
import type { Bindings } from './peers';
import { sampleTable } from './sample-table';
import { addTableFunction } from './table-function';
import { TableScan } from './table-scan';

/** Adds the function `name`, which reads `table` if a query gives no spec. */
export function addScriptFunction(
  db: Bindings,
  connection: Connection,
  name: string,
  table: Table | undefined,
  read: ReadOptions,
): void {
  const type = (id: Type): LogicalType => db.create_logical_type(id);
  addTableFunction(db, connection, name, {
    define: (f) => {
      db.table_function_add_parameter(f, type(db.Type.ANY));
      for (const parameter of ['spec', 'compression']) {
        db.table_function_add_named_parameter(f, parameter, type(db.Type.VARCHAR));
      }
      for (const column of PLACE_COLUMNS) db.table_function_add_named_parameter(f, column, type(db.Type.BOOLEAN));
      db.table_function_supports_projection_pushdown(f, true);
    },
    bind: (info) => {
      bind(db, info, table, read);
    },
    init: (info) => {
      init(db, info);
    },
    fill: (chunk, info) => {
      (db.function_get_init_data(info) as TableScan).fill(db, chunk);
    },
  });
}

function bind(db: Bindings, info: TableFunctionBindInfo, registered: Table | undefined, options: ReadOptions): void {
  const named = (name: string): string | undefined => {
    const value = db.bind_get_named_parameter(info, name);
    return value === null || db.is_null_value(value) ? undefined : db.get_varchar(value);
  };
  const paths = textsIn(db, db.bind_get_parameter(info, 0));
  const bound = bindQuery({ paths, named }, registered, options, sampleTable);
  for (const column of bound.table.columns) db.bind_add_result_column(info, column.name, logicalType(db, column));
  for (const name of bound.places) {
    const type = name === 'filename' ? db.Type.VARCHAR : db.Type.BIGINT;
    db.bind_add_result_column(info, name, db.create_logical_type(type));
  }
  db.bind_set_bind_data(info, bound);
}

/** Begins to read the columns that a query uses. */
function init(db: Bindings, info: TableFunctionInitInfo): void {
  const bound = db.init_get_bind_data(info) as BoundQuery;
  const used = Array.from({ length: db.init_get_column_count(info) }, (_, i) => db.init_get_column_index(info, i));
  const { table, columns } = usedColumns(bound, used);
  db.init_set_init_data(info, new TableScan(scannedBatches(bound, table), columns));
}

/** The batches of `table`. Its columns are a subset of those in `bound`. */
function* scannedBatches(bound: BoundQuery, table: Table): Generator<PlacedBatch, void, undefined> {
  try {
    yield* readTableSync(bound.paths, table, bound.read);
  } catch (error) {
    throw scanError(bound, error);
  }
}

/** The texts of an argument, which is a text or a list of texts: see `QueryArguments.paths`. */
export function textsIn(db: Bindings, value: Value): string[] | null | undefined {
  if (db.is_null_value(value)) return null;
  const type = db.get_value_type(value);
  if (db.get_type_id(type) === db.Type.VARCHAR) return [db.get_varchar(value)];
  if (db.get_type_id(type) !== db.Type.LIST) return undefined;
  const texts: string[] = [];
  for (let i = 0; i < db.get_list_size(value); i++) {
    const item = db.get_list_child(value, i);
    if (db.is_null_value(item) || db.get_type_id(db.get_value_type(item)) !== db.Type.VARCHAR) return undefined;
    texts.push(db.get_varchar(item));
  }
  return texts;
}
