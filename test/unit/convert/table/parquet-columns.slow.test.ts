/** Columns of others' Parquet files: only those that are wanted are looked at; dates, structs and specs. */
import { readFileSync, writeFileSync } from 'node:fs';

import { DuckDBConnection } from '@duckdb/node-api';

import {
  decodeSequenceExample,
  encodeSequenceExample,
  fixedLen,
  int64,
  sequenceExampleToObject,
  varLen,
} from '../../../../lib';
import { convert, type ConvertOptions } from '../../../../lib/convert';
import { Folder } from '../../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../../support/records/tfrecord';
import { runHere } from '../../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

/** Makes `path` of the rows of `select`. */
async function make(path: string, select: string): Promise<void> {
  const connection = await DuckDBConnection.create();
  try {
    await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  } finally {
    connection.closeSync();
  }
}

type Rows = Record<string, unknown>[];

/** The values of the records that `select` becomes, and the notes. */
async function read(select: string, options: ConvertOptions = {}): Promise<{ rows: Rows; notes: readonly string[] }> {
  const { at } = folder.place();
  await make(at('in.parquet'), select);
  const { notes } = await convert(at('in.parquet'), at('out'), options);
  return { rows: rowsIn(at('out')), notes };
}

function rowsIn(path: string): Rows {
  const shown = (values: Iterable<unknown>): unknown[] =>
    [...values].map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value));
  return wholeRecords(readFileSync(path)).map((record) => {
    const { context, featureLists } = decodeSequenceExample(record);
    return Object.fromEntries([
      ...Object.entries(context).map(([name, feature]) => [name, shown(feature!.values)]),
      ...Object.entries(featureLists).map(([name, steps]) => [name, steps.map((step) => shown(step!.values))]),
    ]) as Record<string, unknown>;
  });
}

const odd = `SELECT 7 AS id, 1.25::DECIMAL(9,2) AS price, MAP {'k': 1} AS m, [1, NULL] AS holes, 0.1::DOUBLE AS d`;

describe('columns that no feature holds', () => {
  test('do not matter where others are wanted', async () => {
    expect((await read(odd, { features: ['id'] })).rows).toEqual([{ id: [7n] }]);
    expect((await read(odd, { exclude: ['price', 'm', 'holes', 'd'] })).rows).toEqual([{ id: [7n] }]);
    expect((await read(odd, { spec: { id: varLen('int64') } })).rows).toEqual([{ id: [7n] }]);
    expect((await read(odd, { features: ['id'], where: 'id = 7 AND id < 8' })).rows).toEqual([{ id: [7n] }]);
  });

  test('a feature and a feature list of one name are both kept, or left out', async () => {
    const { at } = folder.place();
    const record = encodeSequenceExample({ context: { a: int64(1), b: int64(2) }, featureLists: { a: [int64(3)] } });
    writeFileSync(at('in'), tfrecord([record]));
    for (const extension of ['parquet', 'arrow']) {
      await convert(at('in'), at(`ours.${extension}`));
      await convert(at(`ours.${extension}`), at('kept'), { features: ['a'], force: true });
      await convert(at(`ours.${extension}`), at('left'), { exclude: ['a'], force: true });
      const [kept] = wholeRecords(readFileSync(at('kept'))).map((one) => sequenceExampleToObject(one));
      const [left] = wholeRecords(readFileSync(at('left'))).map((one) => sequenceExampleToObject(one));
      expect(kept).toEqual({ context: { a: [1] }, featureLists: { a: [[3]] } });
      expect(left).toEqual({ context: { b: [2] }, featureLists: {} });
    }
  });

  test.each([
    ['price', /Column "price" is of the type DECIMAL\(9,2\)/],
    ['m', /Column "m" is of the type MAP/],
    ['holes', /Column "holes": expected values in its lists, found NULL/],
    ['d', /Column "d" has a value that float32 cannot hold exactly/],
  ])('the message about %s names the ways', async (name, message) => {
    const error = await read(odd, { features: [name] }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'TFR_FEATURE', message: expect.stringMatching(message) as string });
    expect((error as Error).message).toMatch(/\(features\).*\(exclude\).*tfrecord sql "COPY \(/);
  });

  test('a name that the file does not have', async () => {
    await expect(read(odd, { exclude: ['nam', 'price', 'm', 'holes', 'd'] })).rejects.toThrow(
      'No record has the feature "nam", which options.exclude names.',
    );
    await expect(read(odd, { features: ['id', 'nam'] })).rejects.toThrow(
      'No record has the feature "nam", which options.features names.',
    );
  });

  test('the command says it in its words', async () => {
    const { at, path } = folder.place();
    await make(at('in.parquet'), odd);
    const { code, stderr } = await runHere(['convert', 'in.parquet', 'out'], { cwd: path });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Name the features to keep \(--features\), or to leave out \(--exclude\), or make other columns first: tfrecord sql "COPY \(/,
    );
  });
});

const dates = `SELECT DATE '1969-12-31' AS day, TIMESTAMP '2024-01-02 03:04:05.5' AS at,
  TIMESTAMPTZ '2024-01-02 03:04:05+02' AS utc, TIMESTAMP_NS '1969-12-31 23:59:59.999999999' AS ns,
  TIME '01:02:03' AS time, [DATE '2024-02-29', DATE '0044-03-15'] AS days, NULL::DATE AS none`;

describe('dates', () => {
  test('are refused by default, with a word about the option', async () => {
    await expect(read(dates)).rejects.toThrow(
      /Column "day" is of the type DATE: dates: "int64" makes microseconds of it, dates: "text" ISO 8601/,
    );
  });

  test('as text', async () => {
    expect(await read(dates, { dates: 'text' })).toEqual({
      rows: [
        {
          day: ['1969-12-31'],
          at: ['2024-01-02T03:04:05.500000'],
          utc: ['2024-01-02T01:04:05+00:00'],
          ns: ['1969-12-31T23:59:59.999999999'],
          time: ['01:02:03'],
          days: ['2024-02-29', '0044-03-15'],
        },
      ],
      notes: [],
    });
  });

  test('as int64, with a note', async () => {
    const { rows, notes } = await read(dates, { dates: 'int64', exclude: ['ns'] });
    const micros = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;
    expect(rows).toEqual([
      {
        day: [micros('1969-12-31')],
        at: [micros('2024-01-02T03:04:05.5Z')],
        utc: [micros('2024-01-02T01:04:05Z')],
        time: [3_723_000_000n],
        days: [micros('2024-02-29'), micros('0044-03-15')],
      },
    ]);
    expect(notes).toContain(
      'Feature "utc" is int64: microseconds since 1970-01-01T00:00 UTC. dates: "text" makes ISO 8601 of it',
    );
    expect(notes).toHaveLength(6);
    await expect(read(dates, { dates: 'int64', features: ['ns'] })).rejects.toThrow(
      /Column "ns": expected whole microseconds, found -1 nanoseconds. dates: "text" keeps them/,
    );
  });

  test('as a spec has them', async () => {
    const spec = { day: varLen('int64'), at: varLen('text') };
    expect((await read(dates, { spec })).rows).toEqual([
      { day: [-86_400_000_000n], at: ['2024-01-02T03:04:05.500000'] },
    ]);
  });

  test.each(['int64', 'text'] as const)('an infinite one is no %s', async (form) => {
    await expect(read(`SELECT 'infinity'::TIMESTAMP AS x`, { dates: form })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringMatching(/Column "x": expected a (?:time|date).*, found 9223372036854775807/) as string,
    });
  });
});

const image = `SELECT 1 AS id, {'bytes': 'x'::BLOB, 'path': 'a.png', 'size': {'w': 3, 'h': [4, 5]}} AS image
  UNION ALL SELECT 2, NULL UNION ALL SELECT 3, {'bytes': NULL, 'path': '', 'size': NULL} ORDER BY id`;

test('nanoseconds of a day', async () => {
  const select = `SELECT * FROM (VALUES ('01:02:03.000004005'::TIME_NS), ('00:00:00'::TIME_NS), (NULL)) AS r(t)`;
  const texts = await read(select, { dates: 'text' });
  expect(texts.rows).toEqual([{ t: ['01:02:03.000004005'] }, { t: ['00:00:00'] }, {}]);
  await expect(read(select, { dates: 'int64' })).rejects.toThrow(/expected whole microseconds, found \d+ nanoseconds/);
  const whole = await read(`SELECT '01:00:00.000001'::TIME_NS AS t`, { dates: 'int64' });
  expect(whole.rows).toEqual([{ t: [3_600_000_001n] }]);
});

test('times that DuckDB cannot print', async () => {
  // The earliest one of pandas.
  const select = 'SELECT 7 AS id, make_timestamp_ns(-9223372036854775000) AS t';
  expect((await read(select, { features: ['id'] })).rows).toEqual([{ id: [7n] }]);
  expect((await read(select, { dates: 'int64' })).rows).toEqual([{ id: [7n], t: [-9_223_372_036_854_775n] }]);
  expect((await read(select, { dates: 'text' })).rows).toEqual([{ id: [7n], t: ['1677-09-21T00:12:43.145225000'] }]);
});

describe('structs', () => {
  test('their fields are features', async () => {
    expect((await read(image)).rows).toEqual([
      { id: [1n], 'image/bytes': ['x'], 'image/path': ['a.png'], 'image/size/w': [3n], 'image/size/h': [4n, 5n] },
      { id: [2n] },
      { id: [3n], 'image/path': [''] },
    ]);
  });

  test('one field, all but one, or none', async () => {
    expect((await read(image, { features: ['image/path'] })).rows).toEqual([
      { 'image/path': ['a.png'] },
      {},
      { 'image/path': [''] },
    ]);
    expect((await read(image, { exclude: ['image/size', 'image/bytes'] })).rows[0]).toEqual({
      id: [1n],
      'image/path': ['a.png'],
    });
    expect((await read(image, { exclude: ['image'] })).rows).toEqual([{ id: [1n] }, { id: [2n] }, { id: [3n] }]);
  });

  test('named as a whole to be kept', async () => {
    await expect(read(image, { features: ['image'] })).rejects.toThrow(
      'No record has the feature "image", which options.features names. It is a struct, whose fields are features: "image/bytes", "image/path", "image/size/w", "image/size/h".',
    );
  });

  test('lists of structs are lists of each field', async () => {
    const select = `SELECT [{'a': 1, 'b': 0.5::DOUBLE, 'on': DATE '2024-01-02'}, {'a': 2, 'b': 1.0, 'on': DATE '2024-01-03'}] AS s`;
    expect((await read(select, { dates: 'text' })).rows).toEqual([
      { 's/a': [1n, 2n], 's/b': [0.5, 1], 's/on': ['2024-01-02', '2024-01-03'] },
    ]);
    await expect(read(`SELECT [{'a': 1}, NULL] AS s`)).rejects.toThrow(/Column "s\/a": expected values in its lists/);
    await expect(read(`SELECT [{'a': 0.1::DOUBLE}] AS s`)).rejects.toThrow(/Column "s\/a" has a value that float32/);
  });

  test('by a condition, and into tables', async () => {
    const { at } = folder.place();
    await make(at('in.parquet'), image);
    await convert(at('in.parquet'), at('out.csv'), { where: `"image/size/w" = 3`, exclude: ['image/size/h'] });
    expect(readFileSync(at('out.csv'), 'utf8')).toBe('id,image/bytes,image/path,image/size/w\n1,x,a.png,3\n');
    for (const options of [{ exclude: ['image'] }, { features: ['id'] }]) {
      await convert(at('in.parquet'), at('out'), { ...options, where: `"image/size/w" = 3`, force: true });
      expect(rowsIn(at('out'))).toEqual([{ id: [1n] }]);
      await convert(at('in.parquet'), at('b.csv'), { ...options, where: `"image/size/w" = 3`, force: true });
      expect(readFileSync(at('b.csv'), 'utf8')).toBe('id\n1\n');
    }
  });
});

describe('a spec', () => {
  const select = `SELECT 1 AS id, 'a' AS name, [1.5::FLOAT, 2.5] AS xy, [[1], [2, 3]] AS steps UNION ALL SELECT 2, NULL, [3.5], []`;

  test('names the columns, and their types', async () => {
    const { at } = folder.place();
    await make(at('in.parquet'), select);
    const spec = { name: fixedLen([], 'bytes', { default: 'z' }), id: fixedLen([], 'int64') };
    await convert(at('in.parquet'), at('out'), { spec });
    expect(rowsIn(at('out'))).toEqual([{ id: [1n], name: ['a'] }, { id: [2n] }]);
    await convert(at('in.parquet'), at('out.csv'), { spec });
    expect(readFileSync(at('out.csv'), 'utf8')).toBe('name,id\na,1\nz,2\n');
  });

  test('of SequenceExamples', async () => {
    const spec = { context: { id: varLen('int64') }, sequence: { steps: varLen('int64') } };
    expect((await read(select, { spec })).rows).toEqual([
      { id: [1n], steps: [[1n], [2n, 3n]] },
      { id: [2n], steps: [] },
    ]);
  });

  test.each([
    [{ id: varLen('float32') }, /Column "id" is of the type INTEGER: the spec says float32/],
    [{ xy: fixedLen([2], 'float32') }, /Column "xy", row 1: expected 2 values, found 1. The spec requires it$/],
    [
      { name: fixedLen([], 'text') },
      /Column "name", row 1: expected a value, found null. The spec requires the feature$/,
    ],
    [{ none: fixedLen([], 'text') }, /The spec requires the feature "none", but the file has no such column$/],
    [{ steps: varLen('int64') }, /Column "steps" is of the type INTEGER\[\]\[\]: the spec does not have so many lists/],
    [{ id: fixedLen([2], 'int64') }, /Column "id" is of the type INTEGER: the spec says 2 values/],
  ])('that does not fit: %j', async (spec, message) => {
    await expect(read(`${select} ORDER BY id`, { spec })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringMatching(message) as string,
    });
  });

  test('shapes of our own files', async () => {
    const { at } = folder.place();
    writeFileSync(at('in.jsonl'), '{"m":[1,2,3,4,5,6]}\n');
    const spec = { m: fixedLen([2, 3], 'int64') };
    await convert(at('in.jsonl'), at('a.parquet'), { spec: { m: varLen('int64') } });
    await convert(at('a.parquet'), at('b.parquet'), { spec });
    await convert(at('b.parquet'), at('out'), { spec });
    expect(rowsIn(at('out'))).toEqual([{ m: [1n, 2n, 3n, 4n, 5n, 6n] }]);
  });
});

test('columns of CSV that only a condition names', async () => {
  const { at } = folder.place();
  writeFileSync(at('in.csv'), 'a,b\n1,2\n3,4\n');
  await convert(at('in.csv'), at('out'), { exclude: ['b'], where: 'b = 4' });
  expect(rowsIn(at('out'))).toEqual([{ a: [3n] }]);
});

describe('names that DuckDB changes', () => {
  /** Makes the file `path` with columns a, b (a list) and one called `name`, which DuckDB does not write. */
  async function makeNamed(path: string, name: string, select = 'SELECT 1 AS a, [2] AS b, 3 AS xxxx'): Promise<void> {
    await make(path, select);
    const whole = readFileSync(path);
    const size = whole.readUInt32LE(whole.length - 8);
    const text = whole.toString('latin1', whole.length - 8 - size, whole.length - 8);
    const footer = Buffer.from(text.replaceAll('\x04xxxx', `${String.fromCharCode(name.length)}${name}`), 'latin1');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    writeFileSync(
      path,
      Buffer.concat([whole.subarray(0, whole.length - 8 - size), footer, length, Buffer.from('PAR1')]),
    );
  }

  test.each([
    ['', 'Column 3 has an empty name: give it one. '],
    ['A', '2 columns differ only in case, "a", "A", and DuckDB cannot distinguish them: rename them. '],
  ])('%j is named in the error, and can be left out', async (name, message) => {
    const { at } = folder.place();
    await makeNamed(at('in.parquet'), name);
    await expect(convert(at('in.parquet'), at('out'))).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringContaining(message) as string,
    });
    for (const options of [{ features: ['a', 'b'] }, { exclude: [name] }]) {
      await convert(at('in.parquet'), at('out'), { ...options, force: true });
      expect(rowsIn(at('out'))).toEqual([{ a: [1n], b: [2n] }]);
    }
  });

  test.each([
    ['', 'Column "s" is a struct with a field that has an empty name: give it one. '],
    [
      'F',
      'Column "s" is a struct with fields that differ only in case, and DuckDB calls one of them "F_1": rename them. ',
    ],
  ])('a field %j of a struct is named in the error, and can be left out', async (name, message) => {
    const { at } = folder.place();
    for (const value of ["{'f': 2, 'xxxx': 3}", "[{'f': 2, 'xxxx': 3}]", "{'s': {'f': 2, 'xxxx': 3}}"]) {
      await makeNamed(at('in.parquet'), name, `SELECT 1 AS a, ${value} AS s`);
      await expect(convert(at('in.parquet'), at('out'), { force: true })).rejects.toMatchObject({
        code: 'TFR_FEATURE',
        message: expect.stringContaining(message) as string,
      });
      for (const options of [{ features: ['a'] }, { exclude: ['s'] }]) {
        await convert(at('in.parquet'), at('out'), { ...options, force: true });
        expect(rowsIn(at('out'))).toEqual([{ a: [1n] }]);
      }
    }
  });

  test.each(['list', 'element', 'C3'])('a column may be called %j', async (name) => {
    const { at } = folder.place();
    await makeNamed(at('in.parquet'), name);
    await convert(at('in.parquet'), at('out'));
    expect(rowsIn(at('out'))).toEqual([{ a: [1n], b: [2n], [name]: [3n] }]);
  });
});
