/** The process, or a worker, ends while queries with `read_tfrecord` run. Argument 1: how it ends. */
import { DuckDBConnection } from '@duckdb/node-api';
import { isMainThread, Worker } from 'node:worker_threads';

import { registerTFRecord } from '../../../../lib/adapters/duckdb';
import { argument, say } from '../../../support/running/case';

const file = argument(0);
const QUERY = `SELECT count(*) FROM read_tfrecord('${file}')`;

async function connect(): Promise<DuckDBConnection> {
  const connection = await DuckDBConnection.create();
  registerTFRecord(connection);
  return connection;
}

/** Blocks this thread for `ms` ms. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const ways: Record<string, () => Promise<void>> = {
  /** DuckDB's thread waits for this one, which exits. */
  async 'process.exit, asked'() {
    const connection = await connect();
    void connection.run(QUERY).catch(() => undefined);
    block(300);
    say('running');
    process.exit(7);
  },
  async 'process.exit, stream'() {
    const connection = await connect();
    await (await connection.stream(`FROM read_tfrecord('${file}')`)).fetchChunk();
    say('running');
    process.exit(7);
  },
  async left() {
    const connection = await connect();
    await (await connection.stream(`FROM read_tfrecord('${file}')`)).fetchChunk();
    say('running');
  },
  async workers() {
    const count = async (): Promise<number> => {
      const reader = await (await connect()).runAndReadAll(QUERY);
      return Number(reader.getRowsJS()[0]![0]);
    };
    if (!isMainThread) {
      await count();
      return;
    }
    const codes = [1, 2, 3].map(
      () => new Promise((ended) => new Worker(__filename, { argv: process.argv.slice(2) }).on('exit', ended)),
    );
    const own = await count();
    say([...(await Promise.all(codes)), own, await count()]);
  },
};

void (ways[argument(1)] as () => Promise<void>)();
