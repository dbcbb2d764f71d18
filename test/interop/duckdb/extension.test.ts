/** Python's duckdb, the oldest that takes the extension and the newest, gives the rows that the package gives. */
import { DuckDBInstance } from '@duckdb/node-api';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { encodeExample, int64 } from '../../../lib';
import { registerTFRecord } from '../../../lib/adapters/duckdb';
import { randoms } from '../../support/randoms';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';
import { BUILD_TIMEOUT, builtExtension } from '../../support/sql/extension';
import { callOf, outcomeOf, queriesOver } from '../../support/sql/queries';
import { MIXED_SPEC, mixedRecords, SEQUENCE_SPEC, sequenceRecords } from '../../support/sql/records';

/** The texts of the rows of a query, or the first line of its error. */
interface Texts {
  readonly types?: readonly (readonly [name: string, type: string])[] | undefined;
  readonly rows?: readonly unknown[][] | undefined;
  readonly error?: string;
}

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

/** The interpreter with this version of duckdb, or why there is none. */
function pythonWith(version: string): { python?: string; reason?: string } {
  const args = version === 'newest' ? [] : [version];
  try {
    const found = execFileSync(join(ROOT, 'scripts/duckdb-venv.sh'), args, { encoding: 'utf8', stdio: 'pipe' });
    return { python: found.trim() };
  } catch (error) {
    return { reason: String((error as { stderr?: unknown }).stderr).trim() };
  }
}

function peer(python: string, args: readonly string[], input = ''): unknown {
  const options = { encoding: 'utf8', input, maxBuffer: 2 ** 28 } as const;
  return JSON.parse(execFileSync(python, [join(__dirname, 'peer.py'), ...args], options));
}

/** The outcomes of `queries` with the function of the package, as those of peer.py. */
async function textsOf(queries: readonly string[]): Promise<Texts[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  registerTFRecord(connection);
  const texts: Texts[] = [];
  for (const query of queries) {
    const described = await outcomeOf(connection, `SELECT column_name, column_type FROM (DESCRIBE ${query})`);
    const { rows, error } = await outcomeOf(connection, `SELECT COLUMNS(*)::VARCHAR FROM (${query})`);
    texts.push(error === undefined ? { types: described.rows as unknown as Texts['types'], rows } : { error });
  }
  connection.closeSync();
  instance.closeSync();
  return texts;
}

/** 200 queries, and some over damaged files. Versions order and hash some values differently: queries with neither. */
async function queries(): Promise<string[]> {
  const random = randoms(12);
  const mixed = folder.write('mixed.gz', mixedRecords(1500, random));
  const few = folder.write('few', mixedRecords(10, random));
  const lists = folder.write('lists.zlib', sequenceRecords(1500, random));
  const tables = [callOf(mixed), callOf([few, mixed], MIXED_SPEC), callOf(lists), callOf(lists, SEQUENCE_SPEC)];
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  registerTFRecord(connection);
  const all: string[] = [];
  for (const table of tables) {
    const over = await queriesOver(connection, table, 90, random);
    all.push(...over.filter((query) => !/hash|DISTINCT|GROUP BY key|GROUP BY item/.test(query)).slice(0, 50));
  }
  connection.closeSync();
  instance.closeSync();
  return all;
}

describe.each(['1.2.2', 'newest'])("the extension in Python's duckdb, %s", (version) => {
  const { python, reason } = pythonWith(version);
  if (python === undefined) {
    process.stderr.write(`test:interop: skipped, no duckdb ${version} (${reason})\n`);
    test.todo(`no duckdb ${version}`);
    return;
  }
  let extension: string;
  beforeAll(() => {
    const platform = peer(python, ['platform']) as string;
    extension = builtExtension('tfrecord', platform, folder.at('tfrecord.duckdb_extension'));
  }, BUILD_TIMEOUT);

  test('gives the same columns and rows', async () => {
    const all = await queries();
    const found = peer(python, ['run', extension], JSON.stringify(all)) as Texts[];
    const expected = await textsOf(all);
    expect(all).toHaveLength(200);
    let rows = 0;
    for (const [i, query] of all.entries()) {
      if (expected[i]!.error !== undefined) expect(found[i]).toHaveProperty('error');
      else {
        expect({ query, ...found[i] }).toEqual({ query, ...expected[i] });
        rows++;
      }
    }
    expect(rows).toBeGreaterThan(150);
  });

  test('names code, file, record and byte of damage', () => {
    const path = folder.put('cut', Buffer.from('no record, but text that is long enough'));
    const [outcome] = peer(python, ['run', extension], JSON.stringify([`FROM ${callOf(path)}`])) as Texts[];
    expect(outcome!.error).toContain(`TFR_NOT_TFRECORD: ${path} is not a TFRecord file`);
  });

  test('ends after an interrupt, before its data end', () => {
    const records = Array.from({ length: 50_000 }, (_, i) => encodeExample({ id: int64(i) }));
    const path = folder.write('many', records);
    const paths = Array.from({ length: 200 }, () => path);
    const sql = `SELECT sum(id) FROM ${callOf(paths)}`;
    expect(peer(python, ['interrupt', extension, sql])).toBeGreaterThanOrEqual(0);
  });
});
