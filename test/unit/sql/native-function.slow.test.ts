/** The table function in native code gives what the one in JavaScript gives: rows, errors, and what policies are asked. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  specToJSON,
  varLen,
  type FeatureLike,
  type OnError,
  type SequenceExampleSpec,
  type Spec,
} from '../../../lib';
import { registerTFRecord, type RegisterOptions } from '../../../lib/adapters/duckdb';
import { addNativeFunction, chosen } from '../../../lib/sql/native-function';
import { boundConnection, duckdbTables } from '../../../lib/sql/peers';
import { randoms } from '../../support/randoms';
import { injure } from '../../support/records/injuries';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

jest.setTimeout(300_000);

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

/** A connection whose function is native, or not. */
interface Side {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  /** The texts of the errors that `onError` was asked about. */
  readonly asked: string[];
}

async function open(native: boolean, { onError, ...options }: RegisterOptions = {}): Promise<Side> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const asked: string[] = [];
  chosen.native = native;
  try {
    registerTFRecord(connection, { ...options, onError: listened(onError, asked) });
  } finally {
    chosen.native = true;
  }
  return { instance, connection, asked };
}

/** The policy `onError`, which notes the errors it is asked about in `asked`. */
function listened(onError: OnError | undefined, asked: string[]): OnError | undefined {
  if (typeof onError === 'function') {
    return (error) => {
      asked.push(error.message);
      return onError(error);
    };
  }
  if (typeof onError !== 'object') return onError;
  return { ...onError, report: ({ message }) => void asked.push(message) };
}

function close({ connection, instance }: Side): void {
  connection.closeSync();
  instance.closeSync();
}

interface Outcome {
  readonly types?: readonly string[];
  readonly rows?: unknown[][];
  readonly error?: string | undefined;
  readonly asked: readonly string[];
}

/** The rows of `sql`, or the first line of its error; and what the policy was asked. */
async function outcome({ connection, asked }: Side, sql: string): Promise<Outcome> {
  asked.length = 0;
  try {
    const reader = await connection.runAndReadAll(sql);
    const types = reader.columnNames().map((name, i) => `${name} ${reader.columnTypes()[i]!.toString()}`);
    return { types, rows: reader.getRowsJS(), asked: [...asked] };
  } catch (error) {
    return { error: (error as Error).message.split('\n')[0], asked: [...asked] };
  }
}

/** Runs `queries` on both sides, and expects the same. Returns how many gave rows. */
async function same(queries: readonly string[], options?: RegisterOptions): Promise<number> {
  const [native, script] = [await open(true, options), await open(false, options)];
  let withRows = 0;
  try {
    for (const query of queries) {
      const found = await outcome(native, query);
      const expected = await outcome(script, query);
      // JavaScript judges a piece before its first row is used, which a query with a limit may never reach.
      const asked = query.includes('LIMIT') ? { asked: expected.asked } : {};
      // Jest compares many rows slowly.
      if (!isDeepStrictEqual({ ...found, ...asked }, expected)) {
        expect({ query, ...found, ...asked }).toEqual({ query, ...expected });
      }
      if (expected.rows !== undefined) withRows++;
    }
  } finally {
    close(native);
    close(script);
  }
  return withRows;
}

/** Queries of many forms over `table`, which has `columns`. */
async function queriesOver(table: string, random: () => number, count: number): Promise<string[]> {
  const { instance, connection, asked } = await open(false);
  const described = await outcome({ instance, connection, asked }, `DESCRIBE FROM ${table}`);
  close({ instance, connection, asked });
  const columns = ((described.rows ?? []) as [string, string][]).map(([name, type]) => ({
    name: `"${name.replaceAll('"', '""')}"`,
    type,
  }));
  if (columns.length === 0) return [`FROM ${table}`, `SELECT count(*) FROM ${table}`];
  const placed = table.replace(/\)$/, ', filename := true, file_row_number := true, record_offset := true)');
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const one = (): string => pick(columns).name;
  const some = (): string => [...new Set([one(), one(), one()])].join(', ');
  const list = columns.filter(({ type }) => type.endsWith(']'));
  const forms: (() => string)[] = [
    () => `FROM ${table}`,
    () => `SELECT count(*) FROM ${table}`,
    () => `SELECT count(COLUMNS(*)) FROM ${table}`,
    () => `SELECT ${some()} FROM ${table} LIMIT ${Math.floor(random() * 50)} OFFSET ${Math.floor(random() * 20)}`,
    () => `SELECT ${some()}, file_row_number, record_offset, filename FROM ${placed}`,
    () => `SELECT file_row_number, ${one()} FROM ${placed} ORDER BY file_row_number DESC, filename LIMIT 30`,
    () =>
      `SELECT filename, count(*), min(file_row_number), max(file_row_number) FROM ${placed} GROUP BY ALL ORDER BY ALL`,
    () => `SELECT sum(hash(${one()})::HUGEINT), min(hash(${one()})) FROM ${table}`,
    () => `SELECT ${one()} AS key, count(*) FROM ${table} GROUP BY key ORDER BY ALL LIMIT 40`,
    () => `SELECT list(${one()} ORDER BY file_row_number, filename) FROM (FROM ${placed} LIMIT 100)`,
    () => `SELECT count(*) FROM ${table} WHERE ${one()} IS NULL`,
    () => `SELECT ${some()} FROM ${table} WHERE ${one()} IS NOT NULL LIMIT 20`,
    () => `SELECT min(${one()}), max(${one()}), first(${one()}) FROM ${table}`,
    () =>
      `SELECT count(*), sum(hash(a.${one()}, b.${one()})::HUGEINT) FROM ${placed} a JOIN ${placed} b USING (file_row_number)`,
    () => `SELECT DISTINCT ${some()} FROM ${table} ORDER BY ALL LIMIT 20`,
    () => `SELECT CAST(${one()} AS VARCHAR) AS text FROM ${table} ORDER BY text LIMIT 25`,
    () => `SELECT ${one()} FROM ${table} UNION ALL SELECT ${one()} FROM ${table} LIMIT 10`,
  ];
  if (list.length > 0) {
    forms.push(
      () => `SELECT sum(len(${pick(list).name})), max(len(${pick(list).name})) FROM ${table}`,
      () => `SELECT unnest(${pick(list).name}) AS item, count(*) FROM ${table} GROUP BY item ORDER BY ALL LIMIT 40`,
      () => `SELECT ${pick(list).name}[1], ${pick(list).name}[-1] FROM ${table} LIMIT 60`,
    );
  }
  return Array.from({ length: count }, (_, i) => (i < forms.length ? forms[i]! : pick(forms))());
}

const random = randoms(31);
const below = (limit: number): number => Math.floor(random() * limit);

/** Records with all kinds of features, some of which are missing. */
function mixed(count: number): Uint8Array[] {
  const text = (): string => [...'aé漢😀'.repeat(below(9))].slice(0, below(30)).join('');
  const features: Readonly<Record<string, () => FeatureLike>> = {
    i: () => int64(BigInt(below(2 ** 30)) - 2n ** 62n),
    f: () => float(random() < 0.1 ? NaN : random() < 0.1 ? -0 : random()),
    t: () => text(),
    b: () => bytes([Uint8Array.from({ length: random() < 0.02 ? 6000 : below(40) }, () => below(256))]),
    li: () => int64(Array.from({ length: below(5) }, () => below(9))),
    lf: () => float(Array.from({ length: below(70) }, () => random())),
    lt: () => bytes(Array.from({ length: below(4) }, text)),
    lb: () => bytes(Array.from({ length: below(3) }, () => Uint8Array.from({ length: below(20) }, () => below(256)))),
    box: () => float([1, 2, 3, 4].map((x) => x * random())),
    pair: () => bytes([`${below(9)}`, 'longer than twelve bytes'.slice(0, below(25))]),
  };
  return Array.from({ length: count }, () => {
    const present = Object.entries(features).filter(() => random() < 0.8);
    return encodeExample(Object.fromEntries(present.map(([name, make]) => [name, make()])));
  });
}

const MIXED: Spec = {
  i: varLen('int64'),
  box: fixedLen([2, 2], 'float32', { default: [9, 8, 7, 6] }),
  f: varLen('float32'),
  pair: varLen('text'),
  t: fixedLen([], 'text', { default: 'none' }),
  b: varLen('bytes'),
  lf: varLen('float32'),
  lt: varLen('text'),
};

function sequences(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) =>
    encodeSequenceExample({
      context: i % 5 === 0 ? {} : { id: int64(i), tag: `tag ${i % 13} of some length` },
      featureLists:
        i % 7 === 0
          ? {}
          : {
              words: Array.from({ length: below(4) }, () =>
                bytes(Array.from({ length: below(3) }, () => `w${below(99)}`)),
              ),
              at: Array.from({ length: below(4) }, () => float([random(), random()])),
              n: Array.from({ length: below(5) }, () => int64(below(100))),
            },
    }),
  );
}

const SEQUENCES: SequenceExampleSpec = {
  context: { id: fixedLen([], 'int64', { default: -1 }), tag: varLen('text') },
  sequence: { words: varLen('text'), at: fixedLenSequence([2], 'float32', { allowMissing: true }) },
};

function jsonOf(spec: Spec | SequenceExampleSpec): object {
  if (!('sequence' in spec)) return specToJSON(spec as Spec);
  const { context, sequence } = spec as SequenceExampleSpec;
  return { context: specToJSON(context as Spec), sequence: specToJSON(sequence as Spec) };
}

/** The call of the function for `paths`. `spec`: of the records. */
function tableOf(paths: string | readonly string[], spec?: Spec | SequenceExampleSpec): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const argument = typeof paths === 'string' ? quoted(paths) : `[${paths.map(quoted).join(', ')}]`;
  return `read_tfrecord(${argument}${spec === undefined ? '' : `, spec := ${quoted(JSON.stringify(jsonOf(spec)))}`})`;
}

test('native code passes the rows of the bindings that the package loaded, and of no other handle', async () => {
  const { instance, connection, asked } = await open(true);
  const { bindings } = duckdbTables();
  const add = (to: unknown): boolean =>
    addNativeFunction(bindings, boundConnection(to as DuckDBConnection), 'other', undefined, {});
  expect(add(connection)).toBe(true);
  expect(add({ connection: {} })).toBe(false);
  expect(add({ connection: 3 })).toBe(false);
  expect(add({ connection: (instance as unknown as { db: object }).db })).toBe(false);
  close({ instance, connection, asked });
  expect(add(connection)).toBe(false);
});

describe('generated queries give the same', () => {
  test('over features of all kinds, missing ones too', async () => {
    const path = folder.write('mixed.gz', mixed(1500));
    const few = folder.write('few', mixed(10));
    const queries = [
      ...(await queriesOver(tableOf(path), random, 40)),
      ...(await queriesOver(tableOf([few, path, few], MIXED), random, 40)),
      ...(await queriesOver(tableOf(folder.at('{few,mixed.gz}')), random, 10)),
    ];
    expect(await same(queries)).toBeGreaterThan(60);
  });

  test('over arrays, of which some are missing', async () => {
    const path = folder.write('arrays', mixed(3000));
    const paired = { box: fixedLen([2, 2], 'float32'), pair: fixedLen([2], 'text'), f: varLen('float32') };
    // Features that the spec requires are missing in some records, which are left out.
    expect(await same(await queriesOver(tableOf(path, paired), random, 25), { onError: () => 'skip' })).toBeGreaterThan(
      20,
    );
    const sampled = folder.write(
      'vectors',
      Array.from({ length: 3000 }, (_, i) =>
        encodeExample(i % 3 === 0 ? {} : { v: float([i, i + 1]), s: 'x'.repeat(i % 40) }),
      ),
    );
    expect(await same(await queriesOver(tableOf(sampled), random, 20))).toBeGreaterThan(15);
  });

  test('over SequenceExamples', async () => {
    const path = folder.write('sequences.zlib', sequences(3000));
    const queries = [
      ...(await queriesOver(tableOf(path), random, 20)),
      ...(await queriesOver(tableOf(path, SEQUENCES), random, 20)),
    ];
    expect(await same(queries)).toBeGreaterThan(35);
  });

  const facts = REAL_FACTS as readonly { readonly local: string }[];
  if (facts.length === 0) test.todo(NO_REAL_FILES);
  else {
    test('over real files', async () => {
      const queries: string[] = [];
      for (const { local } of facts) queries.push(...(await queriesOver(tableOf(join(REAL_FILES, local)), random, 20)));
      expect(await same(queries)).toBeGreaterThan(100);
    });
  }
});

describe('damage gives the same', () => {
  const whole = mixed(1000);
  const offsets = [0];
  for (const record of whole) offsets.push(offsets.at(-1)! + record.length + 16);
  const POLICIES: readonly OnError[] = [
    'throw',
    'skip',
    'stop',
    'salvage',
    { action: 'skip', maxRate: 1 },
    { action: 'skip', max: 2 },
    { action: 'salvage' },
    () => 'skip',
    (error) => (error.record !== undefined && error.record > 500 ? 'stop' : 'skip'),
    () => 'throw',
  ];

  test.each(POLICIES.map((onError, i) => [i, onError] as const))('policy %i', async (i, onError) => {
    const tables: string[] = [];
    for (let k = 0; k < 4; k++) {
      const { bytes: data } = injure({ bytes: tfrecord(whole), offsets }, 1 + k, random);
      tables.push(tableOf(folder.put(`injured-${i}-${k}`, data), k % 2 === 0 ? MIXED : undefined));
    }
    const texts = whole.map((record, at) =>
      at % 150 === 149 ? encodeExample({ t: bytes([Uint8Array.of(97, 200)]) }) : record,
    );
    texts[600] = Buffer.from('no Example');
    texts[601] = encodeExample({ t: int64(1) });
    texts[602] = encodeExample({ t: bytes([Uint8Array.of(0xe2, 0x82)]), lt: bytes([Uint8Array.of(0xac)]) });
    const wrong = folder.write(`texts-${i}.gz`, texts);
    const path = folder.write(`right-${i}`, whole.slice(0, 100));
    folder.put(`pipe-${i}`, 'text, and no records at all');
    tables.push(
      tableOf(wrong, MIXED),
      tableOf(wrong),
      tableOf([path, folder.at('missing'), path], MIXED),
      tableOf([path, folder.path, path]),
      tableOf([path, folder.at(`pipe-${i}`), path]),
      tableOf(folder.put(`cut-${i}.gz`, readFileSync(wrong).subarray(0, 20_000)), MIXED),
    );
    const queries = tables.flatMap((table) => [
      `SELECT count(*), count(t), sum(hash(COLUMNS(*))::HUGEINT) FROM ${table}`,
      `FROM ${table}`,
      `SELECT file_row_number, record_offset, filename FROM ${table.replace(/\)$/, ', filename := true, file_row_number := true, record_offset := true)')}`,
      `SELECT t FROM ${table} LIMIT 5`,
    ]);
    await same(queries, { onError });
  });

  test('of the first record that is of another type warns once', async () => {
    const path = folder.write('other', sequences(3));
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      await same([
        `FROM ${tableOf(path, { x: varLen('int64') })}`,
        `FROM ${tableOf(path, { x: fixedLen([], 'int64') })}`,
      ]);
      expect(warned).toHaveBeenCalledTimes(2);
    } finally {
      warned.mockRestore();
    }
  });

  test('of the first record of a later file that is of another type warns once', async () => {
    const right = folder.write('right', [encodeExample({ x: int64(1) })]);
    const empty = folder.write('empty', []);
    const later = folder.write('later', sequences(3));
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      await same([`FROM ${tableOf([empty, right, later, later], { x: varLen('int64') })}`]);
      const texts = warned.mock.calls.map(([text]) => text);
      expect(texts).toEqual(Array(2).fill(expect.stringContaining(`Record 0 of ${later}`)));
    } finally {
      warned.mockRestore();
    }
  });
});

describe('a query that is left', () => {
  const many = (): string =>
    existsSync(folder.at('many'))
      ? folder.at('many')
      : folder.write(
          'many',
          Array.from({ length: 200_000 }, (_, i) => encodeExample({ id: int64(i), t: `text ${i}` })),
        );

  test('by an interrupt while native code reads fails, long before its end', async () => {
    let began: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const side = await open(true, {
      onError: () => {
        began();
        return 'skip';
      },
    });
    const broken = folder.write('broken', [encodeExample({ id: int64(0), t: '' }), Buffer.from('no Example')]);
    // 400 million records, which take half a minute.
    const table = tableOf([broken, ...Array<string>(2000).fill(many())], { id: fixedLen([], 'int64') });
    const running = side.connection.runAndReadAll(`SELECT sum(id) FROM ${table}`).then(
      () => 'an answer',
      (error: unknown) => (error as Error).message,
    );
    await begun;
    side.connection.interrupt();
    // Generous: it takes milliseconds.
    const limit = new AbortController();
    expect(await Promise.race([running, wait(5000, 'still running', { signal: limit.signal })])).toMatch(/INTERRUPT/);
    limit.abort();
    expect(await outcome(side, `SELECT sum(id) FROM ${tableOf(many())}`)).toMatchObject({ rows: [[19999900000n]] });
    close(side);
  });

  test('by an interrupt ends soon, and the next one is right', async () => {
    const side = await open(true);
    const table = tableOf(many());
    for (const pause of [0, 1, 5, 20]) {
      const query = `SELECT count(*) FROM ${table} a, range(1000000) WHERE a.id = range`;
      const running = side.connection.runAndReadAll(`${query} AND hash(a.t || range) > 5`).then(
        () => 'an answer',
        (error: unknown) => (error as Error).message,
      );
      await wait(pause);
      side.connection.interrupt();
      expect(await running).toMatch(/an answer|INTERRUPT/);
      expect(await outcome(side, `SELECT sum(id) FROM ${table}`)).toMatchObject({ rows: [[19999900000n]] });
    }
    close(side);
  });

  test('by a limit, or by closing its connection, frees what it holds', async () => {
    const side = await open(true);
    const table = tableOf(many());
    for (let i = 0; i < 20; i++)
      expect(await outcome(side, `SELECT id FROM ${table} LIMIT 3`)).toMatchObject({ rows: [[0n], [1n], [2n]] });
    const stream = await side.connection.stream(`FROM ${table}`);
    await stream.fetchChunk();
    close(side);
  });

  test('does not keep another from running: several at once', async () => {
    const side = await open(true);
    const others = await Promise.all([1, 2, 3].map(() => side.instance.connect()));
    const sql = `SELECT sum(id) FROM ${tableOf(many())}`;
    const sums = await Promise.all([side.connection, ...others, ...others].map((each) => each.runAndReadAll(sql)));
    for (const sum of sums) expect(sum.getRowsJS()).toEqual([[19999900000n]]);
    for (const other of others) other.closeSync();
    close(side);
  });
});
