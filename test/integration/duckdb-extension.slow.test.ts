/** DuckDB's loadable extension gives the columns, rows and errors that `registerTFRecord` gives. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { bytes, encodeExample, encodeSequenceExample, fixedLen, float, int64, varLen } from '../../lib';
import { specText } from '../../lib/example';
import { registerTFRecord, type RegisterOptions } from '../../lib/adapters/duckdb';
import { randoms } from '../support/randoms';
import { injure } from '../support/records/injuries';
import { NO_REAL_FILES, REAL_FACTS, REAL_FILES } from '../support/records/real-data';
import { Folder } from '../support/records/record-files';
import { compress, tfrecord } from '../support/records/tfrecord';
import { BUILD_TIMEOUT, builtExtension } from '../support/sql/extension';
import { MIXED_SPEC, mixedRecords, SEQUENCE_SPEC, sequenceRecords } from '../support/sql/records';
import { callOf, outcomeOf, queriesOver, quoted, type Outcome } from '../support/sql/queries';

const folder = new Folder();
const random = randoms(311);
const below = (limit: number): number => Math.floor(random() * limit);
let extension: string;

beforeAll(() => {
  extension = builtExtension('tfrecord');
}, BUILD_TIMEOUT);
afterAll(() => {
  folder.remove();
});

/** A database with the function of the extension, or with that of the package. */
class Database {
  readonly connection: DuckDBConnection;
  readonly instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.instance = instance;
    this.connection = connection;
  }

  static async loaded(): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', { allow_unsigned_extensions: 'true' });
    const database = new Database(instance, await instance.connect());
    await database.connection.run(`LOAD ${quoted(extension)}`);
    return database;
  }

  static async registered(options?: RegisterOptions): Promise<Database> {
    const instance = await DuckDBInstance.create();
    const database = new Database(instance, await instance.connect());
    registerTFRecord(database.connection, options);
    return database;
  }

  outcome(sql: string): Promise<Outcome> {
    return outcomeOf(this.connection, sql);
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

/** The facts in an error of the extension, which names the byte where the package may not. `expected`: those of the package. */
function factsLike(error: string, expected: string): Record<string, string | undefined> {
  const facts = factsOf(error);
  return factsOf(expected)['byte'] === undefined ? { ...facts, byte: undefined } : facts;
}

/** The facts in an error: its code, and which file, record, byte and feature it names. */
function factsOf(error: string): Record<string, string | undefined> {
  const [, code] = /Error: (\w+): /.exec(error) ?? [];
  const [, record] = /record (\d+)/i.exec(error) ?? [];
  const [, byte] = /(?:at |\()(?:uncompressed )?byte (\d+)/.exec(error) ?? [];
  const [, compressed] = /compressed byte (\d+)/.exec(error.replaceAll('uncompressed byte', '')) ?? [];
  const [, feature] = /Feature ("(?:[^"\\]|\\.)*")/.exec(error) ?? [];
  const at = error.indexOf(folder.path);
  const file = at < 0 ? undefined : /^[^,:' ]*/.exec(error.slice(at))![0].replace(/\.$/, '');
  return { code, record, byte, compressed, feature, file };
}

function comparable({ error, ...rest }: Outcome, expected = error): object {
  return error === undefined ? rest : factsLike(error, expected ?? '');
}

/** Runs `queries` in both databases, and expects the same. Returns the number of those that gave rows. */
async function same(
  queries: (database: Database) => Promise<readonly string[]>,
  options?: RegisterOptions,
  edit = (query: string): string => query,
): Promise<number> {
  const [loaded, registered] = [await Database.loaded(), await Database.registered(options)];
  let withRows = 0;
  try {
    for (const query of await queries(registered)) {
      const found = await loaded.outcome(edit(query));
      const expected = await registered.outcome(query);
      const text = [found.error, expected.error];
      const [ours, theirs] = [comparable(found, expected.error), comparable(expected)];
      // Jest compares large rows slowly.
      if (!isDeepStrictEqual(ours, theirs)) expect({ query, text, ...ours }).toEqual({ query, text, ...theirs });
      if (expected.rows !== undefined) withRows++;
    }
  } finally {
    loaded.close();
    registered.close();
  }
  return withRows;
}

test('places.h has the places of this DuckDB', async () => {
  const places = builtExtension('places');
  const instance = await DuckDBInstance.create(':memory:', { allow_unsigned_extensions: 'true' });
  const connection = await instance.connect();
  await expect(connection.run(`LOAD ${quoted(places)}`)).resolves.toBeDefined();
  connection.closeSync();
  instance.closeSync();
});

describe('generated queries give the same', () => {
  const over =
    (tables: readonly string[], count: number) =>
    async ({ connection }: Database): Promise<string[]> => {
      const queries: string[] = [];
      for (const table of tables) queries.push(...(await queriesOver(connection, table, count, random)));
      return queries;
    };

  test('over features of all kinds', async () => {
    const path = folder.write('mixed.gz', mixedRecords(2500, random));
    const few = folder.write('few', mixedRecords(10, random));
    const tables = [
      callOf(path),
      callOf([few, path, few], MIXED_SPEC),
      callOf(folder.at('m*.gz'), { t: varLen('bytes') }),
    ];
    expect(await same(over(tables, 30))).toBeGreaterThan(70);
  });

  test('over SequenceExamples', async () => {
    const path = folder.write('sequences.zlib', sequenceRecords(3000, random));
    expect(await same(over([callOf(path), callOf(path, SEQUENCE_SPEC, "compression := 'zlib'")], 30))).toBeGreaterThan(
      45,
    );
  });

  test('over records of other lengths and kinds', async () => {
    const few = folder.write('rare', [
      encodeExample({ a: int64([]), b: undefined, big: float(Array.from({ length: 5000 }, (_, i) => i)), c: '\u0085' }),
      encodeExample({ big: float(Array.from({ length: 5000 }, () => -0)), long: bytes([new Uint8Array(100_000)]) }),
      new Uint8Array(0),
    ]);
    const none = folder.write('none', []);
    const tables = [
      callOf(few),
      callOf(few, { big: fixedLen([50, 100], 'float32', { default: Array<number>(5000).fill(1) }) }),
      callOf(few, { z: fixedLen([2, 0], 'int64', { default: [] }) }),
      callOf(none, { x: varLen('int64') }),
      callOf(none),
      callOf(folder.write('lower', [encodeExample({ A: 'x', a: 'y' })])),
      callOf(folder.write('unnamed', [encodeExample({ '': 'x' })])),
      callOf(folder.write('both', [encodeExample({ filename: 'x' })])),
      callOf(folder.write('kinds', [encodeExample({ k: 'x' }), encodeExample({ k: int64(1) })])),
      callOf(folder.write('kindless', [encodeExample({ k: undefined })])),
      callOf([]),
    ];
    expect(await same(over(tables, 12))).toBeGreaterThan(30);
  });

  const facts = REAL_FACTS as readonly { readonly local: string }[];
  if (facts.length === 0) test.todo(NO_REAL_FILES);
  else {
    test('over real files', async () => {
      const tables = facts.map(({ local }) => callOf(join(REAL_FILES, local)));
      expect(await same(over(tables, 15))).toBeGreaterThan(60);
    });
  }
});

test('specs, and texts that are nearly specs, give the same columns, or are refused', async () => {
  const seeds = [
    specText(MIXED_SPEC),
    specText(SEQUENCE_SPEC),
    '{"context":{"type":"varLen","dtype":"int64"}}',
    '{"s":{"type":"sparse","dtype":"text","indexKey":"i","valueKey":"v","size":3,"alreadySorted":true},"r":{"type":"ragged","dtype":"bytes","valueKey":"w","rowSplitsDtype":"int64","partitions":[{"by":"valueRowIds","key":"k"}]}}',
  ];
  // Numbers have the forms that JSON.stringify gives them: the extension refuses whole ones in others.
  const words = [
    ...['"int64"', '"text"', '"bytes"', '"float32"', '"varLen"', '"fixedLen"', '"fixedLenSequence"', '"x"', '""', '{}'],
    ...[
      '[]',
      '[2]',
      'null',
      'true',
      '1',
      '0',
      '0.5',
      '16777217',
      '2147483648',
      '"9007199254740993"',
      '1e39',
      '3.4028236e38',
    ],
    ...['"NaN"', '"-0"', '"\\ud800"', '{"base64":"AA=="}', '{"base64":"AB=="}', '{"base64":"/w=="}'],
  ];
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const mutant = (text: string): string => {
    if (below(4) === 0) {
      const at = below(text.length);
      return text.slice(0, at) + String.fromCharCode(32 + below(95)) + text.slice(at + 1);
    }
    const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?[\d.e+]+|[[\]{}:,]|\w+/g)!;
    const at = below(tokens.length);
    if (!/^[[\]{}:,]$/.test(tokens[at]!)) tokens[at] = pick(words);
    return tokens.join('');
  };
  const queries = Array.from({ length: 3000 }, (_, i) => {
    const once = i < seeds.length ? seeds[i]! : mutant(pick(seeds));
    return `DESCRIBE FROM read_tfrecord('none', spec := ${quoted(i % 3 === 2 ? mutant(once) : once)})`;
  });
  const code = ({ error = '' }: Outcome): string | undefined => factsOf(error)['code'];
  const [loaded, registered] = [await Database.loaded(), await Database.registered()];
  let accepted = 0;
  for (const query of queries) {
    const [found, expected] = [await loaded.outcome(query), await registered.outcome(query)];
    expect({ query, rows: found.rows, code: code(found) }).toEqual({
      query,
      rows: expected.rows,
      code: code(expected),
    });
    if (expected.rows !== undefined) accepted++;
  }
  loaded.close();
  registered.close();
  expect(accepted).toBeGreaterThan(300);
});

test('paths, patterns and sets of shards find the same files', async () => {
  const place = folder.place();
  const record = tfrecord([encodeExample({ x: int64(1) })]);
  const names = [
    ...['a.tfrecord', 'b.tfrecord', '.hidden', 'é.tfrecord', 'x[1].gz', 'a.tfrecord.tfindex', 'a.manifest.json'],
    ...['s-00000-of-00002.tfrecord', 's-00001-of-00002.tfrecord', 't.tfrecord-00000-of-00002', 'u.gz-00000-of-00001'],
    ...['.a.123-0123456789ab.tmp', 'v-00000-of-00001.tfrecord.gz', 'w@2'],
  ];
  for (const name of names) writeFileSync(place.at(name), record);
  for (const inner of ['in', 'in/deep', '.dot', 'c.12-0123456789abcdef.tmp']) {
    mkdirSync(place.at(inner));
    writeFileSync(place.at(`${inner}/z.tfrecord`), record);
  }
  symlinkSync('..', place.at('in/up'));
  symlinkSync('nowhere', place.at('in/broken'));
  const patterns = [
    ...[
      '*',
      '?.tfrecord',
      '*.tfrecord',
      '**',
      '**/*.tfrecord',
      '**/z*',
      '*/*',
      '*/./z.tfrecord',
      'in//*',
      '.*',
      '.*/*',
    ],
    ...['[ab].tfrecord', '[!a].tfrecord', '[[:alpha:]].tfrecord', 'x\\[1\\].gz', 'x[[]1].gz', '*.tfindex', '*.json'],
    ...['s@2.tfrecord', 's.tfrecord@2', 't.tfrecord@2', 't@2', 'u@1.gz', 'u.gz@1', 'v.tfrecord@1', 'w@2', 's@0', 'n@3'],
    ...[
      's-?????-of-00002.tfrecord',
      't.tfrecord-?????-of-00002',
      'a.tfrecord',
      'missing',
      'a.tfrecord/x',
      'in',
      '[',
      '*/',
    ],
    ...['in/**', '*/up/*.tfrecord', 'no/*', 'http://a/b', 'S3://a/b', 'foo://a'],
  ];
  const paths = [...patterns.map((pattern) => (pattern.includes('://') ? pattern : place.at(pattern))), '-', ''];
  const named = 'filename := true';
  const table = (path: string): string => callOf(path, { x: varLen('int64') }, named);
  const rows = await same(
    () => Promise.resolve(paths.map((path) => `SELECT filename, x FROM ${table(path)}`)),
    undefined,
  );
  expect(rows).toBeGreaterThan(20);
});

describe('damage gives the same code, file, record and byte', () => {
  const whole = mixedRecords(1200, random);
  const offsets = [0];
  for (const record of whole) offsets.push(offsets.at(-1)! + record.length + 16);

  const queriesOf = (tables: readonly string[]): string[] =>
    tables.flatMap((table) => [
      `SELECT count(*), count(t) FROM ${table}`,
      `FROM ${table}`,
      `SELECT file_row_number, record_offset, filename FROM ${table.slice(0, -1)}, filename := true, file_row_number := true, record_offset := true)`,
      `SELECT t FROM ${table} LIMIT 5`,
    ]);

  test.each(['throw', 'skip', 'stop'] as const)('on_error %s', async (onError) => {
    const tables: string[] = [];
    for (let k = 0; k < 24; k++) {
      const { bytes: data } = injure({ bytes: tfrecord(whole), offsets }, 1 + (k % 3), random);
      const codec = (['none', 'none', 'gzip', 'zlib'] as const)[k % 4]!;
      const stored = k % 8 < 4 ? compress(data, codec) : compress(tfrecord(whole), codec);
      if (k % 8 >= 4) stored[below(stored.length)]! ^= 1 << below(8);
      const cut = k % 5 === 0 ? stored.subarray(0, below(stored.length)) : stored;
      tables.push(callOf(folder.put(`injured-${k}`, cut), k % 2 === 0 ? MIXED_SPEC : undefined));
    }
    const texts = [...whole];
    texts[1100] = Buffer.from('no Example');
    texts[1101] = encodeExample({ t: int64(1) });
    texts[1102] = encodeExample({ t: bytes([Uint8Array.of(0xe2, 0x82)]), lt: bytes([Uint8Array.of(0xac)]) });
    const wrong = folder.write('texts.gz', texts);
    const right = folder.write('right', whole.slice(0, 100));
    const text = folder.put('text', 'text, and no records at all');
    tables.push(
      callOf(wrong, MIXED_SPEC),
      callOf(wrong),
      callOf(right, { li: fixedLen([2], 'int64') }),
      callOf([right, folder.at('missing'), right], MIXED_SPEC),
      callOf([right, folder.path, right]),
      callOf([right, text, right]),
      callOf(text),
      callOf(right, undefined, "compression := 'gzip'"),
      callOf(folder.write('events', [Buffer.from('0900000000000000001a0d627261696e2e4576656e743a32', 'hex')])),
    );
    const edit = (query: string): string =>
      query.replaceAll(/(read_tfrecord\((?:'(?:[^']|'')*'|\[[^\]]*\]))/g, `$1, on_error := '${onError}'`);
    expect(await same(() => Promise.resolve(queriesOf(tables)), { onError }, edit)).toBeGreaterThan(10);
  });

  test('on_error skip passes over long records, and over 1 % of all', async () => {
    const numbers = (count: number): Uint8Array[] =>
      Array.from({ length: count }, (_, i) => encodeExample({ x: int64(i) }));
    const long = encodeExample({ long: bytes([new Uint8Array(5000)]) });
    const few = folder.write('long', [...numbers(150), long, long, ...numbers(150)]);
    const damaged = (name: string, each: number): string => {
      const records = numbers(4000);
      const data = tfrecord(records);
      for (let i = 0, at = 0; i < 4000; at += records[i++]!.length + 16) if (i % each === 9) data[at + 14]! ^= 1;
      return folder.put(name, data);
    };
    const queries = [few, damaged('part', 110), damaged('more', 80)].map(
      (path) => `SELECT count(*), sum(x[1]) FROM ${callOf(path, { x: varLen('int64') })}`,
    );
    const set = (query: string): string =>
      query.replace(', spec', ", max_record_bytes := 1000, on_error := 'skip', spec");
    const options = { maxRecordBytes: 1000, onError: 'skip' } as const;
    expect(await same(() => Promise.resolve(queries), options, set)).toBe(2);
  });

  test('of the first record of a file that is of another type comes before its rows', async () => {
    const count = 5000;
    const right = folder.write(
      'examples',
      Array.from({ length: count }, (_, i) => encodeExample({ a: int64(i) })),
    );
    const sequence = encodeSequenceExample({ featureLists: { a: [int64(1)] } });
    const foreign = folder.write('foreign', Array<Uint8Array>(count).fill(sequence));
    const empty = folder.write('empty', []);
    const database = await Database.loaded();
    const outcome = (select: string, paths: readonly string[], named?: string): Promise<Outcome> =>
      database.outcome(select.replace('read', callOf(paths, { a: varLen('int64') }, named)));
    const refused = { code: 'TFR_EXAMPLE', record: '0', file: foreign };
    for (const paths of [[foreign], [empty, foreign], [right, foreign], [foreign, right]]) {
      const { error = '' } = await outcome('FROM read', paths);
      expect(factsOf(error)).toMatchObject(refused);
    }
    for (const paths of [[foreign], [empty, foreign]]) {
      const { error = '' } = await outcome('FROM read LIMIT 2', paths);
      expect(factsOf(error)).toMatchObject(refused);
    }
    expect((await outcome('FROM read LIMIT 2', [right, foreign])).rows).toEqual([[[0n]], [[1n]]]);
    // Rows without features lack none.
    expect(
      await outcome('SELECT file_row_number FROM read LIMIT 1', [foreign], 'file_row_number := true'),
    ).toMatchObject({ rows: [[0n]] });
    const sum = 'SELECT count(*), count(a), sum(a[1]) FROM read';
    const all = (count * (count - 1)) / 2;
    const rowsOf = async (paths: readonly string[], named: string): Promise<unknown> => {
      const { rows, error } = await outcome(sum, paths, named);
      return error ?? rows![0]!.map(Number);
    };
    expect(await rowsOf([right, foreign, right], "on_error := 'skip'")).toEqual([2 * count, 2 * count, 2 * all]);
    expect(await rowsOf([right, foreign, right], "on_error := 'stop'")).toEqual([count, count, all]);
    expect(factsOf((await rowsOf([foreign], "on_error := 'skip'")) as string)).toMatchObject(refused);
    database.close();
  });

  test('verify and max_record_bytes are those of registerTFRecord', async () => {
    const data = tfrecord(whole);
    data[offsets[7]! + 20]! ^= 1;
    const path = folder.put('flipped', data);
    const queries = (): Promise<string[]> => Promise.resolve(queriesOf([callOf(path, MIXED_SPEC), callOf(path)]));
    const set = (named: string) => (query: string) => query.replaceAll(quoted(path), `${quoted(path)}, ${named}`);
    await same(queries, { verify: 'none' }, set("verify := 'none'"));
    await same(queries, { verify: 'length' }, set("verify := 'length'"));
    await same(queries, { maxRecordBytes: 300 }, set('max_record_bytes := 300'));
    const skipped = { maxRecordBytes: 800, onError: 'skip' } as const;
    await same(queries, skipped, set("max_record_bytes := 800, on_error := 'skip'"));
  });
});

describe('the extension', () => {
  const numbers = (): string =>
    folder.write(
      'numbers.gz',
      Array.from({ length: 100_000 }, (_, i) => encodeExample({ id: int64(i), t: `text ${i}` })),
    );

  test('refuses wrong arguments with a code', async () => {
    const database = await Database.loaded();
    const path = folder.write('one', [encodeExample({ x: int64(1) })]);
    const cases: readonly (readonly [string, string])[] = [
      ['NULL', 'ERR_INVALID_ARG_VALUE'],
      ['3', 'ERR_INVALID_ARG_VALUE'],
      ['[1]', 'ERR_INVALID_ARG_VALUE'],
      [`${quoted(path)}, compression := 'zip'`, 'ERR_INVALID_ARG_VALUE'],
      [`${quoted(path)}, verify := 'some'`, 'ERR_INVALID_ARG_VALUE'],
      [`${quoted(path)}, on_error := 'ignore'`, 'ERR_INVALID_ARG_VALUE'],
      [`${quoted(path)}, max_record_bytes := -1`, 'ERR_INVALID_ARG_VALUE'],
      [`${quoted(path)}, max_record_bytes := 3000000000`, 'ERR_INVALID_ARG_VALUE'],
      ...[
        ...['{', '[]', '{}', '{"x":1}', '{"x":{"type":"varLen"}}', '{"x":{"type":"other","dtype":"int64"}}', 'x'],
        ...['{"x":{"type":"varLen","dtype":"int32"}}', '{"x":{"type":"varLen","dtype":"int64","shape":[]}}', '{} {}'],
        ...['{"x":{"type":"fixedLen","dtype":"int64"}}', '{"x":{"type":"fixedLen","dtype":"int64","shape":[-1]}}'],
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[],"default":"a"}}',
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[],"default":9223372036854775807}}',
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[],"default":"9223372036854775808"}}',
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[2],"default":[1]}}',
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[2],"default":null}}',
        '{"x":{"type":"fixedLen","dtype":"float32","shape":[],"default":1e39}}',
        '{"x":{"type":"fixedLen","dtype":"text","shape":[],"default":{"base64":"/w=="}}}',
        '{"x":{"type":"fixedLen","dtype":"bytes","shape":[],"default":{"base64":"/x=="}}}',
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[65536,65536]}}',
        '{"x":{"type":"fixedLenSequence","dtype":"int64","shape":[]}}',
        '{"x":{"type":"varLen","dtype":"int64"},"x":{"type":"varLen","dtype":"int64"}}',
        '{"x":{"type":"sparse","dtype":"int64","indexKey":"i","valueKey":"v","size":[3]}}',
        '{"x":{"type":"sparse","dtype":"int64","indexKey":"i","valueKey":"i","size":3},"i":{"type":"varLen","dtype":"bytes"}}',
        '{"x":{"type":"ragged","dtype":"int64","partitions":[{"by":"rowSplits"}]}}',
        '{"x":{"type":"ragged","dtype":"int64","partitions":[{"by":"uniformRowLength","length":0}]}}',
        '{"x":{"type":"ragged","dtype":"int64","valueKey":"v"},"v":{"type":"fixedLen","dtype":"int64","shape":[]}}',
        '{"context":{},"sequence":{}}',
        '{"context":{"x":{"type":"fixedLenSequence","dtype":"int64","shape":[],"allowMissing":true}}}',
        '{"sequence":{"x":{"type":"fixedLen","dtype":"int64","shape":[]}}}',
        '['.repeat(100_000),
      ].map((spec): [string, string] => [`${quoted(path)}, spec := ${quoted(spec)}`, 'TFR_SPEC']),
    ];
    const registered = await Database.registered();
    for (const [args, code] of cases) {
      const query = `FROM read_tfrecord(${args})`;
      const { error = '' } = await database.outcome(query);
      expect({ args, error: factsOf(error)['code'] ?? error }).toEqual({ args, error: code });
      // The package refuses the same specs.
      if (code === 'TFR_SPEC') expect((await registered.outcome(query)).error).toContain('TFR_SPEC');
    }
    database.close();
    registered.close();
  });

  test('is loaded twice, and by two databases at once', async () => {
    const [first, second] = [await Database.loaded(), await Database.loaded()];
    await first.connection.run(`LOAD ${quoted(extension)}`);
    const sql = `SELECT sum(id) FROM ${callOf(numbers())}`;
    const connections = await Promise.all([1, 2, 3].map(() => first.instance.connect()));
    const all = [first.connection, second.connection, ...connections, ...connections];
    for (const { rows } of await Promise.all(all.map((each) => outcomeOf(each, sql)))) {
      expect(rows).toEqual([[4999950000n]]);
    }
    for (const connection of connections) connection.closeSync();
    first.close();
    second.close();
  });

  test('ends soon after an interrupt, and after a limit', async () => {
    const database = await Database.loaded();
    const table = callOf(numbers());
    const running = database.outcome(
      `SELECT count(*) FROM ${table} a, range(1000000) b WHERE hash(a.t || b.range) > 5`,
    );
    const timer = setInterval(() => {
      database.connection.interrupt();
    }, 50);
    expect((await running).error).toContain('INTERRUPT');
    clearInterval(timer);
    for (let i = 0; i < 20; i++) {
      expect(await database.outcome(`SELECT id FROM ${table} LIMIT 2`)).toMatchObject({ rows: [[0n], [1n]] });
    }
    const stream = await database.connection.stream(`FROM ${table}`);
    await stream.fetchChunk();
    database.close();
  });

  test('copies to Parquet', async () => {
    const database = await Database.loaded();
    const path = folder.at('copied.parquet');
    await database.connection.run(`COPY (FROM ${callOf(numbers())}) TO ${quoted(path)}`);
    expect(await database.outcome(`SELECT sum(id), max(t) FROM ${quoted(path)}`)).toMatchObject({
      rows: [[4999950000n, 'text 99999']],
    });
    database.close();
  });
});
