/** Tables to Parquet and back: every value, and what cannot come back is refused. */
import { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import { existsSync } from 'node:fs';

import { bytes, encodeExample, encodeSequenceExample, float, int64, type FeatureLike } from '../../../lib';
import type { ParquetOptions } from '../../../lib/sql/parquet-query';
import { chosen } from '../../../lib/sql/native-function';
import { ParquetWriter } from '../../../lib/sql/parquet-writer';
import { openParquet, type ParquetReadOptions } from '../../../lib/sql/read-parquet';
import {
  columnsText,
  COLUMNS_KEY,
  encodeTable,
  newTable,
  readTable,
  type FeatureColumn,
  type Table,
  type TableBatch,
} from '../../../lib/table';
import { settles } from '../../support/settles';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
const path = folder.at('it\'s a "file".parquet');
afterAll(() => {
  folder.remove();
});

type Records = readonly Uint8Array[];

async function write(records: Records, table: Table, options?: ParquetOptions, rows = 3): Promise<void> {
  const writer = await ParquetWriter.open(path, table, { metadata: { [COLUMNS_KEY]: columnsText(table) }, ...options });
  for await (const batch of readTable(tfrecord(records), table).pieces(rows)) await writer.write(batch);
  await writer.close();
}

async function read(options?: ParquetReadOptions): Promise<{ records: Buffer[]; table: Table }> {
  const file = await openParquet(path, options);
  const records: Buffer[] = [];
  try {
    for await (const { vectors, rows } of file.batches()) {
      for (const record of encodeTable(file.table, vectors, rows)) records.push(Buffer.from(record));
    }
  } finally {
    file.close();
  }
  return { records, table: file.table };
}

const list = (key: string, dtype: FeatureColumn['dtype'], section: 0 | 1 = 0): FeatureColumn => ({
  ...{ key, section, dtype, shape: undefined, nullable: true },
});
const kinds = { a: 'int64', b: 'float32', c: 'bytes', d: 'text' } as const;
const values: Record<keyof typeof kinds, fc.Arbitrary<FeatureLike>> = {
  a: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 4 }).map(int64),
  b: fc.array(fc.float(), { maxLength: 4 }).map((all) => float(all)),
  c: fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 3 }).map(bytes),
  d: fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 3 }).map(bytes),
};
const features = fc.record(values, { requiredKeys: [] });
const buffers = (records: Records): Buffer[] => records.map((record) => Buffer.from(record));

describe.each([
  ['native code', true],
  ['JavaScript', false],
])('by %s,', (_, native) => {
  beforeAll(() => {
    chosen.native = native;
  });
  afterAll(() => {
    chosen.native = true;
  });

  test('Examples come back as they were', async () => {
    const table = newTable(
      Object.entries(kinds).map(([key, dtype]) => list(key, dtype)),
      false,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(features, { maxLength: 20 }), async (rows) => {
        const records = rows.map((row) => encodeExample(row));
        await write(records, table);
        expect((await read()).records).toEqual(buffers(records));
      }),
      { numRuns: 8 },
    );
  });

  test('SequenceExamples come back, of which features and lists share names', async () => {
    const columns = Object.entries(kinds);
    const table = newTable(
      [...columns.map(([key, dtype]) => list(key, dtype)), ...columns.map(([key, dtype]) => list(key, dtype, 1))],
      true,
    );
    const lists = fc.record(
      Object.fromEntries(columns.map(([key]) => [key, fc.array(values[key as 'a'], { maxLength: 3 })])),
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(features, lists), { maxLength: 10 }), async (rows) => {
        const records = rows.map(([context, featureLists]) =>
          encodeSequenceExample({ context, featureLists: featureLists }),
        );
        await write(records, table);
        expect((await read()).records).toEqual(buffers(records));
      }),
      { numRuns: 8 },
    );
  });

  test('single values and shapes, missing or not', async () => {
    const scalar = { section: 0, shape: [], nullable: true } as const;
    const table = newTable(
      [
        { ...scalar, key: 'i', dtype: 'int64' },
        { ...scalar, key: 't', dtype: 'text' },
        { ...scalar, key: 'box', dtype: 'float32', shape: [2, 2] },
      ],
      false,
    );
    const records = [
      encodeExample({ i: int64(1), t: 'a', box: float([1, -0, NaN, 4]) }),
      encodeExample({}),
      encodeExample({ t: '' }),
      encodeExample({ box: float([5, 6, 7, 8]) }),
    ];
    await write(records, table);
    const back = await read();
    expect(back.records).toEqual(buffers(records));
    expect(back.table.columns.map(({ shape }) => shape)).toEqual([[], [], [2, 2]]);
  });

  test('rows keep their order, and row groups their size', async () => {
    const table = newTable(
      [{ key: 'id', section: 0, dtype: 'int64', shape: [], nullable: true }, list('raw', 'bytes')],
      false,
    );
    const raw = bytes([new Uint8Array(1000).fill(7)]);
    await write(
      Array.from({ length: 20_000 }, (_, i) => encodeExample({ id: int64(i), raw })),
      table,
      { rowGroupBytes: 4 * 1024 * 1024, compression: 'zstd' },
      1000,
    );
    const connection = await DuckDBConnection.create();
    const sql = `SELECT (SELECT count(*) FROM (SELECT id, row_number() OVER () - 1 AS n FROM $1) WHERE id <> n),
    (SELECT count(DISTINCT row_group_id) FROM parquet_metadata($1)), (SELECT any_value(compression) FROM parquet_metadata($1))`;
    const reader = await connection.runAndReadAll(
      sql.replace('FROM $1)', `FROM read_parquet($1))`).replaceAll('$1', `'${path.replaceAll("'", "''")}'`),
    );
    const [wrong, groups, codec] = reader.getRowsJS()[0] as [bigint, bigint, string];
    connection.closeSync();
    expect([wrong, codec]).toEqual([0n, 'ZSTD']);
    expect(Number(groups)).toBeGreaterThan(3);
    expect(Number(groups)).toBeLessThan(12);
  });
});

describe('files of others', () => {
  async function made(select: string): Promise<void> {
    const connection = await DuckDBConnection.create();
    await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
    connection.closeSync();
  }

  test('integers of all widths, booleans, exact doubles and nested lists', async () => {
    await made(
      `SELECT 1::UTINYINT AS a, true AS b, -3::SMALLINT AS c, 0.5::DOUBLE AS d, 'nan'::DOUBLE AS e, [1, 2]::INTEGER[] AS f,
        [[1.5::DOUBLE], []] AS g, 9223372036854775807::UBIGINT AS h, NULL::VARCHAR AS i, '\\x00'::BLOB AS j`,
    );
    const { records, table } = await read();
    expect(table.columns.map(({ name, dtype, section, shape }) => [name, dtype, section, shape])).toEqual([
      ...['a', 'b', 'c'].map((name) => [name, 'int64', 0, []]),
      ...['d', 'e'].map((name) => [name, 'float32', 0, []]),
      ['f', 'int64', 0, undefined],
      ['g', 'float32', 1, undefined],
      ['h', 'int64', 0, []],
      ['i', 'text', 0, []],
      ['j', 'bytes', 0, []],
    ]);
    expect(records).toEqual(
      buffers([
        encodeSequenceExample({
          context: {
            ...{ a: int64(1), b: int64(1), c: int64(-3), d: float(0.5), e: float(NaN), f: int64([1, 2]) },
            ...{ h: int64(2n ** 63n - 1n), j: bytes([Uint8Array.of(0)]) },
          },
          featureLists: { g: [float(1.5), float([])] },
        }),
      ]),
    );
  });

  test.each([
    ['0.1::DOUBLE', /Column "x" has a value that float32 cannot hold exactly \(round: true takes the nearest\): 0\.1/],
    ['1e300::DOUBLE', /float32 cannot hold exactly/],
    ['[0.1::DOUBLE]', /float32 cannot hold exactly/],
    ['18446744073709551615::UBIGINT', /int64 cannot hold exactly: 18446744073709551615/],
    ["DATE '2020-01-01'", /Column "x" is of the type DATE/],
    ["MAP {'a': 1}", /Column "x" is of the type MAP/],
    ['{a: 1.5::DECIMAL(9,2)}', /Column "x\/a" is of the type DECIMAL/],
    ['[[[1]]]', /lists of lists of lists/],
    ['[1, NULL]', /expected values in its lists, found NULL/],
  ])('%s is refused', async (value, message) => {
    await made(`SELECT ${value} AS x`);
    await expect(read()).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringMatching(message) as string,
    });
  });

  test('doubles are rounded if that is asked for', async () => {
    await made('SELECT 0.1::DOUBLE AS x, [0.1::DOUBLE] AS y');
    const { records } = await read({ round: true, columns: ['y'] });
    expect(records).toEqual(buffers([encodeExample({ y: float(0.1) })]));
  });

  test('what is no Parquet', async () => {
    folder.put('no.parquet', Buffer.from('no Parquet'));
    await expect(openParquet(folder.at('no.parquet'))).rejects.toMatchObject({ code: 'TFR_SQL' });
    await expect(openParquet(folder.at('missing.parquet'))).rejects.toMatchObject({ code: 'TFR_SQL' });
  });
});

test('without columns, and under a folder that is missing, nothing is written', async () => {
  await expect(ParquetWriter.open(path, newTable([], false))).rejects.toMatchObject({ code: 'TFR_SPEC' });
  const table = newTable([list('a', 'int64')], false);
  const there = folder.at('missing/a.parquet');
  const failing = async (): Promise<void> => {
    const writer = await ParquetWriter.open(there, table);
    await writer.close();
  };
  await expect(failing()).rejects.toMatchObject({
    code: 'TFR_SQL',
    message: expect.stringMatching(/missing|pen/) as string,
  });
  expect(existsSync(there)).toBe(false);
});

describe.each([
  ['native code', true],
  ['JavaScript', false],
])('aborting ends the query: %s', (_, native) => {
  beforeAll(() => {
    chosen.native = native;
  });
  afterAll(() => {
    chosen.native = true;
  });
  const table = newTable([list('a', 'int64')], false);

  test('without rows', async () => {
    const writers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => ParquetWriter.open(folder.at(`${i}.pq`), table)),
    );
    await Promise.all(writers.map((writer) => writer.abort()));
  });

  test('while it waits for rows', async () => {
    const records = tfrecord([encodeExample({ a: int64([1, 2]) })]);
    const writers = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const writer = await ParquetWriter.open(folder.at(`${i}.pq`), table);
        for await (const batch of readTable(records, table).pieces(3)) await writer.write(batch);
        return writer;
      }),
    );
    await Promise.all(writers.map((writer) => writer.abort()));
    await expect(writers[0]!.close()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  });

  test('batches are released once, in order', async () => {
    const taken: TableBatch[] = [];
    const given: TableBatch[] = [];
    const onTaken = (batch: TableBatch): void => void taken.push(batch);
    const writer = await ParquetWriter.open(folder.at('taken.pq'), table, { onTaken });
    const records = Array.from({ length: 300 }, (_, i) => encodeExample(i % 3 === 0 ? {} : { a: int64([i]) }));
    for await (const batch of readTable(tfrecord(records), table).pieces(7)) {
      given.push(batch);
      await writer.write(batch);
    }
    await writer.close();
    await settles(() => taken.length === given.length);
    expect(taken.map((batch) => given.indexOf(batch))).toEqual(given.map((_, i) => i));
  });
});
