/** `read_tfrecord` in native code, which passes the columns that its threads parse to DuckDB without JavaScript. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Connection } from '@duckdb/node-bindings';

import { native, DuckdbLevel, type DuckdbColumn, type DuckdbHost, type DuckdbQuery } from '../native';
import { readableFilesSync, resolveReadOptions, type ReadOptions } from '../record';
import type { Table } from '../table';
import { bindQuery, PLACE_COLUMNS, scanError, usedColumns, type BoundQuery } from './bound-query';
import { levelsOf, valueType, type Level, type WrittenColumn } from './column-types';
import { NativeReading } from './native-reading';
import { nativeSampleTable } from './native-sample';
import type { Bindings } from './peers';
import { textForDuckDB } from './query-errors';

/** For tests: without native code, JavaScript passes the rows to DuckDB. */
export const chosen = { native: true };

/**
 * Adds the function `name`, which reads `table` if a query gives no spec. Returns false if native code cannot call the
 * DuckDB of `connection`.
 */
export function addNativeFunction(
  db: Bindings,
  connection: Connection,
  name: string,
  table: Table | undefined,
  read: ReadOptions,
): boolean {
  const parameters = {
    spec: db.Type.VARCHAR,
    compression: db.Type.VARCHAR,
    ...Object.fromEntries(PLACE_COLUMNS.map((column) => [column, db.Type.BOOLEAN])),
  };
  return addHost(connection, name, parameters, {
    bind: ({ paths, named }) =>
      orText(() => {
        const given = { paths, named: (parameter: string) => named[parameter] };
        return queryOf(db, bindQuery(given, table, read, nativeSampleTable));
      }),
  });
}

/**
 * Adds the function `name`, for which `host` decides. `parameters`: the named ones, with DuckDB's numbers of their types.
 * Returns false if native code cannot call the DuckDB of `connection`.
 */
export function addHost(
  connection: Connection,
  name: string,
  parameters: Readonly<Record<string, number>>,
  host: DuckdbHost,
): boolean {
  const { duckdbRegister: register } = native();
  return (
    register !== undefined && onLibrary((library) => register(library, connection, name, parameters, host)) === true
  );
}

/**
 * Calls `call` with the names of the files by which native code may find DuckDB, until it returns a result. Returns
 * undefined if there is none.
 */
export function onLibrary<T>(call: (library: string) => T | false | undefined): T | undefined {
  if (!chosen.native) return undefined;
  if (!endsAtExit) process.once('exit', () => native().duckdbEnd?.());
  endsAtExit = true;
  for (const library of libraries()) {
    const result = call(library);
    if (result !== false && result !== undefined) return result;
  }
  return undefined;
}

/** The query for native code. */
function queryOf(db: Bindings, bound: BoundQuery): DuckdbQuery {
  const places = bound.places.map((name): DuckdbColumn => {
    return { name, type: name === 'filename' ? db.Type.VARCHAR : db.Type.BIGINT, levels: [] };
  });
  return {
    columns: [...bound.table.columns.map((column) => columnOf(db, column)), ...places],
    begin: (used) =>
      orText(() => {
        const plan = resolveReadOptions(bound.read);
        const files = readableFilesSync(bound.paths, plan);
        const fail = (error: unknown): string => textForDuckDB(scanError(bound, error));
        return new NativeReading({ ...usedColumns(bound, used), files, plan, fail });
      }),
  };
}

/** The column of DuckDB for `column`. `levels`: the levels of its values. */
export function columnOf(
  db: Bindings,
  column: WrittenColumn,
  levels: readonly Level[] = levelsOf(column),
): DuckdbColumn {
  const pairs = levels.flatMap((level) => [LEVELS[level.kind], level.kind === 'list' ? 0 : level.size]);
  return { name: column.name, type: db.Type[valueType(column)], levels: pairs };
}

const LEVELS = { list: DuckdbLevel.AnyLength, array: DuckdbLevel.Array, fixed: DuckdbLevel.Fixed } as const;

/** The result of `call`, or the text of its error. */
export function orText<T>(call: () => T): T | string {
  try {
    return call();
  } catch (error) {
    return textForDuckDB(error);
  }
}

let endsAtExit = false;

let found: readonly string[] | undefined;

/** The files by which native code can find DuckDB, of which the package has loaded one. */
function libraries(): readonly string[] {
  return (found ??= findLibraries());
}

function findLibraries(): string[] {
  const { platform, arch } = process;
  const resolve = createRequire(
    createRequire(require.resolve('@duckdb/node-api')).resolve('@duckdb/node-bindings'),
  ).resolve;
  return ['', '-musl'].flatMap((library) => {
    try {
      const addon = resolve(`@duckdb/node-bindings-${platform}-${arch}${library}/duckdb.node`);
      return platform === 'win32' ? [join(dirname(addon), 'duckdb.dll')] : [addon];
    } catch {
      return [];
    }
  });
}
