/* eslint-disable @typescript-eslint/no-require-imports -- optional packages, loaded when they are first needed */
/** Loads the packages of DuckDB, which users install themselves, when they are first used. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Connection } from '@duckdb/node-bindings';

import { loadPeer } from '../peer';

export type Api = typeof import('@duckdb/node-api');
export type Bindings = typeof import('@duckdb/node-bindings');

const VERSION = '1.5.6-r.1';

/** DuckDB's package. @throws TFRecordError ERR_MODULE_NOT_FOUND */
export function duckdbApi(user = 'tfrecord-native/duckdb'): Api {
  return loadPeer(user, { '@duckdb/node-api': VERSION }, () => require('@duckdb/node-api') as Api);
}

/** The connection of the C functions that `connection` stands for. */
export function boundConnection(connection: DuckDBConnection): Connection {
  return (connection as unknown as { readonly connection: Connection }).connection;
}

/** DuckDB's C functions, which fill and read whole columns at once. @throws TFRecordError ERR_MODULE_NOT_FOUND */
export function duckdbBindings(): Bindings {
  return loadPeer(
    'tfrecord-native/duckdb',
    { '@duckdb/node-bindings': VERSION },
    () => require('@duckdb/node-bindings') as Bindings,
  );
}
