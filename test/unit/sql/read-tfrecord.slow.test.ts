/** SQL over files: every value comes through as it is, and errors say where. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

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
  type TFRecordError,
} from '../../../lib';
import { registerTFRecord, type RegisterOptions } from '../../../lib/adapters/duckdb';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
let instance: DuckDBInstance;
let connection: DuckDBConnection;

async function connect(options?: RegisterOptions): Promise<void> {
  instance = await DuckDBInstance.create();
  connection = await instance.connect();
  registerTFRecord(connection, options);
}

function close(): void {
  connection.closeSync();
  instance.closeSync();
}

beforeEach(() => connect());
afterEach(() => {
  close();
});
afterAll(() => {
  folder.remove();
});

/** Rows of `sql`, where `$0` is the path of the file `name`. */
async function rows(sql: string, name = 'a'): Promise<unknown[][]> {
  const reader = await connection.runAndReadAll(sql.replaceAll('$0', `'${folder.at(name)}'`));
  return reader.getRowsJS();
}

const message = (sql: string, name?: string): Promise<string> =>
  rows(sql, name).then(
    () => 'no error',
    (error: unknown) => (error as Error).message.split('\n')[0]!,
  );

const types = async (sql: string): Promise<string[]> => {
  const reader = await connection.runAndReadAll(sql.replaceAll('$0', `'${folder.at('a')}'`));
  return reader.columnNames().map((name, i) => `${name} ${reader.columnTypes()[i]!.toString()}`);
};

test('columns are those of the first records', async () => {
  folder.write('a', [
    encodeExample({ id: int64(1), f: float(0.5), name: 'Ann', raw: bytes([Uint8Array.of(255)]), tags: ['a', 'b'] }),
    encodeExample({ id: int64(-(2n ** 63n)), f: float(-0), name: '', tags: bytes([]), later: int64(7) }),
    encodeExample({ id: int64(2n ** 63n - 1n), f: float(NaN), name: 'a name that is longer than twelve bytes' }),
  ]);
  expect(await types('SELECT * FROM read_tfrecord($0)')).toEqual([
    'f FLOAT',
    'id BIGINT',
    'later BIGINT',
    'name VARCHAR',
    'raw BLOB',
    'tags VARCHAR[]',
  ]);
  const found = await rows('SELECT id, f, name, raw, tags, later FROM read_tfrecord($0)');
  expect(found).toEqual([
    [1n, 0.5, 'Ann', Uint8Array.of(255), ['a', 'b'], null],
    [-(2n ** 63n), -0, '', null, [], 7n],
    [2n ** 63n - 1n, NaN, 'a name that is longer than twelve bytes', null, null, null],
  ]);
  expect(await rows('SELECT count(*) FROM read_tfrecord($0)')).toEqual([[3n]]);
});

test('a URL is an error that says how to query its records', async () => {
  expect(await message("SELECT * FROM read_tfrecord('https://example.org/a.tfrecord?token=secret')")).toMatch(
    /TFR_SQL: read_tfrecord reads files only: found https:\/\/example\.org\/a\.tfrecord\. .*read_parquet/,
  );
});

test('a spec gives the columns, with shapes and defaults', async () => {
  const spec = JSON.stringify(
    specToJSON({ box: fixedLen([2, 2], 'float32'), n: fixedLen([], 'int64', { default: 5 }), t: varLen('bytes') }),
  );
  folder.write('a', [encodeExample({ box: float([1, 2, 3, 4]) }), encodeExample({ box: float([5, 6, 7, 8]), t: 'x' })]);
  const sql = `FROM read_tfrecord($0, spec := '${spec}')`;
  expect(await types(sql)).toEqual(['box FLOAT[2][2]', 'n BIGINT', 't BLOB[]']);
  expect(await rows(sql)).toEqual([
    [
      [
        [1, 2],
        [3, 4],
      ],
      5n,
      null,
    ],
    [
      [
        [5, 6],
        [7, 8],
      ],
      5n,
      [Uint8Array.of(120)],
    ],
  ]);
});

test('large shapes are lists', async () => {
  close();
  await connect({ spec: { big: fixedLen([3, 5000], 'int64') } });
  folder.write('a', [encodeExample({ big: int64(Array.from({ length: 15000 }, (_, i) => i)) })]);
  expect(await types('FROM read_tfrecord($0)')).toEqual(['big BIGINT[][]']);
  expect(await rows('SELECT len(big), big[3][5000], big[2][1] FROM read_tfrecord($0)')).toEqual([[3n, 14999n, 5000n]]);
});

test('feature lists are lists of steps', async () => {
  close();
  await connect({
    spec: {
      context: { id: fixedLen([], 'int64') },
      sequence: { words: varLen('text'), at: fixedLenSequence([2], 'float32') },
    },
  });
  folder.write('a', [
    encodeSequenceExample({
      context: { id: int64(1) },
      featureLists: { words: [['a', 'b'], bytes([]), ['c']], at: [float([1, 2]), float([3, 4])] },
    }),
    encodeSequenceExample({ context: { id: int64(2) }, featureLists: { at: [] } }),
  ]);
  expect(await types('FROM read_tfrecord($0)')).toEqual(['id BIGINT', 'words VARCHAR[][]', 'at FLOAT[2][]']);
  expect(await rows('FROM read_tfrecord($0)')).toEqual([
    [
      1n,
      [['a', 'b'], [], ['c']],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [2n, null, []],
  ]);
});

test('without a spec, steps with one value each are single values', async () => {
  folder.write('a', [
    encodeSequenceExample({ context: { id: int64(1) }, featureLists: { t: [int64(1), int64(2)], u: [['a', 'b']] } }),
    encodeSequenceExample({ featureLists: { t: [] } }),
  ]);
  expect(await types('FROM read_tfrecord($0)')).toEqual(['id BIGINT', 't BIGINT[]', 'u VARCHAR[][]']);
  expect(await rows('FROM read_tfrecord($0)')).toEqual([
    [1n, [1n, 2n], [['a', 'b']]],
    [null, [], null],
  ]);
});

test('places of records', async () => {
  folder.write('p-1', [encodeExample({ id: int64(1) }), encodeExample({ id: int64(2) })]);
  folder.write('p-2', [encodeExample({ id: int64(3) })]);
  const sql = 'SELECT file_row_number, id, filename FROM read_tfrecord($0, filename := true, file_row_number := true)';
  expect(await rows(sql, 'p-*')).toEqual([
    [0n, 1n, folder.at('p-1')],
    [1n, 2n, folder.at('p-1')],
    [0n, 3n, folder.at('p-2')],
  ]);
  const offsets = 'SELECT id, record_offset FROM read_tfrecord($0, record_offset := true)';
  const size = 16 + encodeExample({ id: int64(1) }).length;
  for (const name of ['p-1', 'p-1.gz']) {
    folder.write(name, [encodeExample({ id: int64(1) }), encodeExample({ id: int64(2) })]);
    expect(await rows(offsets, name)).toEqual([
      [1n, 0n],
      [2n, BigInt(size)],
    ]);
  }
  const list = `SELECT sum(id), count(*) FROM read_tfrecord(['${folder.at('p-2')}', '${folder.at('p-1')}'])`;
  expect(await rows(list)).toEqual([[6n, 3n]]);
});

describe('all values', () => {
  const values: Record<string, fc.Arbitrary<FeatureLike>> = {
    i: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map(int64),
    f: fc.array(fc.float(), { maxLength: 3 }).map((all) => float(all)),
    t: fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 3 }).map(bytes),
    b: fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 3 }).map(bytes),
  };
  const spec = { i: varLen('int64'), f: varLen('float32'), t: varLen('text'), b: varLen('bytes') };
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

  test('come through as they are', async () => {
    close();
    await connect({ spec });
    const record = fc.record(values, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 200 }), async (records) => {
        folder.put('a', tfrecord(records.map((each) => encodeExample(each))));
        const expected = records.map((each) =>
          Object.keys(spec).map((name) => {
            const feature = each[name] as { values: Iterable<unknown> } | undefined;
            if (feature === undefined) return null;
            const all = [...feature.values];
            return name === 't'
              ? all.map((one) => (typeof one === 'string' ? one : utf8.decode(one as Uint8Array)))
              : all;
          }),
        );
        const found = await rows('FROM read_tfrecord($0)');
        expect(found.map((row) => row.map(plain))).toEqual(expected.map((row) => row.map(plain)));
      }),
      { numRuns: 40 },
    );
  });

  /** Bytes as arrays, so that classes do not matter. */
  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    return value instanceof Uint8Array ? [...value] : value;
  }
});

test('many rows, with strings of all lengths and nulls', async () => {
  const text = (i: number): string => 'ä'.repeat(i % 23);
  folder.write(
    'a',
    Array.from({ length: 5000 }, (_, i) =>
      encodeExample({
        ...(i % 3 === 0 ? {} : { t: text(i) }),
        l: int64(Array.from({ length: i % 5 }, (_, k) => i + k)),
      }),
    ),
  );
  const found = await rows('SELECT t, l FROM read_tfrecord($0)');
  expect(found).toHaveLength(5000);
  const wrong = found.findIndex(([t, l], i) => {
    const list = l as bigint[];
    const last = i % 5 === 0 || list.at(-1) === BigInt(i + (i % 5) - 1);
    return t !== (i % 3 === 0 ? null : text(i)) || list.length !== i % 5 || !last;
  });
  expect(wrong).toBe(-1);
});

describe('errors', () => {
  test('of reading have code and place', async () => {
    const whole = tfrecord([encodeExample({ id: int64(1) }), encodeExample({ id: int64(2) })]);
    folder.put('cut', whole.subarray(0, whole.length - 3));
    expect(await message('SELECT sum(id) FROM read_tfrecord($0)', 'cut')).toMatch(
      /^Invalid Input Error: TFR_TRUNCATED: Truncated record in .*cut, record 1/,
    );
    expect(await message('FROM read_tfrecord($0)', 'missing')).toMatch(/^Binder Error: ENOENT: no such .*missing/);
    folder.put('text', Buffer.from('no records at all, but some text'));
    expect(await message('FROM read_tfrecord($0)', 'text')).toMatch(/^Binder Error: TFR_NOT_TFRECORD: /);
    folder.put('empty', Buffer.alloc(0));
    expect(await message('FROM read_tfrecord($0)', 'empty')).toMatch(/TFR_SPEC: the files have no record/);
  });

  test('of records that are not like the first ones say what to do', async () => {
    const like = Array.from({ length: 1000 }, (_, i) => encodeExample({ id: int64(i) }));
    folder.write('a', [...like, encodeExample({ id: int64([1, 2]) })]);
    expect(await message('SELECT sum(id) FROM read_tfrecord($0)')).toMatch(
      /TFR_FEATURE: Record 1000 of .*Feature "id": expected 1 int64 value, found 2.* spec := … gives others/,
    );
    folder.write('a', [encodeExample({ id: int64(1) }), encodeExample({ id: 'x' })]);
    expect(await message('FROM read_tfrecord($0)')).toMatch(
      /TFR_FEATURE: Record 1 of .*: Feature "id" has values of two types/,
    );
  });

  test('of names that DuckDB cannot distinguish', async () => {
    folder.write('a', [encodeExample({ id: int64(1), ID: int64(2) })]);
    expect(await message('FROM read_tfrecord($0)')).toMatch(/TFR_SPEC: .*"id".*"ID"|TFR_SPEC: .*"ID".*"id"/);
    folder.write('a', [encodeExample({ '': int64(1) })]);
    expect(await message('FROM read_tfrecord($0)')).toMatch(/TFR_SPEC: a column cannot have an empty name/);
    folder.write('a', [encodeExample({ filename: int64(1) })]);
    expect(await message('FROM read_tfrecord($0, filename := true)')).toMatch(/TFR_SPEC: .*"filename"/);
    expect(await rows('FROM read_tfrecord($0)')).toEqual([[1n]]);
  });

  test('of arguments', async () => {
    expect(await message('FROM read_tfrecord(3)')).toMatch(/ERR_INVALID_ARG_VALUE: .*a path, a pattern/);
    expect(await message('FROM read_tfrecord(NULL)')).toMatch(/ERR_INVALID_ARG_VALUE/);
    expect(await message("FROM read_tfrecord($0, spec := '{')")).toMatch(/TFR_SPEC: spec is not JSON/);
    expect(await message("FROM read_tfrecord($0, compression := 'lz4')")).toMatch(/"compression" must be one of/);
    const wrong =
      (options: object): (() => void) =>
      () => {
        registerTFRecord(connection, options);
      };
    expect(wrong({ nope: 1 })).toThrow(TypeError);
    expect(wrong({ name: 'a b' })).toThrow(TypeError);
    expect(wrong({ maxRecordBytes: -1 })).toThrow(RangeError);
    expect(wrong({ spec: { A: fixedLen([], 'int64'), a: fixedLen([], 'int64') } })).toThrow(/"a"/);
    expect(() => {
      registerTFRecord(null as never);
    }).toThrow(/"connection" must be a DuckDBConnection/);
  });

  test('can be accepted', async () => {
    instance.closeSync();
    const seen: string[] = [];
    await connect({
      onError: (error: TFRecordError) => {
        seen.push(error.code);
        return 'skip';
      },
    });
    folder.write('a', [encodeExample({ id: int64(1) }), Buffer.from('no Example'), encodeExample({ id: int64(2) })]);
    expect(await rows('SELECT id, file_row_number FROM read_tfrecord($0, file_row_number := true)')).toEqual([
      [1n, 0n],
      [2n, 2n],
    ]);
    expect(seen).toEqual(['TFR_EXAMPLE']);
  });
});

describe('queries that are left', () => {
  const open = (): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('many');
      } catch {
        return false;
      }
    }).length;

  test('close their files once they are collected', async () => {
    folder.write(
      'many',
      Array.from({ length: 50_000 }, (_, i) => encodeExample({ id: int64(i) })),
    );
    for (let i = 0; i < 5; i++) expect(await rows('FROM read_tfrecord($0) LIMIT 3', 'many')).toHaveLength(3);
    const running = rows('SELECT sum(a.id) FROM read_tfrecord($0) a', 'many').catch(() => undefined);
    await wait(5);
    connection.interrupt();
    await running;
    // The collector runs when it needs to: here it is made to.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let i = 0; i < 100 && open() > 0; i++) {
      collect();
      await wait(10);
    }
    expect(open()).toBe(0);
  });

  test('several at once, on several connections', async () => {
    folder.write(
      'a',
      Array.from({ length: 5000 }, (_, i) => encodeExample({ id: int64(i) })),
    );
    const others = await Promise.all([instance.connect(), instance.connect()]);
    const sums = await Promise.all(
      [connection, ...others, ...others].map((each) =>
        each.runAndReadAll(`SELECT sum(id) FROM read_tfrecord('${folder.at('a')}')`),
      ),
    );
    for (const sum of sums) expect(sum.getRowsJS()).toEqual([[12497500n]]);
    for (const other of others) other.closeSync();
  });
});
