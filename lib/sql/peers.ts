/* eslint-disable @typescript-eslint/no-require-imports -- an optional package, loaded when it is first needed */
/** Loads DuckDB's package, which users install themselves, on first use, and checks its version. */
import { createRequire } from 'node:module';

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Connection } from '@duckdb/node-bindings';

import { checkPeer, loadPeer, type PeerVersions, type Text } from '../base';

export type Api = typeof import('@duckdb/node-api');
export type Bindings = typeof import('@duckdb/node-bindings');

/** DuckDB's package. */
export interface DuckDB {
  /** Loaded at its first use: its many files take longer than a short query. */
  readonly api: Api;
  /** The bindings of C functions, which fill and read whole columns at once. */
  readonly bindings: Bindings;
}

const NEWEST = '1.5.6-r.1';

const VERSIONS: PeerVersions = {
  name: '@duckdb/node-api',
  install: NEWEST,
  lowest: '1.4',
  tried: ['1.4.0-r.2', NEWEST],
};

/** The first release of the package that adds table functions in JavaScript, independent of DuckDB's own version. */
const TABLES: PeerVersions = { ...VERSIONS, lowest: '1.5.5-r.5', tried: ['1.5.5-r.5', NEWEST] };

let loaded: DuckDB | undefined;

/**
 * Returns DuckDB for `user`, whose name is for errors. @throws TFRecordError ERR_MODULE_NOT_FOUND if it is not
 * installed, or older than 1.4
 */
export function duckdb(user: Text = 'tfrecord-native/duckdb'): DuckDB {
  if (loaded !== undefined) return loaded;
  const found = loadPeer(user, { [VERSIONS.name]: VERSIONS.install }, (): DuckDB => {
    // The bindings of this very copy of the package: there may be several copies.
    const bindings = createRequire(require.resolve('@duckdb/node-api'))('@duckdb/node-bindings') as Bindings;
    return {
      get api() {
        return require('@duckdb/node-api');
      },
      bindings,
    };
  });
  checkPeer(user, VERSIONS, versionOf(found));
  return (loaded = found);
}

/**
 * Returns DuckDB for `user`, which adds table functions in JavaScript. @throws as {@link duckdb}, also for a release that
 * cannot
 */
export function duckdbTables(user?: Text): DuckDB {
  const found = duckdb(user);
  checkPeer(user ?? 'tfrecord-native/duckdb', TABLES, versionOf(found), 'table_function_set_bind' in found.bindings);
  return found;
}

function versionOf({ bindings }: DuckDB): string {
  return bindings.library_version().replace(/^v/, '');
}

/** The connection in the C functions for `connection`. */
export function boundConnection(connection: DuckDBConnection): Connection {
  return (connection as unknown as { readonly connection: Connection }).connection;
}
